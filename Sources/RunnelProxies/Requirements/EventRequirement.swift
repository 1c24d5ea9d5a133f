import RunnelStreams

/// A requirement without a result: what a delegate is told.
///
/// All who listen hear of a call in the order of their observation. A call made while one is being
/// told waits its turn (C2).
public final class EventRequirement<each Argument> {
  /// Made for the first listener, and kept by this object, so that a call need not count it.
  @usableFromInline @exclusivity(unchecked)
  var calls: Unmanaged<PushStream<(repeat each Argument)>>?

  /// A requirement that nobody listens to.
  public init() {}

  deinit {
    // Safety: balances the retain of `heard`.
    calls?.release()
  }

  /// Those who listen, if anybody ever did.
  @inlinable
  public var listeners: Listeners<(repeat each Argument)>? {
    calls.map { Listeners($0) }
  }

  @usableFromInline
  func heard() -> PushStream<(repeat each Argument)> {
    // Safety: it is released in the deinit.
    let calls = self.calls ?? .passRetained(PushStream<(repeat each Argument)>())
    self.calls = calls
    return calls.takeUnretainedValue()
  }
}

/// Those who listen to a requirement, for the time of one call.
///
/// A call looks them up and tells them: were the requirement told, it would be counted meanwhile. So
/// they are not kept, and the requirement must be: as proxies do, in a constant.
public struct Listeners<Arguments> {
  @usableFromInline let calls: Unmanaged<PushStream<Arguments>>

  @inlinable
  init(_ calls: Unmanaged<PushStream<Arguments>>) {
    self.calls = calls
  }

  /// Tells all streams of a call.
  @inlinable
  public func send(_ arguments: Arguments) {
    // Safety: the requirement keeps it, and is kept by the proxy that is being called.
    calls._withUnsafeGuaranteedRef { $0.next(arguments) }
  }
}

extension ProtocolProxy {
  /// The calls of a requirement, as the tuple of their arguments.
  ///
  ///     songs.rDelegate.stream(\.songList_didSelect).observeNext { _, song in show(song) }
  @inlinable
  public func stream<each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>
  ) -> EventStream<(repeat each Argument), Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.heard().observeNext { push.next($0) }
    }
  }

  /// What a closure pushes when the requirement is called.
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
      requirement.heard().observeNext { (argument: (repeat each Argument)) in
        body(push, repeat each argument)
      }
    }
  }

  // To take apart a tuple of no known length counts what is in it, twice, which takes as long as
  // telling the closure. So those of the usual lengths are taken apart by name.

  /// What a closure pushes when a requirement with one argument is called.
  @inlinable
  public func stream<Element, Argument>(
    _ key: KeyPath<Requirements, EventRequirement<Argument>>,
    _ body: @escaping (PushStream<Element>, Argument) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.heard().observeNext { body(push, $0) }
    }
  }

  /// What a closure pushes when a requirement with two arguments is called.
  @inlinable
  public func stream<Element, First, Second>(
    _ key: KeyPath<Requirements, EventRequirement<First, Second>>,
    _ body: @escaping (PushStream<Element>, First, Second) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.heard().observeNext { body(push, $0.0, $0.1) }
    }
  }

  /// What a closure pushes when a requirement with three arguments is called.
  @inlinable
  public func stream<Element, First, Second, Third>(
    _ key: KeyPath<Requirements, EventRequirement<First, Second, Third>>,
    _ body: @escaping (PushStream<Element>, First, Second, Third) -> Void
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.heard().observeNext { body(push, $0.0, $0.1, $0.2) }
    }
  }

  /// What is told has no answer: ``stream(_:_:)`` is for it.
  @available(*, unavailable, message: "what is told has no answer: use stream(_:_:)")
  @discardableResult
  public func answer<each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>,
    with body: @escaping (repeat each Argument) -> Void
  ) -> Disposable {
    fatalError("What is told has no answer.")
  }
}
