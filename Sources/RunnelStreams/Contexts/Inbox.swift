/// A thread-safe queue of jobs that run one at a time, in the order in which they were added.
final class Inbox: Sendable {
  private struct Waiting {
    var jobs: [@Sendable () -> Void] = []
    /// True while a call of ``runBatch()`` is scheduled or runs.
    var isScheduled = false
  }

  private let waiting = Monitor(Waiting())

  /// Adds a job. Returns true if the caller must schedule a call of ``runBatch()``.
  func add(_ job: @escaping @Sendable () -> Void) -> Bool {
    waiting.withLock { waiting in
      waiting.jobs.append(job)
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
  }

  /// Runs the jobs that are queued now. Returns true if others were added meanwhile. Then the
  /// caller lets its context do other work, and calls this method again.
  func runBatch() -> Bool {
    let batch = waiting.withLock { waiting in
      let jobs = waiting.jobs
      waiting.jobs = []
      return jobs
    }
    for job in batch { job() }
    return waiting.withLock { waiting in
      waiting.isScheduled = !waiting.jobs.isEmpty
      return waiting.isScheduled
    }
  }

  /// Drops the jobs, because their context is gone.
  func drop() {
    let dropped = waiting.withLock { waiting in
      waiting.isScheduled = false
      return exchange(&waiting.jobs, with: [])
    }
    // A job that is released may add others.
    withExtendedLifetime(dropped) {}
  }
}

/// A part of a context that runs one job at a time, in the order in which they were given. A pool
/// alone guarantees neither.
@usableFromInline
final class Strand: ExecutionContext {
  private let base: any ExecutionContext
  private let inbox = Inbox()

  @usableFromInline
  init(on base: any ExecutionContext) {
    self.base = base
  }

  @usableFromInline var isCurrent: Bool { Current.contextIfAny === self }

  @usableFromInline
  func execute(_ job: @escaping @Sendable () -> Void) {
    if inbox.add(job) { schedule() }
  }

  private func schedule() {
    let turn = Turn(of: self)
    base.execute { turn.run() }
  }

  /// The job of the base that runs those of the strand. A base that is gone, such as a released actor,
  /// releases it without running it.
  // Safety: only the job uses the reference, or the `deinit`.
  private final class Turn: @unchecked Sendable {
    private var strand: Strand?

    init(of strand: Strand) {
      self.strand = strand
    }

    deinit { strand?.inbox.drop() }

    func run() {
      strand.take()?.runJobs()
    }
  }

  private func runJobs() {
    // A loop is already the current context of its thread. On a pool or in an actor there is no
    // current context, and the work that the jobs start must return to this strand.
    let more =
      Current.contextIfAny == nil
      ? Current.with(context: self) { inbox.runBatch() } : inbox.runBatch()
    if more { schedule() }
  }
}
