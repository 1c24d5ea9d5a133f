import RunnelStreams

/// A sum of numbers that several loops give.
final class Tally: Sendable {
  private let state: Monitor<(missing: Int, sum: Int)>
  private let finish: @Sendable (Int) -> Void

  init(_ count: Int, _ finish: @escaping @Sendable (Int) -> Void) {
    state = Monitor((count, 0))
    self.finish = finish
  }

  func add(_ number: Int) {
    let sum = state.withLock { state -> Int? in
      state.missing -= 1
      state.sum += number
      return state.missing == 0 ? state.sum : nil
    }
    if let sum { finish(sum) }
  }
}
