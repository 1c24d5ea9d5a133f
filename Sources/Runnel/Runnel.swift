@_exported import RunnelBus
@_exported import RunnelCollections
@_exported import RunnelFiles
@_exported import RunnelJSON
@_exported import RunnelLoop
@_exported import RunnelNet
@_exported import RunnelProxies
@_exported import RunnelStreams
