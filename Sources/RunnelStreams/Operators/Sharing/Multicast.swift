extension StreamProtocol {
  /// Returns a connectable stream that shares one observation of this stream through a subject.
  ///
  ///     source            --1--2--3--|
  ///     connect()         ---^
  ///     multicast { … }   -----2--3--|
  ///
  ///     let ticks = seconds.multicast { PushStream() }
  ///     ticks.observeNext { print($0) }
  ///     ticks.connect()
  ///
  /// The closure creates the subject of each connection. If it returns the same subject each time,
  /// observers keep their observations across connections until the source ends.
  @inlinable
  public func multicast(
    _ make: @escaping () -> Subject<Element, Failure>
  ) -> Connectable<Element, Failure> {
    Connectable(stream) { .live(make()) }
  }

  /// Returns a connectable stream that shares one observation of this stream.
  ///
  ///     source      --1--2--3--|
  ///     connect()   ---^
  ///     publish()   -----2--3--|
  ///
  ///     let ticks = seconds.publish()
  ///     ticks.observeNext { print($0) }
  ///     ticks.connect()
  @inlinable
  public func publish() -> Connectable<Element, Failure> {
    multicast { Subject() }
  }

  /// Returns a connectable stream that shares one observation of this stream. A late observer first
  /// receives the last `count` elements of the connection.
  ///
  ///     source          --1--2--3--|
  ///     replay(1)       --1--2--3--|
  ///     late observer         2-3--|
  ///
  ///     let latest = prices.replay(1)
  ///     latest.connect()
  ///     latest.observeNext { print($0) }  // the latest price, then each new one
  ///
  /// A count of 0 is the same as ``publish()``; `.max` replays all elements. A negative count
  /// traps.
  @inlinable
  public func replay(_ count: Int) -> Connectable<Element, Failure> {
    requireReplayCount(count)
    return Connectable(stream) { Hub(replay: count) }
  }
}

@usableFromInline
func requireReplayCount(_ count: Int) {
  require(
    count >= 0,
    "The replay count is \(count). Pass 0 or more, or .max to replay all elements.")
}
