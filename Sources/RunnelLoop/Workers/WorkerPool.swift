import CLinux
import Glibc
import RunnelStreams

/// A pool of threads for work that blocks or takes long, so that no loop has to wait for it.
///
///     let pool = WorkerPool(name: "disk")
///     EventStream.perform(on: pool) { digest(of: path) }.observeNext { show($0) }
///
/// At most ``size`` jobs run at a time; the others wait. Jobs begin in the order of the calls. No
/// other order is guaranteed. A pool is not a confinement domain: a section on one (`via(pool)`) is
/// not tied to a thread, though its events arrive one at a time.
///
/// When a pool is released, its threads end after the jobs that were added, as with ``stop()``.
public final class WorkerPool: ExecutionContext {
  /// The name of the pool. The names of its threads are this name and a number.
  public let name: String
  /// The maximum number of threads.
  public let size: Int

  private let threads: WorkerThreads

  /// Creates a pool of at most `size` threads, which start when they are first needed. The default
  /// is the number of processors.
  public init(name: String = "worker", size: Int? = nil) {
    let size = size ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    require(size > 0, "A WorkerPool needs at least one thread: WorkerPool(size: 1).")
    self.name = name
    self.size = size
    threads = WorkerThreads(name, size)
  }

  deinit {
    threads.stop()
  }

  /// Always false: threads of a pool run jobs in parallel, so running on one grants no access.
  public var isCurrent: Bool { false }

  /// Runs a job on a thread of the pool. May be called from any thread.
  ///
  /// After ``stop()``, only jobs of the pool may add jobs. Other jobs are released without running.
  /// Work of `perform(on:)` then never sends an event, as if it was disposed.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    threads.take(job)
  }

  /// Stops accepting jobs. The threads end after the jobs that were added before, and those that
  /// they add.
  public func stop() {
    threads.stop()
  }

  /// Waits until all threads have run their last job, after ``stop()``.
  public func join() {
    threads.join()
  }
}

/// Names the calling thread, for tools of the system.
package func nameThread(_ name: String) {
  runnel_name_thread(name)
}

/// The threads of a pool and their jobs. The threads retain this object.
private final class WorkerThreads: Sendable {
  private let name: String
  private let size: Int

  private let work = Monitor(Work())

  init(_ name: String, _ size: Int) {
    self.name = name
    self.size = size
  }

  func take(_ job: @escaping @Sendable () -> Void) {
    let newThread = work.withLock { work -> Int? in
      if work.isStopped && !work.members.contains(callingThread()) { return nil }
      work.jobs.append(.call(job))
      guard work.jobs.count > work.idle && work.started < size else { return nil }
      work.started += 1
      return work.started
    }
    if let newThread { start(newThread) }
  }

  func stop() {
    work.withLock { $0.isStopped = true }
  }

  func join() {
    _ = work.wait { work -> Bool? in
      require(
        !work.members.contains(callingThread()),
        "WorkerPool.join() was called on a thread of the pool. Call it on another thread.")
      return work.isStopped && work.started == 0 ? true : nil
    }
  }

  private func start(_ number: Int) {
    let thread = startThreadIfAllowed {
      nameThread("\(self.name)-\(number)")
      self.work.withLock { _ = $0.members.insert(callingThread()) }
      while let job = self.nextJob() { job() }
    }
    if let thread {
      pthread_detach(thread)
    } else {
      let rest = work.withLock { work in
        work.started -= 1
        return work.started
      }
      require(
        rest > 0,
        """
        The system could not start a thread for WorkerPool "\(name)". Raise the limit (ulimit -u).
        """)
    }
  }

  /// Waits for a job. Returns nil after removing the calling thread from the pool.
  private func nextJob() -> (@Sendable () -> Void)? {
    var isWaiting = false
    let job: (@Sendable () -> Void)?? = work.wait { work in
      if isWaiting { work.idle -= 1 }
      isWaiting = false
      if case .call(let job)? = work.jobs.popFirst() { return .some(job) }
      if work.isStopped {
        work.members.remove(callingThread())
        return .some(nil)
      }
      isWaiting = true
      work.idle += 1
      return nil
    }
    if let job = job ?? nil { return job }
    work.withLock { $0.started -= 1 }
    return nil
  }
}

private final class Work {
  var jobs = JobList()
  /// The number of threads that wait for a job.
  var idle = 0
  /// The number of threads that run or are about to.
  var started = 0
  /// The threads whose jobs may still add jobs.
  var members: Set<UInt> = []
  var isStopped = false
}
