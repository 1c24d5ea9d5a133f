@_exported import RunnelStreams
