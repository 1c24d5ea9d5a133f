extension EventStream {
  /// Sends the latest elements of all sources together, whenever one of them sends.
  ///
  ///     a                     --1-----2-----|
  ///     b                     ----x------y--|
  ///     combineLatest(a, b)   ----1x--2x-2y-|
  ///
  ///     EventStream.combineLatest(name, age).observeNext { name, age in print(name, age) }
  ///
  /// *Events*: it starts when each source has sent something; it completes when all have completed,
  /// or when one completes that never sent. The first failure ends it. With no sources it sends
  /// the empty tuple and completes.
  @inlinable
  public static func combineLatest<each Part>(
    _ sources: repeat EventStream<each Part, Failure>
  ) -> EventStream where Element == (repeat each Part) {
    let join = LatestSources(repeat each sources)
    return .unguarded { observer in
      Latest(join, observer).begin()
    }
  }
}

/// The sources of a combination: packs are kept in an object, since a closure cannot capture one.
@usableFromInline
final class LatestSources<each Part, Failure: Error> {
  @usableFromInline let streams: (repeat EventStream<each Part, Failure>)

  @inlinable
  init(_ streams: repeat EventStream<each Part, Failure>) {
    self.streams = (repeat each streams)
  }
}

/// The latest element of one source.
@usableFromInline
final class Slot<Value> {
  @usableFromInline @exclusivity(unchecked) var value: Value?

  @inlinable
  init(_: Value.Type) {}
}

/// One run of `combineLatest`.
@usableFromInline
final class Latest<each Part, Failure: Error> {
  @usableFromInline let sources: LatestSources<repeat each Part, Failure>
  @usableFromInline let slots: (repeat Slot<each Part>)
  @usableFromInline let outlet: Outlet<(repeat each Part), Failure>
  @usableFromInline let children = CompositeDisposable()
  @usableFromInline @exclusivity(unchecked) var missing = 0
  @usableFromInline @exclusivity(unchecked) var running = 0

  @inlinable
  init(
    _ sources: LatestSources<repeat each Part, Failure>,
    _ observer: Observer<(repeat each Part), Failure>
  ) {
    self.sources = sources
    slots = (repeat Slot((each Part).self))
    outlet = Outlet(observer)
    for _ in repeat (each Part).self { missing += 1 }
    running = missing
    observer.observation.add(children)
  }

  @inlinable
  func begin() {
    if running == 0 {
      outlet.next(current())
      return outlet.end(.completed)
    }
    for (slot, source) in repeat (each slots, each sources.streams) {
      observe(source, slot)
    }
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, _ slot: Slot<Value>) {
    guard outlet.isOpen else { return }
    let child = Disposable()
    children.add(child)
    source.start(
      in: child,
      next: { value in
        if slot.value == nil { self.missing -= 1 }
        slot.value = value
        if self.missing == 0 { self.outlet.next(self.current()) }
      },
      end: { self.ended($0, slot.value == nil) })
  }

  @inlinable
  func current() -> (repeat each Part) {
    (repeat (each slots).value.unsafelyUnwrapped)
  }

  @usableFromInline
  func ended(_ termination: Termination<Failure>, _ hadNothing: Bool) {
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      running -= 1
      if hadNothing || running == 0 { outlet.end(.completed) }
    }
  }
}
