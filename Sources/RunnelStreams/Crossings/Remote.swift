/// A handle on an object of one context that can be given to any other.
///
///     let remote = guests.remote
///     worker.execute { remote.send { $0.value.append("John") } }
///
/// It does not keep its owner alive, and when the owner is gone, nothing happens. The owner is only
/// touched and released on its own context: the actor that the handle is made in, else that of the
/// thread, which must have one. ``init(_:isolation:)`` ties the owner to the actor, so that the
/// compiler refuses to send it away later. In code without an actor, and for a `remote` property,
/// it cannot: there a subject, a property or a collection traps where it is used in another domain,
/// a collection where it sends or is observed. For other classes it is up to you.
///
/// Any class can offer one:
///
///     @MainActor extension Screen {
///       var remote: Remote<Screen> { Remote(self) }
///     }
///
/// The methods of one that belongs to the main actor are called with ``sendToMain(_:)``.
public struct Remote<Owner: AnyObject>: Sendable {
  private let reference: Reference
  private let context: any ExecutionContext

  /// A handle on an object of the domain that this is called in.
  public init(_ owner: Owner, isolation: isolated (any Actor)? = #isolation) {
    reference = Reference(owner)
    context = Current.context(orOf: isolation)
    if isolation == nil { (owner as? any RemotelyUsed)?.protect(at: context) }
  }

  /// Runs a closure with the owner, later, on the owner's context; nothing if the owner is gone.
  ///
  /// *Events*: what one thread sends runs in the order in which it was sent.
  public func send(_ action: @escaping @Sendable (Owner) -> Void) {
    let reference = reference
    context.execute {
      if let owner = reference.owner { action(owner) }
    }
  }

  /// The same for an owner that belongs to the main actor. For one of another context it traps,
  /// where the closure would run.
  ///
  ///     func report(to screen: Remote<Screen>) {
  ///       worker.execute { screen.sendToMain { $0.heading = "Done" } }
  ///     }
  public func sendToMain(_ action: @escaping @MainActor @Sendable (Owner) -> Void) {
    send { owner in
      // Safety: it stays where it is. That this is the main actor is checked.
      nonisolated(unsafe) let owner = owner
      MainActor.assumeIsolated { action(owner) }
    }
  }

  // Safety: the owner is only asked for on its own context. A weak reference may be copied and
  // released anywhere.
  private final class Reference: @unchecked Sendable {
    weak let owner: Owner?

    init(_ owner: Owner) {
      self.owner = owner
    }
  }
}

/// A class whose objects trap where they are used in another domain than that of their ``Remote``,
/// if the compiler does not see to it.
package protocol RemotelyUsed: AnyObject {
  /// Checks the users of the object from now on.
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
  /// A handle through which other threads send.
  ///
  ///     let remote = names.remote
  ///     worker.execute { remote.send { $0.next("Jim") } }
  ///
  /// It is for the thread of a loop and for the main actor; in another actor write
  /// `Remote(names)`, which sees the actor.
  public var remote: Remote<Subject> { Remote(self) }
}

extension Property {
  /// A handle through which other threads read and change the value.
  ///
  ///     let remote = guests.remote
  ///     worker.execute { remote.send { guests in guests.mutate { $0.append("John") } } }
  ///
  /// It is for the thread of a loop and for the main actor; in another actor write
  /// `Remote(names)`, which sees the actor.
  public var remote: Remote<Property> { Remote(self) }
}
