@_exported import RunnelLoop
@_exported import RunnelStreams
