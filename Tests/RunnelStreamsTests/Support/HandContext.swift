import RunnelStreams
import Synchronization

/// An execution context that runs its jobs when the test says so, on the thread that says so.
final class HandContext: ExecutionContext {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  /// How many jobs wait.
  var waiting: Int { state.withLock { $0.jobs.count } }

  /// Whether `run()` or `enter(_:)` is on. A test uses one at a time.
  var isCurrent: Bool { state.withLock { $0.isRunning } }

  func execute(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs what waits, in order.
  func run() {
    enter {
      while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) { job() }
    }
  }

  /// Runs a block in this context.
  func enter<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.isRunning = true }
    defer { state.withLock { $0.isRunning = false } }
    return Current.with(context: self, body)
  }
}
