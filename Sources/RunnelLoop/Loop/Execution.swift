import RunnelStreams

extension EventLoop: ExecutionContext {
  /// Runs a job on the loop, later, from any thread.
  ///
  /// *Events*: jobs run in the order in which they were given, each once. Those that are given after
  /// ``stop()`` wait until the loop runs again.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    post(.call(job))
  }

  /// Whether an actor runs on this loop: the main actor on ``main``, and those that name the loop as
  /// their executor.
  public func hosts(_ actor: any Actor) -> Bool {
    if actor === MainActor.shared { return isMain }
    return actor.unownedExecutor.isSame(as: asUnownedSerialExecutor())
  }

  func post(_ job: Job) {
    guard isCurrent else { return mailbox.add(job) }
    // What others gave before runs before.
    takeJobs()
    ready.append(job)
  }
}

/// A loop as an executor. An actor is pinned to one by naming it:
///
///     actor Meter {
///       private let loop: EventLoop
///       init(on loop: EventLoop) { self.loop = loop }
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// and a task that runs on one says so: `Task(executorPreference: loop) { … }`.
extension EventLoop: SerialExecutor, TaskExecutor {
  /// Runs a part of a task in an actor that is pinned to the loop. The runtime calls it.
  public func enqueue(_ job: consuming ExecutorJob) {
    post(.actorPart(UnownedJob(job)))
  }

  /// Runs a part of a task that prefers the loop. The runtime calls it.
  ///
  /// Another method than that for actors: a task that runs as if it preferred the loop, and does not,
  /// is sent through the queue at each call of an actor.
  @_implements(TaskExecutor,enqueue(_:))
  public func enqueuePreferring(_ job: consuming ExecutorJob) {
    post(.taskPart(UnownedJob(job)))
  }

  /// Traps where an actor of this loop is assumed to be, and the code runs elsewhere.
  public func checkIsolated() {
    mustBeCurrent("Running what belongs to an actor pinned to a loop")
  }

  /// True where the calling code may use what belongs to the actors of this loop. Elsewhere it leaves
  /// the answer to ``checkIsolated()``, which says what to do.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent ? true : nil }

  func run(_ job: Job) {
    switch job {
    case .call(let body): body()
    case .actorPart(let part): part.runSynchronously(on: asUnownedSerialExecutor())
    case .taskPart(let part): part.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

extension UnownedSerialExecutor {
  fileprivate func isSame(as other: UnownedSerialExecutor) -> Bool {
    // Safety: a reference to an executor is two words, the object and its witness table; the standard
    // library compares task executors in this way, and has nothing for serial ones.
    unsafeBitCast(self, to: (Int, Int).self) == unsafeBitCast(other, to: (Int, Int).self)
  }
}
