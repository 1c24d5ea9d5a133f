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
  public func resetting<Base: CollectionBase>(
    past limit: Int
  ) -> EventStream<CollectionEvent<Base>, Failure> where Element == CollectionEvent<Base> {
    require(
      limit >= 0,
      "A change cannot be less than nothing, as resetting(past: \(limit)) says: give 0 or more.")
    return map { event in
      guard let changes = event.changes, changes.extent > limit else { return event }
      return CollectionEvent(event.collection, .reset)
    }
  }
}
