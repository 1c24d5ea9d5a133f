import Synchronization

/// Where work can be sent to from any thread: an event loop, a worker pool, the main actor.
///
/// Domains are crossed through a context, in few named ways: `via`, `observe(on:)`, `perform(on:)`
/// and `remote`. What crosses is `Sendable`.
public protocol ExecutionContext: AnyObject, Sendable {
  /// Runs a job there, later. Jobs from one thread run in the order they were given, except on a
  /// pool, which promises no order.
  func execute(_ job: @escaping @Sendable () -> Void)

  /// Whether the calling code runs in this context.
  var isCurrent: Bool { get }
}

/// An actor as a context; `ActorContext.main` is the main actor.
///
/// Jobs run on the actor one after the other, in the order they were given.
public final class ActorContext: ExecutionContext {
  private struct Inbox {
    var jobs: [@Sendable () -> Void] = []
    var isScheduled = false
  }

  private let actor: any Actor
  private let inbox = Mutex(Inbox())

  /// The main actor, for programs in which no event loop runs.
  public static let main = ActorContext(MainActor.shared)

  /// The context of an actor.
  public init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Whether the calling code runs on the main thread, for the main actor. For other actors false:
  /// they have no thread of their own to tell them by.
  public var isCurrent: Bool { actor === MainActor.shared && Current.isMainThread }

  /// Runs a job on the actor.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    let mustSchedule = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    if mustSchedule {
      Task { await self.drain(on: actor) }
    }
  }

  private func drain(on actor: isolated any Actor) {
    while true {
      let jobs = inbox.withLock { inbox in
        let jobs = inbox.jobs
        inbox.jobs = []
        if jobs.isEmpty { inbox.isScheduled = false }
        return jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job() }
    }
  }
}
