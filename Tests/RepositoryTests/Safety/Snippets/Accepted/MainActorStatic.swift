import RunnelStreams

@MainActor enum Names {
  static let shared = PushStream<String>()
}

@MainActor let name = Property("Jim")
