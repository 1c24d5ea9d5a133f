import RunnelStreams

/// A requirement without a result.
///
/// All observers receive a call in the order of observation. A call during the delivery of another
/// one is queued (C2).
public final class EventRequirement<each Argument> {
  /// The subject of the calls, created for the first observer. Retained manually, so that a call
  /// does not retain it.
  @usableFromInline @exclusivity(unchecked)
  var calls: Unmanaged<PushStream<(repeat each Argument)>>?

  /// Creates a requirement without observers.
  public init() {}

  deinit {
    // Safety: balances the retain of `callsCreatedIfNeeded()`.
    calls?.release()
  }

  /// True while a stream observes the calls.
  package var isHeard: Bool {
    // Safety: this requirement retains the subject.
    calls?._withUnsafeGuaranteedRef { $0.isObserved } ?? false
  }

  /// The observers, or nil if there have never been any.
  @inlinable
  public var listeners: Listeners<(repeat each Argument)>? {
    calls.map { Listeners($0) }
  }

  @usableFromInline
  func callsCreatedIfNeeded() -> PushStream<(repeat each Argument)> {
    // Safety: released in the deinit.
    let calls = self.calls ?? .passRetained(PushStream<(repeat each Argument)>())
    self.calls = calls
    return calls.takeUnretainedValue()
  }
}

/// The observers of a requirement during one call.
///
/// Calling the requirement itself would retain and release it. This value does not, so it must not
/// be stored. The proxy stores the requirement in a constant and keeps it alive.
public struct Listeners<Arguments> {
  @usableFromInline let calls: Unmanaged<PushStream<Arguments>>

  @inlinable
  init(_ calls: Unmanaged<PushStream<Arguments>>) {
    self.calls = calls
  }

  /// Sends a call to all streams.
  @inlinable
  public func send(_ arguments: Arguments) {
    // Safety: the requirement retains the subject, and the called proxy retains the requirement.
    calls._withUnsafeGuaranteedRef { $0.next(arguments) }
  }
}

extension ProtocolProxy {
  /// Returns the calls of a requirement as tuples of their arguments.
  ///
  ///     songs.rDelegate.stream(\.songList_didSelect).observeNext { _, song in show(song) }
  @inlinable
  public func stream<each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>
  ) -> EventStream<(repeat each Argument), Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.callsCreatedIfNeeded().observeNext { push.next($0) }
    }
  }

  /// Returns the elements that a closure pushes when the requirement is called.
  ///
  ///     songs.rDelegate.stream(\.songList_didSelect) { (push: PushStream<String>, _, song) in
  ///       push.next(song)
  ///     }.observeNext { show($0) }
  @_disfavoredOverload
  @inlinable
  public func stream<Element, each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>,
    _ body: @escaping (PushStream<Element>, repeat each Argument) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.callsCreatedIfNeeded().observeNext { (argument: (repeat each Argument)) in
        body(push, repeat each argument)
      }
    }
  }

  // Destructuring a parameter pack retains and releases each element twice, which takes as long as
  // the call itself. The overloads for one to three arguments avoid this.

  /// Returns the elements that a closure pushes when a requirement with one argument is called.
  @inlinable
  public func stream<Element, Argument>(
    _ key: KeyPath<Requirements, EventRequirement<Argument>>,
    _ body: @escaping (PushStream<Element>, Argument) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.callsCreatedIfNeeded().observeNext { body(push, $0) }
    }
  }

  /// Returns the elements that a closure pushes when a requirement with two arguments is called.
  @inlinable
  public func stream<Element, First, Second>(
    _ key: KeyPath<Requirements, EventRequirement<First, Second>>,
    _ body: @escaping (PushStream<Element>, First, Second) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.callsCreatedIfNeeded().observeNext { body(push, $0.0, $0.1) }
    }
  }

  /// Returns the elements that a closure pushes when a requirement with three arguments is called.
  @inlinable
  public func stream<Element, First, Second, Third>(
    _ key: KeyPath<Requirements, EventRequirement<First, Second, Third>>,
    _ body: @escaping (PushStream<Element>, First, Second, Third) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.callsCreatedIfNeeded().observeNext { body(push, $0.0, $0.1, $0.2) }
    }
  }
}
