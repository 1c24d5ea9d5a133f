import RunnelStreams

/// Asynchronous work that the test finishes.
final class Work<Outcome> {
  private(set) var runs = 0
  private(set) var isCancelled = false
  private var onFinish: (Outcome) -> Void = { _ in }

  /// Begins a run. A trait calls it when it is observed.
  func begin(_ finish: @escaping (Outcome) -> Void) -> Disposable {
    runs += 1
    isCancelled = false
    onFinish = finish
    return Disposable { self.isCancelled = true }
  }

  func finish(_ outcome: Outcome) { onFinish(outcome) }
}
