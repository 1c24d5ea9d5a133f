extension StreamProtocol {
  /// Shares one observation of this stream among many, through a subject, once it is connected.
  ///
  ///     source            --1--2--3--|
  ///     connect()         ---^
  ///     multicast { … }   -----2--3--|
  ///
  ///     let ticks = seconds.multicast { PushStream() }
  ///     ticks.observeNext { print($0) }
  ///     ticks.connect()
  ///
  /// The closure makes the subject of each connection. One that returns the same subject each time
  /// lets the observers stay from one connection to the next, until the source ends.
  @inlinable
  public func multicast(
    _ make: @escaping () -> Subject<Element, Failure>
  ) -> Connectable<Element, Failure> {
    Connectable(stream) { .live(make()) }
  }

  /// Shares one observation of this stream among many, once it is connected.
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

  /// Shares one observation of this stream among many, once it is connected, and sends a late
  /// observer the last elements of the connection first.
  ///
  ///     source          --1--2--3--|
  ///     replay(1)       --1--2--3--|
  ///     late observer         2-3--|
  ///
  ///     let latest = prices.replay(1)
  ///     latest.connect()
  ///     latest.observeNext { print($0) }  // the last price at once, then each new one
  ///
  /// With none it is ``publish()``, with `.max` it keeps all. A negative number traps.
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
    "A replay keeps a number of elements: give it none (0), some, or all of them (.max).")
}
