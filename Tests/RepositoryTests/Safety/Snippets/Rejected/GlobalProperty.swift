// expect: is not concurrency-safe because non-'Sendable' type 'Property<String>'
import RunnelStreams

let name = Property("Jim")
