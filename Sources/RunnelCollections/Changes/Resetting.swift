import RunnelStreams

extension StreamProtocol {
  /// Sends large changes as resets, so that a view reloads instead of updating very many rows.
  ///
  ///     shelf.stream.resetting(past: 1_000).observeNext { event in
  ///       guard let changes = event.changes else { return show(event.collection) }
  ///       for step in changes.steps { show(step) }
  ///     }
  ///
  /// *Events*: a change with at most `limit` inserts, updates, deletes and moves is passed on
  /// unchanged.
  public func resetting<Base: CollectionBase>(
    past limit: Int
  ) -> EventStream<CollectionEvent<Base>, Failure> where Element == CollectionEvent<Base> {
    require(
      limit >= 0,
      "`resetting(past: \(limit))` has a negative limit. Pass 0 or more.")
    return map { event in
      guard let changes = event.changes, changes.extent > limit else { return event }
      return CollectionEvent(event.collection, .reset)
    }
  }
}
