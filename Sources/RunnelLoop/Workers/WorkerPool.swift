import CLibevent
import Glibc
import RunnelStreams

/// Threads for work that blocks or takes long, so that no loop has to wait for it.
///
///     let pool = WorkerPool(name: "disk")
///     EventStream.perform(on: pool) { digest(of: path) }.observeNext { show($0) }
///
/// At most ``size`` jobs run at a time, the others wait. They begin in the order in which they were
/// given, and that is all that is promised: a pool is nobody's home, and a section on one
/// (`via(pool)`) is not tied to a thread, though its events come one at a time.
///
/// A pool that is released lets its threads end after what they were given, as ``stop()`` does.
public final class WorkerPool: ExecutionContext {
  /// What the pool is called; with a number, also the names of its threads.
  public let name: String
  /// How many threads it has at most.
  public let size: Int

  private let crew: Crew

  /// A pool of so many threads, which start when they are first needed; without a number, as many
  /// as the machine has processors.
  public init(name: String = "worker", size: Int? = nil) {
    let size = size ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    require(size > 0, "A WorkerPool needs a thread at least: WorkerPool(size: 1).")
    self.name = name
    self.size = size
    crew = Crew(name, size)
  }

  deinit {
    crew.stop()
  }

  /// False: threads of a pool run jobs side by side, so being on one gives no right to anything.
  public var isCurrent: Bool { false }

  /// Runs a job on a thread of the pool, later, from any thread.
  ///
  /// After ``stop()`` only the jobs of the pool itself may give others, which are a part of what
  /// they do. Any other job is released instead of being run: work of `perform(on:)` then never
  /// sends, as if it was disposed.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    crew.take(job)
  }

  /// Takes no more jobs. The threads end when those have run that were given before, and those that
  /// they give.
  public func stop() {
    crew.stop()
  }

  /// Waits until that has happened, after ``stop()``.
  public func join() {
    crew.join()
  }
}

/// The threads of a pool and what they have to do; the threads keep it alive.
private final class Crew: Sendable {
  private let name: String
  private let size: Int

  private let work = Monitor(Work())

  init(_ name: String, _ size: Int) {
    self.name = name
    self.size = size
  }

  func take(_ job: @escaping @Sendable () -> Void) {
    let newcomer = work.withLock { work -> Int? in
      if work.isStopped && !work.members.contains(callingThread()) { return nil }
      work.jobs.append(.call(job))
      guard work.jobs.count > work.idle && work.started < size else { return nil }
      work.started += 1
      return work.started
    }
    if let newcomer { start(newcomer) }
  }

  func stop() {
    work.withLock { $0.isStopped = true }
  }

  func join() {
    _ = work.wait { work -> Bool? in
      require(
        !work.members.contains(callingThread()),
        "A WorkerPool cannot wait on its own threads for those threads to end.")
      return work.isStopped && work.started == 0 ? true : nil
    }
  }

  private func start(_ number: Int) {
    let thread = startThreadIfAllowed {
      runnel_name_thread("\(self.name)-\(number)")
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
      require(rest > 0, "The system gives this process no thread for the WorkerPool \(name).")
    }
  }

  /// Waits for a job. Without one, the calling thread has left.
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
  /// How many threads wait for one.
  var idle = 0
  /// How many threads there are, or are about to be.
  var started = 0
  /// The threads that may still give jobs.
  var members: Set<UInt> = []
  var isStopped = false
}
