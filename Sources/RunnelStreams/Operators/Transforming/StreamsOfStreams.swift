extension StreamProtocol {
  /// Sends the elements of the latest inner stream.
  ///
  ///     a                 --1--2-----3--|
  ///     b                         --4--5--|
  ///     source            a-------b---|
  ///     switchLatest()    --1--2----4--5--|
  ///
  ///     downloads.switchLatest().observeNext { show($0) }
  ///
  /// *Events*, *Disposal*: as for ``flatMapLatest(_:)``.
  @inlinable
  public func switchLatest<Inner>() -> EventStream<Inner, Failure>
  where Element == EventStream<Inner, Failure> {
    flatMapLatest { $0 }
  }

  /// Sends the elements of all inner streams in the order in which they arrive.
  ///
  ///     a           --1-----2--|
  ///     b             --3-----4--|
  ///     source      a-b--|
  ///     merged()    --1-3---2-4--|
  ///
  ///     downloads.merged().observeNext { save($0) }
  ///
  /// *Events*, *Disposal*: as for ``flatMap(_:)``.
  @inlinable
  public func merged<Inner>() -> EventStream<Inner, Failure>
  where Element == EventStream<Inner, Failure> {
    flatMap { $0 }
  }

  /// Sends the elements of a limited number of inner streams at a time. The others wait.
  ///
  ///     a                           --1---2|
  ///     b                                  --3--|
  ///     source                      a-b--|
  ///     merged(maxConcurrent: 1)    --1---2--3--|
  ///
  ///     downloads.merged(maxConcurrent: 4).observeNext { save($0) }
  ///
  /// *Events*, *Disposal*: as for ``flatMap(maxConcurrent:_:)``. A limit below 1 traps.
  @inlinable
  public func merged<Inner>(maxConcurrent limit: Int) -> EventStream<Inner, Failure>
  where Element == EventStream<Inner, Failure> {
    flatMap(maxConcurrent: limit) { $0 }
  }

  /// Observes the inner streams one after the other, in order.
  ///
  ///     a                 --1---2|
  ///     b                        --3--|
  ///     source            a-b--|
  ///     concatenated()    --1---2--3--|
  ///
  ///     downloads.concatenated().observeNext { save($0) }
  ///
  /// *Events*, *Disposal*: as for ``concatMap(_:)``.
  @inlinable
  public func concatenated<Inner>() -> EventStream<Inner, Failure>
  where Element == EventStream<Inner, Failure> {
    concatMap { $0 }
  }
}
