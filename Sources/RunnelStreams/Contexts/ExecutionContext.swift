/// Where work can be sent to from any thread: an event loop, a worker pool, the main actor.
///
/// Domains are crossed through a context, in few named ways: `via`, `observe(on:)`, `perform(on:)`
/// and `remote`. What crosses is `Sendable`.
///
/// A context that runs its jobs one at a time on a thread makes itself current there, with
/// ``Current/with(context:_:)``, so that what its jobs start comes back to it. A pool does not.
public protocol ExecutionContext: AnyObject, Sendable {
  /// Runs a job there, later. A job that is given after another one runs after it, whichever
  /// threads they come from, except on a pool, which promises no order.
  func execute(_ job: @escaping @Sendable () -> Void)

  /// Whether the calling code runs in this context.
  var isCurrent: Bool { get }

  /// Whether an actor has this context's thread as its executor, so that what runs in the one runs
  /// in the other. False unless a context says otherwise.
  func hosts(_ actor: any Actor) -> Bool

  /// True when the calling code may use what belongs to this context. It runs in the context; or
  /// the context is a stopped loop, and the calling thread is the one that has the loop meanwhile.
  /// The same as ``isCurrent`` unless a context says otherwise.
  var admitsCaller: Bool { get }
}

extension ExecutionContext {
  /// False: actors run elsewhere.
  public func hosts(_ actor: any Actor) -> Bool { false }

  /// True in this context.
  public var admitsCaller: Bool { isCurrent }

  /// Closes and releases an object of this context, and empties its place.
  ///
  /// This is how a `deinit`, which may run on any thread, ends what belongs to a context. Off the
  /// context it does not touch the object. A job of the context closes and releases it; if the
  /// context takes no more jobs, the object is never released.
  package func letGo<Object: AnyObject>(
    _ place: inout Object?, closing close: @escaping @Sendable (Object) -> Void = { _ in }
  ) {
    guard let object = takeUnmanaged(&place) else { return }
    if admitsCaller { return close(object.takeRetainedValue()) }
    // Safety: the caller has no reference any more when the job is given, which may run before that
    // returns; only the job uses the object.
    nonisolated(unsafe) let held = object
    execute { close(held.takeRetainedValue()) }
  }

  /// Closes an object of this context that is held by a constant, as ``letGo(_:closing:)`` does.
  /// The reference that the caller keeps may be the last one, so closing leaves nothing that
  /// belongs to the context.
  package func close<Object: AnyObject>(
    _ object: Object, by close: @escaping @Sendable (Object) -> Void
  ) {
    var object: Object? = object
    letGo(&object, closing: close)
  }
}

/// Never inlined, so that the only reference when it has returned is the one that it hands out.
@inline(never)
private func takeUnmanaged<Object: AnyObject>(_ place: inout Object?) -> Unmanaged<Object>? {
  guard let object = place else { return nil }
  place = nil
  return .passRetained(object)
}

/// An actor as a context; `ActorContext.main` is the main actor.
///
/// Jobs run on the actor one after the other, in the order they were given.
public final class ActorContext: ExecutionContext {
  private weak let actor: (any Actor)?
  private let keptAlive: (any Actor)?
  private let inbox = Inbox()

  /// The main actor, for programs in which no event loop runs.
  public static let main = ActorContext(MainActor.shared)

  /// The context of an actor, which stays alive as long as its context.
  public init(_ actor: any Actor) {
    self.actor = actor
    keptAlive = actor
  }

  /// The context of an actor that results return to: they must not keep it alive. What is sent to
  /// it when it is gone is dropped.
  init(weakly actor: any Actor) {
    self.actor = actor
    keptAlive = nil
  }

  /// Whether the calling code runs on the main thread, for the main actor. For other actors false:
  /// they have no thread of their own to tell them by.
  public var isCurrent: Bool { actor === MainActor.shared && Current.isMainThread }

  /// Runs a job on the actor.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    guard let actor else { return }
    if inbox.add(job) {
      Task { await self.attend(on: actor) }
    }
  }

  private func attend(on actor: isolated any Actor) async {
    while inbox.runBatch() { await Task.yield() }
  }
}
