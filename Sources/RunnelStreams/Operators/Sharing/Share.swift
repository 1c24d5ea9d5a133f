/// The lifetime of shared elements in relation to the observers.
public enum ShareScope: Sendable {
  /// Replayed elements are discarded when the last observer leaves, or after the end. The next
  /// observer observes the source again.
  case whileConnected
  /// Replayed elements are kept even while there are no observers. After the end, later observers
  /// receive the replayed elements and the end, and the source is not observed again.
  case forever
}

extension StreamProtocol {
  /// Shares one observation of this stream among all observers. A late observer first receives the
  /// last `count` elements.
  ///
  ///     source             --1--2--3--4--|
  ///     share(replay: 1)   --1--2--3--4--|
  ///     late observer            2-3--4--|
  ///
  ///     let user = api.loadUser().share(replay: 1)
  ///     user.observe(next: { show($0.name) })     // loads the user
  ///     user.observe(next: { show($0.picture) })  // does not load it again
  ///
  /// The first observer starts the observation of the source. It is disposed when the last observer
  /// leaves.
  ///
  /// *Events*: a late observer receives the replayed elements, oldest first, then new elements in
  /// order. Some sources send all elements and end as soon as they are observed. The first observer
  /// receives all elements of such a source. With the scope `.whileConnected`, the second observer
  /// starts the source again and receives them too. With `.forever`, it receives the replayed
  /// elements, then the end. If the source does not end, the second observer receives the replayed
  /// elements. An observer that is added while the first one handles an event is a late observer
  /// too.
  ///
  /// A negative count traps; `.max` replays all elements.
  @inlinable
  public func share(
    replay count: Int = 0, scope: ShareScope = .whileConnected
  ) -> EventStream<Element, Failure> {
    switch scope {
    case .whileConnected:
      return replay(count).refCount()
    case .forever:
      requireReplayCount(count)
      let hub = Hub<Element, Failure>(replay: count)
      return Connectable(stream) { hub }.refCount()
    }
  }
}
