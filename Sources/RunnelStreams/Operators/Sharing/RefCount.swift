extension Connectable {
  /// Connects when the first observes, and disconnects when the last has left.
  ///
  ///     let prices = feed.publish().refCount()
  ///     let list = prices.observeNext { list.show($0) }    // the feed is observed
  ///     let chart = prices.observeNext { chart.show($0) }  // the same observation serves both
  ///     list.dispose()
  ///     chart.dispose()                                    // the feed is disposed
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
