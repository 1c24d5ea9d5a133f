/// A destination for work from any thread: an event loop, a worker pool, or the main actor.
///
/// `via`, `observe(on:)`, `perform(on:)` and `remote` send work to a context. Everything that they
/// send is `Sendable`.
///
/// Results of work that a job starts return to the context if it is an event loop or an actor. They
/// do not return to a pool.
public protocol ExecutionContext: AnyObject, Sendable {
  /// Runs a job in this context, later. Jobs run in the order in which they are given, from any
  /// threads. Only a pool guarantees no order.
  func execute(_ job: @escaping @Sendable () -> Void)

  /// True if the calling code runs in this context.
  var isCurrent: Bool { get }

  /// Returns true if this context's thread is the executor of the actor. The default is false.
  func hosts(_ actor: any Actor) -> Bool

  /// True if the calling code may use objects of this context. That is the case within the context,
  /// or on the thread that owns a stopped loop. The default is ``isCurrent``.
  var admitsCaller: Bool { get }
}

extension ExecutionContext {
  /// Returns false: actors run elsewhere.
  public func hosts(_ actor: any Actor) -> Bool { false }

  /// True within this context.
  public var admitsCaller: Bool { isCurrent }

  /// Closes and releases an object of this context, and sets `place` to nil.
  ///
  /// A `deinit`, which may run on any thread, uses this to end an object of a context. On another
  /// context it does not touch the object: a job closes and releases it. If the context accepts no
  /// more jobs, the object is never released.
  package func letGo<Object: AnyObject>(
    _ place: inout Object?, closing close: @escaping @Sendable (Object) -> Void = { _ in }
  ) {
    guard let object = takeUnmanaged(&place) else { return }
    if admitsCaller { return close(object.takeRetainedValue()) }
    // Safety: the caller has no reference left when the job is given, and the job may run at once.
    // Only the job uses the object.
    nonisolated(unsafe) let held = object
    execute { close(held.takeRetainedValue()) }
  }

  /// Closes an object of this context that a constant holds, as ``letGo(_:closing:)`` does.
  ///
  /// The reference that the caller keeps may be the last one. `close` must therefore release
  /// everything in the object that belongs to the context.
  package func close<Object: AnyObject>(
    _ object: Object, by close: @escaping @Sendable (Object) -> Void
  ) {
    var object: Object? = object
    letGo(&object, closing: close)
  }
}

/// Empties `place` and returns an unmanaged reference. Never inlined, so that no other reference
/// exists after the return.
@inline(never)
private func takeUnmanaged<Object: AnyObject>(_ place: inout Object?) -> Unmanaged<Object>? {
  guard let object = place else { return nil }
  place = nil
  return .passRetained(object)
}

/// The execution context of an actor. `ActorContext.main` is that of the main actor.
///
/// Jobs run on the actor one at a time, in the order in which they were given.
public final class ActorContext: ExecutionContext {
  private weak let actor: (any Actor)?
  private let keptAlive: (any Actor)?
  private let inbox = Inbox()

  /// The main actor's context, for programs without an event loop.
  public static let main = ActorContext(MainActor.shared)

  /// Creates the context of an actor, and keeps the actor alive.
  public init(_ actor: any Actor) {
    self.actor = actor
    keptAlive = actor
  }

  /// Creates the context of an actor that results return to. It does not keep the actor alive. Jobs
  /// that are given after the actor's release are dropped.
  init(weakly actor: any Actor) {
    self.actor = actor
    keptAlive = nil
  }

  /// True if this is the main actor's context and the calling code runs on its thread. Always false
  /// for other actors, which have no thread of their own.
  public var isCurrent: Bool { actor === MainActor.shared && Current.isMainThread }

  /// Runs a job on the actor. Does nothing if the actor was released.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    guard let actor else { return }
    if inbox.add(job) {
      Task { await self.runJobs(on: actor) }
    }
  }

  private func runJobs(on actor: isolated any Actor) async {
    while inbox.runBatch() { await Task.yield() }
  }
}
