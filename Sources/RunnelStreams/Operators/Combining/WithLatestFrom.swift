extension StreamProtocol {
  /// Combines each element with the latest elements of other streams.
  ///
  ///     source                  ----1------2--3----|
  ///     other                   --a-----b----------|
  ///     withLatestFrom(other)   ----1a-----2b-3b---|
  ///
  ///     taps.withLatestFrom(name, age).observeNext { save($1, $2) }
  ///
  /// *Events*: the other streams are observed first, in their order, then the source. Elements of
  /// the source are dropped until each of the others has sent an element. The stream completes with
  /// the source; completions of the others are ignored. A failure of any stream ends it.
  ///
  /// *Types*: with more than three other streams, name the closure parameters, as with
  /// `combineLatest`.
  @inlinable
  public func withLatestFrom<First, each Other>(
    _ first: EventStream<First, Failure>, _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream<(Element, First, repeat each Other), Failure> {
    latest(of: SourcePack(first, repeat each others))
  }

  /// Combines each element with the latest elements of two other streams.
  @inlinable
  public func withLatestFrom<First, Second>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>
  ) -> EventStream<(Element, First, Second), Failure> {
    latest(of: SourcePack(first, second))
  }

  /// Combines each element with the latest elements of three other streams.
  @inlinable
  public func withLatestFrom<First, Second, Third>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>
  ) -> EventStream<(Element, First, Second, Third), Failure> {
    latest(of: SourcePack(first, second, third))
  }

  /// Combines each element with the latest elements of streams, properties or controls.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<First, each Other>(
    _ first: some StreamConvertible<First, Failure>,
    _ others: repeat any StreamConvertible<each Other, Failure>
  ) -> EventStream<(Element, First, repeat each Other), Failure> {
    withLatestFrom(first.stream, repeat (each others).stream)
  }

  /// Combines each element with the latest elements of a pack of other streams.
  @inlinable
  func latest<each Other>(
    of others: SourcePack<repeat each Other, Failure>
  ) -> EventStream<(Element, repeat each Other), Failure> {
    let source = link
    return .unguarded(afterSteps: max(source.steps, others.steps)) { observer in
      let output = SerializedObserver(observer)
      let memory = RowMemory<(Element, repeat each Other)>()
      let place: Place<Element> = memory.nextPlace()
      let engine = KeepingLatest(others.count, output, endsWithSources: false) { _ in }
      others.observe(for: memory, by: engine)
      guard output.isOpen else { return }
      source.start(
        Observer(
          next: { element in
            guard engine.missing == 0 else { return }
            // Safety: `missing == 0` means that the other places hold elements. This place is
            // filled here and emptied after the row is copied.
            place.pointer.initialize(to: element)
            let row = memory.start.pointee
            place.pointer.deinitialize(count: 1)
            output.next(row)
          },
          end: { output.end($0) },
          observation: output.observation))
    }
  }
}
