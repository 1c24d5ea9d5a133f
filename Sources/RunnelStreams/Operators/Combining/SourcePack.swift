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

  @inlinable
  var count: Int {
    var count = 0
    for _ in repeat (each Part).self { count += 1 }
    return count
  }

  /// Has an engine observe each source, for the next place of a row.
  ///
  /// The compiler does not unroll this loop, so what the engine does with an element is generic
  /// code at run time. That is fast as long as it touches the element alone, and no type made of
  /// its type: hence places are pointers.
  @inlinable
  func observe(for memory: RowMemory<some Any>, by engine: some RowEngine<Failure>) {
    for source in repeat each streams { engine.observe(source, for: memory.nextPlace()) }
  }
}

/// An operator that makes rows of the elements of several sources.
@usableFromInline
protocol RowEngine<Failure> {
  associatedtype Failure: Error

  /// Observes the source whose elements belong in a place.
  func observe<Value>(_ source: EventStream<Value, Failure>, for place: Place<Value>)
}

/// The memory of a row: a tuple, or several elements of one type in sequence.
@usableFromInline
final class RowMemory<Row> {
  @usableFromInline let start: UnsafeMutablePointer<Row>
  /// Where the places end that were given out.
  @usableFromInline var end = 0

  @inlinable
  init(capacity: Int = 1) {
    start = .allocate(capacity: capacity)
  }

  deinit {
    // Safety: each place retains the memory, and takes its element out before it lets go.
    start.deallocate()
  }

  /// The next element's place: they must be asked for in order, with their types.
  @inlinable
  func nextPlace<Value>() -> Place<Value> {
    let alignment = MemoryLayout<Value>.alignment
    let offset = (end + alignment - 1) & -alignment
    end = offset + MemoryLayout<Value>.size
    // Safety: a tuple has its elements in order, each at the next multiple of its alignment, and
    // memory that is bound to a tuple is bound to their types.
    let pointer = UnsafeMutableRawPointer(start).advanced(by: offset)
    return Place(pointer.assumingMemoryBound(to: Value.self), in: self)
  }
}

/// The place of one element in a row. What is there when it is let go of is released.
@usableFromInline
final class Place<Value> {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>
  @usableFromInline let memory: AnyObject
  @usableFromInline @exclusivity(unchecked) var isEmpty = true

  @inlinable
  init(_ pointer: UnsafeMutablePointer<Value>, in memory: AnyObject) {
    self.pointer = pointer
    self.memory = memory
  }

  deinit {
    // Safety: `isEmpty` says whether there is an element.
    if !isEmpty { pointer.deinitialize(count: 1) }
  }

  /// Puts an element there, in the place of the one before.
  @inlinable
  func store(_ value: Value) {
    // Safety: as above. The old element goes last: its deinit may send, and a row be read.
    if isEmpty {
      pointer.initialize(to: value)
      isEmpty = false
    } else {
      let old = pointer.move()
      pointer.initialize(to: value)
      withExtendedLifetime(old) {}
    }
  }
}
