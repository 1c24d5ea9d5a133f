/// The sources of a combination of any arity: packs are kept in an object, since a closure cannot
/// capture one.
///
/// The operators name their first sources apart from the pack. The compiler binds a pack late; from
/// a plain parameter it knows the failure type before it looks at the closure of the next operator
/// in a chain, and the types of the first places of the row.
@usableFromInline
final class SourcePack<each Part, Failure: Error> {
  @usableFromInline let streams: (repeat EventStream<each Part, Failure>)

  @inlinable
  init(_ streams: repeat EventStream<each Part, Failure>) {
    self.streams = (repeat each streams)
  }
}

/// The latest element of each source of a pack.
@usableFromInline
final class SlotPack<each Part> {
  @usableFromInline let slots: (repeat Slot<each Part>)

  @inlinable
  init(_: repeat (each Part).Type) {
    slots = (repeat Slot((each Part).self))
  }

  @inlinable
  var count: Int {
    var count = 0
    for _ in repeat (each Part).self { count += 1 }
    return count
  }

  /// The latest elements. Every source must have sent.
  @inlinable
  func row() -> (repeat each Part) {
    // Safety: the engine asks only when no source is missing.
    (repeat (each slots).value.unsafelyUnwrapped)
  }

  /// An element with the latest elements after it. Every source must have sent.
  @inlinable
  func row<First>(after first: First) -> (First, repeat each Part) {
    // Safety: as above.
    (first, repeat (each slots).value.unsafelyUnwrapped)
  }

  /// Has an engine observe each source, and keeps what they send.
  @inlinable
  func observe<Failure: Error>(
    _ sources: SourcePack<repeat each Part, Failure>, by engine: some KeepingEngine<Failure>
  ) {
    for (slot, source) in repeat (each slots, each sources.streams) {
      keep(source, in: slot, engine)
    }
  }

  @inlinable
  func keep<Value, Failure: Error>(
    _ source: EventStream<Value, Failure>, in slot: Slot<Value>,
    _ engine: some KeepingEngine<Failure>
  ) {
    engine.observe(source) { slot.value = $0 }
  }
}

/// The latest element of one source.
@usableFromInline
final class Slot<Value> {
  @usableFromInline @exclusivity(unchecked) var value: Value?

  @inlinable
  init(_: Value.Type) {}
}

/// An operator that keeps the latest elements of several sources.
@usableFromInline
protocol KeepingEngine<Failure> {
  associatedtype Failure: Error

  /// Observes a source, and gives what it sends to `keep` before anything else.
  func observe<Value>(_ source: EventStream<Value, Failure>, keep: @escaping (Value) -> Void)
}

/// Whether a source has sent anything yet.
@usableFromInline
final class Voice {
  @usableFromInline @exclusivity(unchecked) var isSilent = true

  @inlinable
  init() {}
}
