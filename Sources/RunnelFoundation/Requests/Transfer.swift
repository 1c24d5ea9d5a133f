import Foundation
import FoundationNetworking
import RunnelStreams

/// A task of a session that ends once: it is finished, or it is cancelled.
///
/// Foundation looks into the session's cache before it begins with a task. A task that is cancelled
/// meanwhile may be done before that gets to it, and if it has left the session's registry by then,
/// Foundation traps (swift-corelibs-foundation issue 3296). It leaves when its completion handler
/// returns, so that waits for a cancellation that is on its way.
// Safety: the task is set before it is resumed, and only read after that.
final class Transfer: Teardown, @unchecked Sendable {
  private enum Phase {
    case running
    case finished
    case cancelled
  }

  private let phase = Monitor(Phase.running)
  private var task: URLSessionTask?

  /// Begins. Where it is not cancelled, the result is handed to the closure, on a thread of the session.
  init(
    _ request: URLRequest, in session: URLSession,
    completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    unanswered: @escaping @Sendable (HTTPURLResponse) -> Void
  ) {
    let task = session.dataTask(with: request) { [self] data, response, error in
      if leave(.running, for: .finished) {
        completion(data, response, error)
      } else if !error.isCancellation {
        awaitCancellation()
      }
    }
    self.task = task
    task.onUnansweredChallenge(unanswered)
    task.resume()
  }

  /// Cancels it, unless it is finished.
  func tearDown() {
    if leave(.running, for: .cancelled) { task?.cancel() }
  }

  private func leave(_ old: Phase, for new: Phase) -> Bool {
    phase.withLock { phase in
      guard phase == old else { return false }
      phase = new
      return true
    }
  }

  /// It takes some microseconds. The limit is for a Foundation that has no need of this any more.
  private func awaitCancellation() {
    for _ in 1...10_000 {
      // Safety: an error that this one takes the place of is held by the caller.
      if task?.error.isCancellation == true { return }
      usleep(100)
    }
  }
}

extension Optional where Wrapped == any Error {
  fileprivate var isCancellation: Bool { (self as? URLError)?.code == .cancelled }
}
