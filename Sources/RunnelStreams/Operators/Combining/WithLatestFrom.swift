extension StreamProtocol {
  /// Adds to each element the latest elements of other streams.
  ///
  ///     source                  ----1------2--3----|
  ///     other                   --a-----b----------|
  ///     withLatestFrom(other)   ----1a-----2b-3b---|
  ///
  ///     taps.withLatestFrom(name, age).observeNext { _, name, age in save(name, age) }
  ///
  /// *Events*: the others are observed first, in their order, then the source. Elements that come
  /// before each of the others has sent are dropped. It ends with the source; the completion of the
  /// others is ignored, and the failure of any ends it.
  @inlinable
  public func withLatestFrom<First, each Other>(
    _ first: EventStream<First, Failure>, _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream<(Element, First, repeat each Other), Failure> {
    let source = stream
    let others = SourcePack(first, repeat each others)
    return .unguarded { observer in
      let slots = SlotPack(First.self, repeat (each Other).self)
      let engine = Accompanying(slots.count, into: observer) { slots.row(after: $0) }
      slots.observe(others, by: engine)
      engine.begin(source)
    }
  }
}

/// One run of `withLatestFrom`.
@usableFromInline
final class Accompanying<Element, Row, Failure: Error>: KeepingEngine {
  @usableFromInline let outlet: Outlet<Row, Failure>
  @usableFromInline let row: (Element) -> Row
  @usableFromInline let children = CompositeDisposable()
  /// How many of the others have not sent yet.
  @usableFromInline @exclusivity(unchecked) var missing: Int

  @inlinable
  init(_ count: Int, into observer: Observer<Row, Failure>, row: @escaping (Element) -> Row) {
    outlet = Outlet(observer)
    self.row = row
    missing = count
    observer.observation.add(children)
  }

  @inlinable
  func begin(_ source: EventStream<Element, Failure>) {
    guard outlet.isOpen else { return }
    source.start(
      Observer(
        next: { if self.missing == 0 { self.outlet.next(self.row($0)) } },
        end: { self.outlet.end($0) },
        observation: outlet.observation))
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, keep: @escaping (Value) -> Void) {
    guard outlet.isOpen else { return }
    let child = Disposable()
    children.add(child)
    let voice = Voice()
    source.start(
      in: child,
      next: { value in
        keep(value)
        if voice.isSilent {
          voice.isSilent = false
          self.missing -= 1
        }
      },
      end: { termination in
        switch termination {
        case .failed: self.outlet.end(termination)
        case .completed: break
        }
      })
  }
}
