import Foundation
import FoundationNetworking
import RunnelStreams

/// A session task that ends exactly once: it finishes or is cancelled.
///
/// Foundation reads the session's cache before it starts a task. If the task is cancelled
/// meanwhile, it may complete and leave the session's registry before the cancellation is handled;
/// then Foundation traps (swift-corelibs-foundation issue 3296). The task leaves the registry when
/// its completion handler returns, so the handler waits for a pending cancellation.
// Safety: `task` is set before the task is resumed, and only read afterwards.
final class Transfer: Teardown, @unchecked Sendable {
  private enum Phase {
    case running
    case finished
    case cancelled
  }

  private let phase = Monitor(Phase.running)
  private var task: URLSessionTask?

  /// Starts the request. Unless it is cancelled, a thread of the session passes the result to
  /// `completion`.
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

  /// Cancels the request unless it has finished.
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

  /// Polls every 100 µs for the cancellation, which usually arrives within that time. The limit of
  /// about one second is for a version of Foundation that does not need this.
  private func awaitCancellation() {
    for _ in 1...10_000 {
      // Safety: the caller retains the error that this one replaces.
      if task?.error.isCancellation == true { return }
      usleep(100)
    }
  }
}

extension Optional where Wrapped == any Error {
  fileprivate var isCancellation: Bool { (self as? URLError)?.code == .cancelled }
}
