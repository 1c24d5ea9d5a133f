import Glibc
import RunnelStreams

/// An execution context on the thread of a test, which runs its jobs when the test asks for it.
///
///     let home = ManualContext()
///     var seen: [Int] = []
///     _ = home.use { numbers.via(worker) { $0.map(slowly) }.observeNext { seen.append($0) } }
///     home.run(until: { seen.count == 4 })
///
/// Use it on the thread that created it. A test that waits for other threads should not block a
/// thread of Swift's small pool: see ``onThread(_:)``.
public final class ManualContext: ExecutionContext {
  private let jobs = Monitor(JobQueue())
  private let owner = callingThread()
  private let report: @Sendable (String) -> Void

  /// Creates a context of the calling thread. A wait that exceeds its limit traps, or calls
  /// `report`.
  public init(report: @escaping @Sendable (String) -> Void = { fatalError($0) }) {
    self.report = report
  }

  /// True when the caller runs on the thread that created this context.
  public var isCurrent: Bool { pthread_equal(callingThread(), owner) != 0 }

  /// The number of pending jobs.
  public var pending: Int { jobs.withLock(\.count) }

  /// Enqueues a job.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
  }

  /// Makes this the current context of its thread while a closure runs, so that the streams
  /// observed there deliver here.
  public func use<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    require(
      isCurrent,
      "A ManualContext was used on a foreign thread. Use it on the thread that created it.")
    return try Current.with(context: self, body)
  }

  /// Runs the pending jobs, and the jobs that they enqueue, until none is left.
  public func run() {
    use {
      while let job = takeFirst() { job() }
    }
  }

  /// Runs one job. Returns false if none is pending.
  @discardableResult
  public func runOne() -> Bool {
    use {
      guard let job = takeFirst() else { return false }
      job()
      return true
    }
  }

  /// Runs jobs, from any thread, until the condition is true. The condition is evaluated before the
  /// first job and after each job.
  ///
  /// *Timing*: the thread sleeps on a condition variable between jobs. The limit ends a failing
  /// test: when it is exceeded, this calls `report` and returns false.
  @discardableResult
  public func run(until condition: () -> Bool, within limit: Duration = .seconds(600)) -> Bool {
    use {
      let deadline = timespec(after: limit)
      while !condition() {
        let job = jobs.wait(until: deadline) { $0.popFirst() }
        guard let job else {
          report("run(until:) exceeded its limit of \(limit), and its condition is still false.")
          return false
        }
        job()
      }
      return true
    }
  }

  /// Runs the body of a test on its own thread, which may block, in a context of that thread.
  ///
  ///     let seen = await ManualContext.onThread { home in
  ///       let recorder = EventStream.perform(on: worker) { slowly(1) }.record()
  ///       home.run(until: { recorder.isCompleted })
  ///       return recorder.elements
  ///     }
  ///     #expect(seen == [1])
  public static func onThread<Output: Sendable>(
    _ body: @escaping @Sendable (ManualContext) -> Output
  ) async -> Output {
    await withCheckedContinuation { continuation in
      let thread = startThread {
        let home = ManualContext()
        let output = home.use { body(home) }
        continuation.resume(returning: output)
      }
      pthread_detach(thread)
    }
  }

  private func takeFirst() -> (@Sendable () -> Void)? {
    jobs.withLock { $0.popFirst() }
  }
}
