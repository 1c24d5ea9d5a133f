import RunnelStreams

/// Work that somebody does elsewhere, and finishes when the test says so.
final class Work<Outcome> {
  private(set) var runs = 0
  private(set) var isCancelled = false
  private var onFinish: (Outcome) -> Void = { _ in }

  /// What a trait is made of: its run begins.
  func begin(_ finish: @escaping (Outcome) -> Void) -> Disposable {
    runs += 1
    isCancelled = false
    onFinish = finish
    return Disposable { self.isCancelled = true }
  }

  func finish(_ outcome: Outcome) { onFinish(outcome) }
}
