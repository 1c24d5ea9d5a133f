import Glibc
import RunnelStreams

/// A real thread as a context: for tests of what crosses threads.
///
///     let worker = ThreadContext()
///     defer { worker.join() }
///     #expect(worker.run { slowly(1) } == 1)
///
/// Jobs run one at a time, in the order they were given. The thread waits for them on a condition
/// variable, and lives until it is joined.
public final class ThreadContext: ExecutionContext {
  private struct Work {
    var jobs = JobQueue()
    /// Set once all that was given before has been done: nothing more is taken.
    var isJoining = false
    var thread: pthread_t?
  }

  private let work = Monitor(Work())

  /// Starts a thread.
  public init() {
    let thread = startThread { self.main() }
    work.withLock { $0.thread = thread }
  }

  /// Whether the calling code runs on this thread.
  public var isCurrent: Bool { Current.contextIfAny === self }

  /// Runs a job on the thread, after those that were given before. A thread that has been joined
  /// drops it.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    // A job that is dropped dies outside of the lock: its captures may send jobs when they go.
    withExtendedLifetime(job) {
      work.withLock { work in
        if work.thread != nil || !work.isJoining { work.jobs.append(job) }
      }
    }
  }

  /// Runs a closure on the thread and waits for what it returns.
  public func run<Output: Sendable>(_ body: @escaping @Sendable () -> Output) -> Output {
    require(!isCurrent, "run(_:) on its own thread would wait for itself: call the closure.")
    let result = Monitor<Output?>(nil)
    execute {
      let output = body()
      result.withLock { $0 = output }
    }
    guard let output = result.wait({ $0 }) else {
      fatalError("A wait without a deadline has no other end.")
    }
    return output
  }

  /// Waits until all that was given so far has been done.
  public func flush() {
    run {}
  }

  /// Waits until all has been done that was given, and what that gave in turn; then ends the thread.
  /// Joining twice does nothing.
  public func join() {
    require(!isCurrent, "A ThreadContext cannot be joined from its own thread.")
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
