import RunnelStreams

@MainActor final class Model {
  var numbers: [Int] = []

  func follow(_ source: AsyncStream<Int>) {
    EventStream(source).map { $0 * 2 }.observeNext { self.numbers.append($0) }
  }
}
