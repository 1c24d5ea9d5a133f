/// Jobs that wait to run one after the other, whoever brings them and wherever they run.
final class Inbox: Sendable {
  private struct Waiting {
    var jobs: [@Sendable () -> Void] = []
    /// Whether somebody is on the way to run them, or runs them now.
    var isAttended = false
  }

  private let waiting = Monitor(Waiting())

  /// Adds a job. True if nobody is on the way: then the caller sees to it that ``runBatch()`` runs.
  func add(_ job: @escaping @Sendable () -> Void) -> Bool {
    waiting.withLock { waiting in
      waiting.jobs.append(job)
      defer { waiting.isAttended = true }
      return !waiting.isAttended
    }
  }

  /// Runs the jobs that wait now. True if others came meanwhile: then the caller comes again, after
  /// it gave way to whatever else its context has to do.
  func runBatch() -> Bool {
    let batch = waiting.withLock { waiting in
      let jobs = waiting.jobs
      waiting.jobs = []
      return jobs
    }
    for job in batch { job() }
    return waiting.withLock { waiting in
      waiting.isAttended = !waiting.jobs.isEmpty
      return waiting.isAttended
    }
  }
}

/// A part of a context in which one job runs at a time, in the order they were given, even where
/// the context is a pool that promises neither.
final class Strand: ExecutionContext {
  private let base: any ExecutionContext
  private let inbox = Inbox()

  init(on base: any ExecutionContext) {
    self.base = base
  }

  var isCurrent: Bool { Current.contextIfAny === self }

  func execute(_ job: @escaping @Sendable () -> Void) {
    if inbox.add(job) { base.execute { self.attend() } }
  }

  private func attend() {
    // A loop has made itself current on its thread. On a pool or in an actor nothing is, and what
    // the jobs start there must come back to this strand.
    let more =
      Current.contextIfAny == nil
      ? Current.with(context: self) { inbox.runBatch() } : inbox.runBatch()
    if more { base.execute { self.attend() } }
  }
}
