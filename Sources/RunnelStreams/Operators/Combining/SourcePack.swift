/// The sources of a combining operator, for any number of sources. It is a class because a closure
/// cannot capture a parameter pack.
///
/// The operators declare their first sources as separate parameters, and the rest as a pack. The
/// compiler resolves packs late. With the separate parameters it knows the failure type and the
/// first types of the tuple before it checks the closure of the next operator in the chain.
@usableFromInline
final class SourcePack<each Part, Failure: Error> {
  @usableFromInline let streams: (repeat EventStream<each Part, Failure>)

  @inlinable
  init(_ streams: repeat EventStream<each Part, Failure>) {
    self.streams = (repeat (each streams).link)
  }

  /// The greatest number of steps of the sources.
  @inlinable
  var steps: Int {
    var most = 0
    for source in repeat each streams { most = max(most, source.steps) }
    return most
  }

  @inlinable
  var count: Int {
    var count = 0
    for _ in repeat (each Part).self { count += 1 }
    return count
  }

  /// Makes an engine observe each source, and gives each source the next place of a row.
  ///
  /// The compiler does not unroll this loop, so an engine handles elements in code that is generic
  /// at run time. Such code is fast if it touches the element only, and no generic type built from
  /// the element's type. Therefore places hold pointers.
  @inlinable
  func observe(for memory: RowMemory<some Any>, by engine: some RowEngine<Failure>) {
    for source in repeat each streams { engine.observe(source, for: memory.nextPlace()) }
  }
}

/// The state of an operator that builds rows from the elements of several sources.
@usableFromInline
protocol RowEngine<Failure> {
  associatedtype Failure: Error

  /// Observes a source and stores its elements in a place of the row.
  func observe<Value>(_ source: EventStream<Value, Failure>, for place: Place<Value>)
}

/// The memory of a row: one tuple, or several consecutive elements of one type.
@usableFromInline
final class RowMemory<Row> {
  @usableFromInline let start: UnsafeMutablePointer<Row>
  /// The offset in bytes at which the last allocated place ends.
  @usableFromInline var end = 0

  @inlinable
  init(capacity: Int = 1) {
    start = .allocate(capacity: capacity)
  }

  deinit {
    // Safety: each place retains the memory, and removes its element before it releases the memory.
    start.deallocate()
  }

  /// Returns the place of the next element. Call it once for each element, in the order of the row.
  @inlinable
  func nextPlace<Value>() -> Place<Value> {
    let alignment = MemoryLayout<Value>.alignment
    let offset = (end + alignment - 1) & -alignment
    end = offset + MemoryLayout<Value>.size
    // Safety: a tuple stores its elements in order, each at the next multiple of its alignment, and
    // memory bound to a tuple type is also bound to its element types.
    let pointer = UnsafeMutableRawPointer(start).advanced(by: offset)
    return Place(pointer.assumingMemoryBound(to: Value.self), in: self)
  }
}

/// The place of one element in a row. It releases its element when it is deinitialized.
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
    // Safety: `isEmpty` is false exactly while the place holds an element.
    if !isEmpty { pointer.deinitialize(count: 1) }
  }

  @inlinable
  func store(_ value: Value) {
    // Safety: `isEmpty` is false exactly while the place holds an element. The old element is
    // released last, because its `deinit` may send an event that reads the row.
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
