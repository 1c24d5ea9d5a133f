import Glibc
import RunnelStreams

/// A context that belongs to the thread of a test, and runs its jobs when the test says so.
///
///     let home = ManualContext()
///     var seen: [Int] = []
///     _ = home.use { numbers.via(worker) { $0.map(slowly) }.observeNext { seen.append($0) } }
///     home.run(until: { seen.count == 4 })
///
/// It belongs to the thread that made it. A test that waits for other threads should not do so on
/// a thread of Swift's pool, which has few: see ``onThread(_:)``.
public final class ManualContext: ExecutionContext {
  private let jobs = Monitor(JobQueue())
  private let owner = callingThread()
  private let report: @Sendable (String) -> Void

  /// A context of the calling thread. A wait that takes too long traps, or is reported to the given
  /// closure.
  public init(report: @escaping @Sendable (String) -> Void = { fatalError($0) }) {
    self.report = report
  }

  /// Whether the calling code runs on the thread that made this context.
  public var isCurrent: Bool { pthread_equal(callingThread(), owner) != 0 }

  /// How many jobs wait.
  public var pending: Int { jobs.withLock(\.count) }

  /// Adds a job to those that wait.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
  }

  /// Makes this the current context of its thread while a block runs, so that results of what is
  /// observed in it return here.
  public func use<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    require(isCurrent, "A ManualContext is used on the thread that made it.")
    return try Current.with(context: self, body)
  }

  /// Runs the jobs that wait, and those that they give, until none is left.
  public func run() {
    use {
      while let job = takeFirst() { job() }
    }
  }

  /// Runs one job, if one waits.
  @discardableResult
  public func runOne() -> Bool {
    use {
      guard let job = takeFirst() else { return false }
      job()
      return true
    }
  }

  /// Runs jobs as they come, from whatever thread, until the condition holds. It is looked at before
  /// the first job and after each.
  ///
  /// *Timing*: between jobs the thread sleeps on a condition variable. The limit is there to end a
  /// test that has gone wrong: passing it is reported, and false is returned.
  @discardableResult
  public func run(until condition: () -> Bool, within limit: Duration = .seconds(600)) -> Bool {
    use {
      let deadline = timespec(after: limit)
      while !condition() {
        let job = jobs.wait(until: deadline) { $0.popFirst() }
        guard let job else {
          report("run(until:) has waited for \(limit), and its condition does not hold yet.")
          return false
        }
        job()
      }
      return true
    }
  }

  /// Runs the body of a test on a thread of its own, which may wait as it likes, in a context of
  /// that thread.
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
