extension StreamProtocol {
  /// Adds to each element the latest elements of other streams.
  ///
  ///     source                  ----1------2--3----|
  ///     other                   --a-----b----------|
  ///     withLatestFrom(other)   ----1a-----2b-3b---|
  ///
  ///     taps.withLatestFrom(name.stream, age.stream).observeNext { save($1, $2) }
  ///
  /// *Events*: the others are observed first, in their order, then the source. Elements that come
  /// before each of the others has sent are dropped. It ends with the source; the completion of the
  /// others is ignored, and the failure of any ends it.
  ///
  /// *Types*: of more than three others, name the elements, as with `combineLatest`.
  @inlinable
  public func withLatestFrom<First, each Other>(
    _ first: EventStream<First, Failure>, _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream<(Element, First, repeat each Other), Failure> {
    latest(of: SourcePack(first, repeat each others))
  }

  /// The same for two other streams.
  @inlinable
  public func withLatestFrom<First, Second>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>
  ) -> EventStream<(Element, First, Second), Failure> {
    latest(of: SourcePack(first, second))
  }

  /// The same for three other streams.
  @inlinable
  public func withLatestFrom<First, Second, Third>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>
  ) -> EventStream<(Element, First, Second, Third), Failure> {
    latest(of: SourcePack(first, second, third))
  }

  /// The same for other streams that are a pack already.
  @inlinable
  func latest<each Other>(
    of others: SourcePack<repeat each Other, Failure>
  ) -> EventStream<(Element, repeat each Other), Failure> {
    let source = link
    return .unguarded(after: source) { observer in
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
            // Safety: the others have filled their places, and this one is filled here; it is
            // emptied again, for the element is not kept.
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
