/// A sequence of handles (small, reusable numbers) with fast lookup of a handle's index.
///
/// Handles are unique. A duplicate, or an index out of range, traps.
///
/// *Complexity*: every operation is logarithmic. Operations on many handles are also linear in
/// their number. Memory is proportional to the greatest handle that was ever inserted.
@usableFromInline package struct HandleList: Sendable {
  private var list = ChunkedList(HandleLedger())

  @usableFromInline package init() {}

  @inlinable package init(_ handles: some Sequence<Int32>) {
    self.init()
    insert(contentsOf: handles, at: 0)
  }

  /// Creates a list of `count` handles, which a closure returns by index.
  @inlinable init(count: Int, _ handle: (Int) -> Int32) {
    let handles = ContiguousArray<Int32>(unsafeUninitializedCapacity: count) { buffer, filled in
      // Safety: the buffer has capacity for `count` handles, and the loop initializes each of them.
      for index in 0..<count { buffer.initializeElement(at: index, to: handle(index)) }
      filled = count
    }
    self.init(packed: handles)
  }

  @usableFromInline package var count: Int { list.count }

  @usableFromInline init(packed handles: ContiguousArray<Int32>) {
    insert(packed: handles, at: 0)
  }

  @usableFromInline package subscript(index: Int) -> Int32 {
    get { list[index] }
    set { _ = list.replace(at: index, with: newValue) }
  }

  // MARK: - Lookup of handles

  @usableFromInline package func contains(_ handle: Int32) -> Bool {
    list.ledger.slot(of: handle) != nil
  }

  /// Traps if the list does not contain the handle.
  @usableFromInline package func index(of handle: Int32) -> Int {
    let (place, offset) = locate(handle)
    return list.count(before: place) + offset
  }

  /// A position to compare handles with, which is cheaper than computing their indices.
  @usableFromInline package struct Position {
    fileprivate let place: Int
    fileprivate let offset: Int
  }

  /// Traps if the list does not contain the handle.
  @usableFromInline package func position(of handle: Int32) -> Position {
    let (place, offset) = locate(handle)
    return Position(place: place, offset: offset)
  }

  @usableFromInline package func position(at index: Int) -> Position {
    let (place, offset) = list.locate(index)
    return Position(place: place, offset: offset)
  }

  /// Traps if the list does not contain the handle.
  @usableFromInline package func isHandle(_ handle: Int32, before position: Position) -> Bool {
    let place = place(of: handle)
    if place != position.place { return place < position.place }
    return list.chunks[place].offset(of: handle) < position.offset
  }

  private func locate(_ handle: Int32) -> (place: Int, offset: Int) {
    let place = place(of: handle)
    return (place, list.chunks[place].offset(of: handle))
  }

  /// Returns the place of the chunk that contains a handle.
  private func place(of handle: Int32) -> Int {
    guard let slot = list.ledger.slot(of: handle) else {
      preconditionFailure("The list does not contain the handle \(handle).")
    }
    return Int(list.ledger.places[slot])
  }

  // MARK: - Insertion and removal

  @usableFromInline package mutating func insert(_ handle: Int32, at index: Int) {
    list.insert(handle, at: index)
  }

  @inlinable package mutating func insert(contentsOf handles: some Sequence<Int32>, at index: Int) {
    insert(packed: ContiguousArray(handles), at: index)
  }

  @usableFromInline mutating func insert(packed: ContiguousArray<Int32>, at index: Int) {
    list.insert(contentsOf: packed, at: index)
  }

  @discardableResult
  @usableFromInline package mutating func remove(at index: Int) -> Int32 {
    list.remove(at: list.locate(index))
  }

  /// Removes a handle, and returns its index. Traps if the list does not contain it.
  @discardableResult
  @usableFromInline package mutating func remove(_ handle: Int32) -> Int {
    let position = locate(handle)
    let index = list.count(before: position.place) + position.offset
    _ = list.remove(at: position)
    return index
  }

  @usableFromInline package mutating func removeSubrange(_ range: Range<Int>) {
    list.removeSubrange(range)
  }
}

extension HandleList: Sequence {
  @usableFromInline package func makeIterator() -> ChunkIterator { ChunkIterator(list.chunks) }

  @usableFromInline package var underestimatedCount: Int { count }
}

/// A table of the chunk that contains each handle. A chunk is identified by a slot, which is stable
/// while its place changes. So inserting a chunk does not affect the handles of later chunks.
private struct HandleLedger: ChunkLedger {
  /// The slot of the chunk of each handle, or `none`.
  private var slots: ContiguousArray<Int32> = []
  /// The slot of the chunk at each place.
  private var order: ContiguousArray<Int32> = []
  /// The place of the chunk of each slot.
  private(set) var places: ContiguousArray<Int32> = []
  private var free: ContiguousArray<Int32> = []

  private static let none: Int32 = -1

  func slot(of handle: Int32) -> Int? {
    guard handle >= 0, handle < slots.count else { return nil }
    let slot = slots[Int(handle)]
    return slot == Self.none ? nil : Int(slot)
  }

  mutating func open(_ opened: Range<Int>) {
    order.insert(contentsOf: repeatElement(0, count: opened.count), at: opened.lowerBound)
    for place in opened {
      if let slot = free.popLast() {
        order[place] = slot
      } else {
        order[place] = Int32(places.count)
        places.append(0)
      }
    }
    number(from: opened.lowerBound)
  }

  mutating func close(_ closed: Range<Int>) {
    free.append(contentsOf: order[closed])
    order.removeSubrange(closed)
    number(from: closed.lowerBound)
  }

  private mutating func number(from place: Int) {
    for place in place..<order.count { places[Int(order[place])] = Int32(place) }
  }

  mutating func enter(_ handles: some Sequence<Int32>, at place: Int) {
    let slot = order[place]
    var greatest: Int32 = 0
    for handle in handles { greatest = max(greatest, handle) }
    if greatest >= slots.count {
      slots.append(contentsOf: repeatElement(Self.none, count: Int(greatest) + 1 - slots.count))
    }
    slots.withUnsafeMutableBufferPointer { slots in
      for handle in handles {
        precondition(handle >= 0, "A handle must not be negative.")
        precondition(slots[Int(handle)] == Self.none, "The list contains the handle already.")
        slots[Int(handle)] = slot
      }
    }
  }

  mutating func leave(_ handles: some Sequence<Int32>, at place: Int) {
    for handle in handles { slots[Int(handle)] = Self.none }
  }
}

extension ContiguousArray<Int32> {
  /// Returns the offset of a handle that the array contains. It compares a whole block at once.
  fileprivate func offset(of handle: Int32) -> Int {
    // Safety: the loads stay within the buffer, and any bit pattern is a valid integer.
    withUnsafeBufferPointer { handles in
      let bytes = UnsafeRawBufferPointer(handles)
      let sought = SIMD16<Int32>(repeating: handle)
      var offset = 0
      while offset + 16 <= handles.count {
        let block = bytes.loadUnaligned(fromByteOffset: offset &* 4, as: SIMD16<Int32>.self)
        if any(block .== sought) { break }
        offset &+= 16
      }
      while handles[offset] != handle { offset &+= 1 }
      return offset
    }
  }
}
