/// What a task waits for in its own domain, and what wakes it: an event, or its cancellation.
///
/// It carries nothing, so it may be raised from any thread; who wakes looks at what has happened.
final class Wakeup: Sendable {
  private enum Phase {
    /// Nobody waits, and nothing has happened since somebody last did.
    case idle
    /// Nobody waits, but something has happened: the next wait does not.
    case raised
    /// A task waits.
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let phase = Monitor(Phase.idle)

  /// Wakes who waits, or who waits next.
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

  /// Waits until it is raised, or the task is cancelled.
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
            fatalError("Two tasks wait for one stream: give each `values` of its own.")
          }
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
