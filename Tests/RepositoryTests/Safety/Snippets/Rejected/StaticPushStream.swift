// expect: static property 'shared' is not concurrency-safe because non-'Sendable' type
import RunnelStreams

enum Names {
  static let shared = PushStream<String>()
}
