extension Connectable {
  /// Connects when the first observes, and disconnects when the last has left.
  ///
  ///     first        ^-------------x
  ///     second       ----^----------------x
  ///     source       ---0---1---2---3---4-x
  ///     refCount()   ---0---1---2---3---4-
  ///
  ///     let ticks = seconds.publish().refCount()
  ///     let first = ticks.observeNext { print($0) }   // the seconds are counted
  ///     let second = ticks.observeNext { print($0) }  // and the same ones sent to both
  ///     first.dispose()
  ///     second.dispose()                              // now they are not counted any more
  ///
  /// *Events*: the first observer is added before the source is observed, so it misses nothing of a
  /// source that sends at once. After the end, or when all have left, the next observer connects
  /// anew. If the first has left before that, because it was satisfied by what is kept, the source
  /// is not observed.
  ///
  /// *Disposal*: all streams made by this of one connectable hold the connection together. One that
  /// was made by ``connect()`` is disposed as well when the last of them leaves.
  @inlinable
  public func refCount() -> EventStream<Element, Failure> {
    .unguarded { observer in
      let session = self.upcoming()
      let link = session.link
      link.holders += 1
      observer.observation.add(link)
      session.hub.add(observer)
      if link.holders > 0 && !link.isConnected { self.connect() }
    }
  }
}
