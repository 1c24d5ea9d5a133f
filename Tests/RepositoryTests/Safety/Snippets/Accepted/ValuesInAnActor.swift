import RunnelStreams

struct Closed: Error {}

actor Reader {
  private let lines = Subject<String, Closed>()
  private var count = 0

  func read() async throws(Closed) {
    for try await _ in lines.values { count += 1 }
  }
}
