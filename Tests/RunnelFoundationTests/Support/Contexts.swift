import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A context that keeps its jobs until ``run()``, for tests of pending results.
final class WaitingContext: ExecutionContext {
  private let jobs = Monitor<[@Sendable () -> Void]>([])

  var isCurrent: Bool { Current.contextIfAny === self }

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
  }

  /// Waits until there is a job.
  func waitForJob() {
    _ = jobs.wait { $0.isEmpty ? nil : true }
  }

  /// Runs all waiting jobs.
  func run() {
    let waiting = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    Current.with(context: self) { waiting.forEach { $0() } }
  }
}

/// Runs the body of a test as a job of a loop, and waits until the body calls `finish`.
func onLoop<Output: Sendable>(
  _ body: @escaping @Sendable (EventLoop, _ finish: @escaping (Output) -> Void) -> Void
) async -> Output {
  await withLoop { loop in
    let outcome = Monitor<Output?>(nil)
    loop.execute { body(loop) { output in outcome.withLock { $0 = output } } }
    guard let output = outcome.wait({ $0 }) else { fatalError("A wait without a deadline.") }
    return output
  }
}

/// An object for a closure to capture. It runs an action when it is released.
final class ReleaseProbe: Sendable {
  private let onRelease: @Sendable () -> Void

  init(onRelease: @escaping @Sendable () -> Void) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Does nothing. A closure that calls this method captures the object.
  func hold() {}
}
