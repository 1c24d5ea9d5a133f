extension Connectable {
  /// Connects when the first observer is added, and disconnects when the last one has left.
  ///
  ///     first        ^-------------x
  ///     second       ----^----------------x
  ///     source       ---0---1---2---3---4-x
  ///     refCount()   ---0---1---2---3---4-
  ///
  ///     let ticks = seconds.publish().refCount()
  ///     let first = ticks.observeNext { print($0) }   // starts to count seconds
  ///     let second = ticks.observeNext { print($0) }  // receives the same seconds
  ///     first.dispose()
  ///     second.dispose()                              // stops counting
  ///
  /// *Events*: the first observer is added before the source is observed, so it receives all
  /// elements of a source that sends immediately. After the end, or after all observers have left,
  /// the next observer connects again. If the first observer leaves while it receives replayed
  /// elements, the source is not observed.
  ///
  /// *Disposal*: all `refCount()` streams of one connectable share the connection. When their last
  /// observer leaves, the connection is disposed, even if ``connect(file:line:)`` created it.
  @inlinable
  public func refCount() -> EventStream<Element, Failure> {
    .unguarded(after: source) { observer in
      let session = self.currentOrNewSession()
      let link = session.link
      link.holders += 1
      observer.observation.add(link)
      session.hub.add(observer)
      if link.holders > 0 && !link.isConnected { self.connect() }
    }
  }
}
