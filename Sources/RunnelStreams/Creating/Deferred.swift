extension EventStream {
  /// Returns a stream that calls a closure to create a new stream for each observation.
  ///
  ///     deferred { .just(roll()) }   4|
  ///     observed again               2|
  ///
  ///     let roll = EventStream<Int, Never>.deferred { .just(.random(in: 1...6)) }
  ///     roll.observeNext { print($0) }
  ///     roll.observeNext { print($0) }  // a new roll
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
