import Glibc
import RunnelStreams

/// An execution context with its own thread, for tests that cross threads.
///
///     let worker = ThreadContext()
///     defer { worker.join() }
///     #expect(worker.run { slowly(1) } == 1)
///
/// Jobs run one at a time, in the order in which they were enqueued. The thread waits for them on a
/// condition variable, and lives until it is joined.
public final class ThreadContext: ExecutionContext {
  private struct Work {
    var jobs = JobQueue()
    /// True when all earlier jobs have run and no more jobs are accepted.
    var isJoining = false
    var thread: pthread_t?
  }

  private let work = Monitor(Work())

  /// Starts a thread.
  public init() {
    let thread = startThread { self.main() }
    work.withLock { $0.thread = thread }
  }

  /// True when the caller runs on this thread.
  public var isCurrent: Bool { Current.contextIfAny === self }

  /// Enqueues a job. After ``join()`` the job is dropped.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    _ = enqueue(job)
  }

  /// Returns false if the thread has ended.
  private func enqueue(_ job: @escaping @Sendable () -> Void) -> Bool {
    // A dropped job is released outside of the lock, because its captures may enqueue jobs in
    // `deinit`.
    withExtendedLifetime(job) {
      work.withLock { work in
        guard work.thread != nil || !work.isJoining else { return false }
        work.jobs.append(job)
        return true
      }
    }
  }

  /// Runs a closure on the thread, and returns its result.
  public func run<Output: Sendable>(_ body: @escaping @Sendable () -> Output) -> Output {
    require(
      !isCurrent,
      "run(_:) was called on its own thread and would deadlock. Call the closure directly.")
    let result = Monitor<Output?>(nil)
    let isAccepted = enqueue {
      let output = body()
      result.withLock { $0 = output }
    }
    require(isAccepted, "run(_:) was called after join(). The thread has ended.")
    guard let output = result.wait({ $0 }) else {
      fatalError("A wait without a deadline ended without a result.")
    }
    return output
  }

  /// Waits until all jobs enqueued so far have run.
  public func flush() {
    run {}
  }

  /// Waits until all jobs have run, including those that they enqueue, and ends the thread. A
  /// second call does nothing.
  public func join() {
    require(
      !isCurrent,
      "A ThreadContext was joined on its own thread and would deadlock. Join it on another one.")
    let thread = work.withLock { work in
      defer { work.isJoining = true }
      return work.isJoining ? nil : work.thread
    }
    guard let thread else { return }
    pthread_join(thread, nil)
  }

  private func main() {
    Current.with(context: self) {
      while let job = nextJob() { job() }
    }
  }

  private func nextJob() -> (@Sendable () -> Void)? {
    let job: (@Sendable () -> Void)?? = work.wait { work in
      if let job = work.jobs.popFirst() { return .some(job) }
      guard work.isJoining else { return nil }
      work.thread = nil
      return .some(nil)
    }
    return job ?? nil
  }
}
