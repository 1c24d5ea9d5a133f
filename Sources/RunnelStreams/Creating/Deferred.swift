extension EventStream {
  /// A stream that is made anew for each observation.
  ///
  ///     let now = EventStream<Date, Never>.deferred { .just(Date()) }
  ///     now.observeNext { print($0) }  // the time of observing, not of writing
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public static func deferred(
    _ make: @escaping () throws(Failure) -> EventStream
  ) -> EventStream {
    .unguarded { observer in
      do throws(Failure) {
        try make().start(observer)
      } catch {
        observer.failed(error)
      }
    }
  }
}
