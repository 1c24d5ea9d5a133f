import RunnelStreams

extension StreamProtocol {
  /// Tells of a large change as of a reset: a view that would be busy with so many rows at once shows
  /// all of them anew.
  ///
  ///     shelf.stream.resetting(past: 1_000).observeNext { event in
  ///       guard let changes = event.changes else { return show(event.collection) }
  ///       for step in changes.steps { show(step) }
  ///     }
  ///
  /// *Events*: a change of up to so many inserts, updates, deletes and moves stays what it is.
  public func resetting<Base: ListBase>(
    past limit: Int
  ) -> EventStream<CollectionEvent<Base>, Failure> where Element == CollectionEvent<Base> {
    resetting(past: limit) { $0.extent }
  }

  /// Tells of a large change as of a reset. What has happened to sections counts, and to their items.
  public func resetting<Base: SectionedBase>(
    past limit: Int
  ) -> EventStream<CollectionEvent<Base>, Failure> where Element == CollectionEvent<Base> {
    resetting(past: limit) { $0.extent }
  }

  private func resetting<Base: CollectionBase>(
    past limit: Int, extent: @escaping (Base.Changes) -> Int
  ) -> EventStream<CollectionEvent<Base>, Failure> where Element == CollectionEvent<Base> {
    require(
      limit >= 0,
      "A change cannot be less than nothing, as resetting(past: \(limit)) says: give 0 or more.")
    return map { event in
      guard let changes = event.changes, extent(changes) > limit else { return event }
      return CollectionEvent(event.collection, .reset)
    }
  }
}

extension SectionChanges {
  /// How many single changes it comes to, of sections and of items.
  fileprivate var extent: Int {
    inserts.count + deletes.count + moves.count + headers.count
      + items.reduce(0) { $0 + $1.changes.extent }
  }
}
