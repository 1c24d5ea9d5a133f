import RunnelStreams

/// A requirement without a result: what a delegate is told.
///
/// All who listen hear of a call in the order of their observation. A call made while one is being
/// told waits its turn (C2).
public final class EventRequirement<each Argument> {
  /// Made for the first listener.
  @usableFromInline @exclusivity(unchecked) var calls: PushStream<(repeat each Argument)>?

  /// A requirement that nobody listens to.
  public init() {}

  /// Tells all streams of a call. Its arguments are not touched where nobody listens.
  @inlinable
  public func send(_ arguments: @autoclosure () -> (repeat each Argument)) {
    if let calls { calls.next(arguments()) }
  }

  @usableFromInline
  func heard() -> PushStream<(repeat each Argument)> {
    if let calls { return calls }
    let calls = PushStream<(repeat each Argument)>()
    self.calls = calls
    return calls
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
      requirement.heard().stream.observing { push.next($0) }
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
      requirement.heard().stream.observing { (argument: (repeat each Argument)) in
        body(push, repeat each argument)
      }
    }
  }
}
