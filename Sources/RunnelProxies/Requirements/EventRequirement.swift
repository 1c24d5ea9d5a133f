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

  /// Tells all streams of a call. Its arguments are not touched where nobody listens.
  @inlinable
  public func send(_ arguments: @autoclosure () -> (repeat each Argument)) {
    guard let calls else { return }
    // Safety: this object keeps it, and is kept by the proxy that is being called.
    calls._withUnsafeGuaranteedRef { $0.next(arguments()) }
  }

  @usableFromInline
  func heard() -> PushStream<(repeat each Argument)> {
    // Safety: it is released in the deinit.
    let calls = self.calls ?? .passRetained(PushStream<(repeat each Argument)>())
    self.calls = calls
    return calls.takeUnretainedValue()
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
