import Synchronization

/// A `Sendable` handle to an object of one context, for use from other contexts.
///
///     let remote = guests.remote
///     worker.execute { remote.send { $0.value.append("John") } }
///
/// A handle does not keep its owner alive, and does nothing after the owner's release. The owner is
/// only used and released on its own context: the actor that creates the handle, or else the
/// thread's context, which must exist.
///
/// ``init(_:isolation:)`` ties the owner to the actor, so the compiler refuses to send the owner
/// elsewhere later. The compiler cannot do so in code without an actor, nor for a `remote`
/// property. There, a subject, property or collection traps when another domain uses it; a
/// collection checks sending and observing. For other classes the caller is responsible.
///
/// Any class can offer one:
///
///     @MainActor extension Screen {
///       var remote: Remote<Screen> { Remote(self) }
///     }
///
/// Call main-actor methods of the owner with ``sendToMain(_:)``.
public struct Remote<Owner: AnyObject>: Sendable {
  private let reference: Reference

  private var context: any ExecutionContext { reference.context }

  /// Creates a handle to an object of the calling domain.
  public init(_ owner: Owner, isolation: isolated (any Actor)? = #isolation) {
    reference = Reference(owner, in: Current.context(orOf: isolation))
    if isolation == nil { (owner as? any RemotelyUsed)?.protect(at: context) }
  }

  /// Runs a closure with the owner later, on the owner's context. Does nothing if the owner was
  /// released.
  ///
  /// *Events*: closures that one thread sends run in the order in which they were sent.
  ///
  /// *Waiting*: a source that can wait, such as a connection, pauses if one of its elements sends a
  /// closure while 2,048 closures of this handle wait.
  public func send(_ action: @escaping @Sendable (Owner) -> Void) {
    reference.send(action)
  }

  /// Runs a closure with an owner that belongs to the main actor, as ``send(_:)`` does. If the
  /// owner belongs to another context, this traps when the closure should run.
  ///
  ///     func report(to screen: Remote<Screen>) {
  ///       worker.execute { screen.sendToMain { $0.heading = "Done" } }
  ///     }
  public func sendToMain(_ action: @escaping @MainActor @Sendable (Owner) -> Void) {
    send { owner in
      // Safety: the owner stays on its context, and `assumeIsolated` checks that this is the main
      // actor.
      nonisolated(unsafe) let owner = owner
      MainActor.assumeIsolated { action(owner) }
    }
  }

  // Safety: the owner is only accessed on its own context, as are `pauses` and `delayed`. A weak
  // reference may be copied and released on any thread.
  fileprivate final class Reference: @unchecked Sendable, PausableSource {
    typealias Action = @Sendable (Owner) -> Void

    let context: any ExecutionContext
    private weak let owner: Owner?
    private let waitingCount = Atomic(0)
    private let sources = DistantSources()
    private var pauses = 0
    /// The actions that wait while a place that they feed is full.
    private var delayed = Queue<Action>()

    private static var limit: Int { 2048 }

    init(_ owner: Owner, in context: any ExecutionContext) {
      self.owner = owner
      self.context = context
    }

    func send(_ action: @escaping Action) {
      waitingCount.add(1, ordering: .sequentiallyConsistent)
      let delivery = Sent(action, to: self)
      context.execute { delivery.arrive() }
      if isFull, let source = Delivery.source, let sender = Current.contextIfAny {
        sources.hold(source, in: sender, for: self) { isFull }
      }
    }

    private var isFull: Bool {
      waitingCount.load(ordering: .sequentiallyConsistent) >= Self.limit
    }

    func receive(_ action: @escaping Action) {
      if pauses > 0 || !delayed.isEmpty { delayed.append(action) } else { run(action) }
    }

    private func run(_ action: Action) {
      Delivery.from(self) {
        if let owner { action(owner) }
      }
      didUse()
    }

    /// Counts down, after an action was run or was lost with its context.
    func didUse() {
      let left = waitingCount.subtract(1, ordering: .sequentiallyConsistent).newValue
      // Not at once, so that a source sends many each time.
      if left == Self.limit / 2 { sources.resumeAll() }
    }

    func pause() {
      pauses += 1
    }

    func resume() {
      pauses -= 1
      if pauses == 0 { context.execute { self.runDelayed() } }
    }

    private func runDelayed() {
      var left = 256
      while pauses == 0, left > 0, let action = delayed.popFirst() {
        left -= 1
        run(action)
      }
      // Later, so that the context can do other work.
      if pauses == 0 && !delayed.isEmpty { context.execute { self.runDelayed() } }
    }
  }
}

/// An action on its way. A context that is gone, such as that of a released actor, releases it without
/// running it, and then it does not wait any more.
// Safety: only the job uses the properties, or the `deinit`.
private final class Sent<Owner: AnyObject>: @unchecked Sendable {
  private var target: Remote<Owner>.Reference?
  private let action: @Sendable (Owner) -> Void

  init(_ action: @escaping @Sendable (Owner) -> Void, to target: Remote<Owner>.Reference) {
    self.action = action
    self.target = target
  }

  deinit { target?.didUse() }

  func arrive() {
    target.take()?.receive(action)
  }
}

/// A class whose objects trap when they are used in another domain than that of their ``Remote``.
///
/// Needed where the compiler cannot check this.
package protocol RemotelyUsed: AnyObject {
  /// Enables the check of the caller's domain.
  func protect(at home: any ExecutionContext)
}

extension Subject: RemotelyUsed {
  package func protect(at home: any ExecutionContext) { observers.protect(at: home) }
}

extension Property: RemotelyUsed {
  package func protect(at home: any ExecutionContext) {
    changes.protect(at: home)
    if access == restingAccess { access = .guarded }
    restingAccess = .guarded
  }
}

extension Subject {
  /// A handle for sending from other threads.
  ///
  ///     let remote = names.remote
  ///     worker.execute { remote.send { $0.next("Jim") } }
  ///
  /// Use it on the thread of a loop or on the main actor. In another actor, write `Remote(names)`,
  /// which ties the handle to the actor.
  public var remote: Remote<Subject> { Remote(self) }
}

extension Property {
  /// A handle for reading and changing the value from other threads.
  ///
  ///     let remote = guests.remote
  ///     worker.execute { remote.send { guests in guests.mutate { $0.append("John") } } }
  ///
  /// Use it on the thread of a loop or on the main actor. In another actor, write `Remote(guests)`,
  /// which ties the handle to the actor.
  public var remote: Remote<Property> { Remote(self) }
}
