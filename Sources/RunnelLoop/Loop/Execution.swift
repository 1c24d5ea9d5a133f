import RunnelStreams

extension EventLoop: ExecutionContext {
  /// Runs a job on the loop asynchronously. May be called from any thread.
  ///
  /// *Events*: jobs run once each, in the order of the calls. Jobs that are added after ``stop()``
  /// wait until the loop runs again.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    post(.call(job))
  }

  /// Returns true if an actor runs on this loop: the main actor for ``main``, or an actor whose
  /// executor is this loop.
  public func hosts(_ actor: any Actor) -> Bool {
    if actor === MainActor.shared { return isMain }
    return actor.unownedExecutor.isSame(as: asUnownedSerialExecutor())
  }

  func post(_ job: Job) {
    guard isCurrent else { return mailbox.add(job) }
    // Jobs that other threads added earlier run first.
    takeJobs()
    ready.append(job)
  }
}

/// A loop as an executor. An actor is pinned to a loop by naming it as its executor:
///
///     actor Meter {
///       private let loop: EventLoop
///       init(on loop: EventLoop) { self.loop = loop }
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// Use `Task(executorPreference: loop) { … }` to make a task prefer a loop.
extension EventLoop: SerialExecutor, TaskExecutor {
  /// Runs one job of a task in an actor that is pinned to the loop. Called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    post(.actorJob(UnownedJob(job)))
  }

  /// Runs one job of a task that prefers the loop. Called by the runtime.
  ///
  /// Separate from the method for actors. Run as a serial-executor job, the task would be queued
  /// again at each actor call.
  @_implements(TaskExecutor,enqueue(_:))
  public func enqueuePreferring(_ job: consuming ExecutorJob) {
    post(.taskJob(UnownedJob(job)))
  }

  /// Traps if the code assumes an actor of this loop and runs elsewhere.
  public func checkIsolated() {
    mustBeCurrent("Code of an actor that is pinned to a loop")
  }

  /// True on the loop's thread. Otherwise nil, which makes the runtime call ``checkIsolated()`` for
  /// its message.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent ? true : nil }

  func run(_ job: Job) {
    switch job {
    case .call(let body): body()
    case .actorJob(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .taskJob(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

extension UnownedSerialExecutor {
  fileprivate func isSame(as other: UnownedSerialExecutor) -> Bool {
    // Safety: a reference to an executor is two words, the object and its witness table. The
    // standard library compares task executors in this way, and offers no comparison for serial
    // executors.
    unsafeBitCast(self, to: (Int, Int).self) == unsafeBitCast(other, to: (Int, Int).self)
  }
}
