@_exported import RunnelCollections
@_exported import RunnelLoop
@_exported import RunnelStreams
