import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// A context that keeps its jobs until it is told to run them, for tests of what is on its way.
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

  /// Runs the jobs that there are.
  func run() {
    let waiting = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    Current.with(context: self) { waiting.forEach { $0() } }
  }
}

/// Runs the body of a test as a job of a loop with a thread of its own, and waits until it has called
/// what it is given.
func onLoop<Output: Sendable>(
  _ body: @escaping @Sendable (EventLoop, _ finish: @escaping (Output) -> Void) -> Void
) async -> Output {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: "test")
    defer {
      loop.stop()
      loop.join()
    }
    let outcome = Monitor<Output?>(nil)
    loop.execute { body(loop) { output in outcome.withLock { $0 = output } } }
    guard let output = outcome.wait({ $0 }) else { fatalError("A wait without a deadline.") }
    return output
  }
}

/// What happened, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let entries = Monitor<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }

  func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }
}

/// Something for a closure to capture: it tells when it is let go of.
final class Captive: Sendable {
  private let onRelease: @Sendable () -> Void

  init(onRelease: @escaping @Sendable () -> Void) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Makes the closure that calls it capture this object.
  func hold() {}
}

extension ExitTest.Result? {
  /// Whether the process that trapped gave this reason.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
