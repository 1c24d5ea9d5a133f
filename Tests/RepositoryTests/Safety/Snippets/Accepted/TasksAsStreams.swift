import RunnelStreams

struct API: Sendable {
  func load(_ id: Int) async throws -> String { "\(id)" }
}

@MainActor final class Model {
  var text = ""

  func load(_ api: API) {
    EventStream.task { try await api.load(1) }
      .observe(next: { self.text = $0 }, failed: { print($0) })
  }
}
