/// How long what is shared outlives its observers.
public enum ShareScope: Sendable {
  /// As long as somebody observes. When nobody does any more, or after the end, what was kept is
  /// forgotten, and the next observer starts the source anew.
  case whileConnected
  /// For ever. What was kept goes also to those who come when nobody observed in between, and so
  /// does the end, after which the source is not observed again.
  case forever
}

extension StreamProtocol {
  /// Shares one observation of this stream among all who observe it, and sends a late observer the
  /// last elements first.
  ///
  ///     source             --1--2--3--4--|
  ///     share(replay: 1)   --1--2--3--4--|
  ///     late observer            2-3--4--|
  ///
  ///     let user = api.loadUser().share(replay: 1)
  ///     user.observe(next: { show($0.name) })     // loads the user
  ///     user.observe(next: { show($0.picture) })  // does not load it again
  ///
  /// The first observer starts the source, and the last that leaves disposes it.
  ///
  /// *Events*: a late observer gets what is kept, oldest first, then the live elements in order. A
  /// source that sends everything at once and ends has ended before the second observer can come:
  /// the first gets all of it; with the scope `.whileConnected` the second starts the source again
  /// and gets all of it too, with `.forever` it gets what is kept, then the end. If such a source
  /// does not end, the second gets what is kept. One that comes from within an event of the first
  /// is a late observer like any other.
  ///
  /// A negative number traps; `.max` keeps everything.
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
