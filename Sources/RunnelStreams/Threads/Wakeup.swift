/// A signal on which one task can wait. An event or the cancellation of the task raises it.
///
/// It carries no data, so any thread may raise it. The woken task checks the state itself.
@usableFromInline
final class Wakeup: Sendable {
  private enum Phase {
    /// No task waits, and the signal was not raised since the last wait.
    case idle
    /// No task waits, but the signal was raised: the next wait returns at once.
    case raised
    /// A task is waiting.
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let phase = Monitor(Phase.idle)

  @usableFromInline
  init() {}

  /// Wakes the waiting task, or the next one that waits.
  @usableFromInline
  func raise() {
    let waiting: CheckedContinuation<Void, Never>? = phase.withLock { phase in
      switch phase {
      case .idle, .raised:
        phase = .raised
        return nil
      case .awaited(let continuation):
        phase = .idle
        return continuation
      }
    }
    waiting?.resume()
  }

  /// Waits until the signal is raised or the task is cancelled.
  @usableFromInline
  func wait(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = phase.withLock { phase in
          switch phase {
          case .raised:
            phase = .idle
            return true
          case .idle:
            phase = .awaited(continuation)
            return false
          case .awaited:
            fatalError("Two tasks wait for one iterator. Give each task its own `values`.")
          }
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
