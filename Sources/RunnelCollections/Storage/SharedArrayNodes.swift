/// What leaves and branches have in common: so much in one allocation, neither too much nor too
/// little.
@usableFromInline protocol SharedArrayNode: AnyObject {
  /// How much one has at most.
  static var maximum: Int { get }
  /// Less than this is joined with a neighbour.
  static var minimum: Int { get }
  /// An empty one with room for so much.
  static func make(for count: Int) -> Self
  var count: Int { get }
  /// Adds copies at the end, which has room.
  func take(_ range: Range<Int>, of other: Self)
}

/// What a leaf knows of itself.
@frozen @usableFromInline struct SharedArrayLeafHeader {
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int

  @inlinable init(count: Int, capacity: Int) {
    self.count = count
    self.capacity = capacity
  }
}

/// A run of elements, in one allocation.
@usableFromInline
final class SharedArrayLeaf<Element>:
  ManagedBuffer<SharedArrayLeafHeader, Element>, SharedArrayNode
{
  /// How many elements a leaf has at most: about a kilobyte of them, so that a copy is cheap, and
  /// fewer if a copy has to retain each.
  @inlinable @inline(__always) static var maximum: Int {
    let most = _isPOD(Element.self) ? 128 : 64
    let fitting = 1024 / max(1, MemoryLayout<Element>.stride)
    return fitting > most ? most : fitting < 16 ? 16 : fitting
  }

  /// Less than this is joined with a neighbour.
  @inlinable @inline(__always) static var minimum: Int { maximum / 4 }

  /// An empty leaf.
  @inlinable static func make(capacity: Int) -> SharedArrayLeaf<Element> {
    let buffer = SharedArrayLeaf<Element>.create(minimumCapacity: capacity) { _ in
      SharedArrayLeafHeader(count: 0, capacity: capacity)
    }
    return unsafeDowncast(buffer, to: SharedArrayLeaf<Element>.self)
  }

  @inlinable static func make(for count: Int) -> SharedArrayLeaf<Element> {
    make(capacity: capacity(for: count))
  }

  /// The room for so many elements: little is left over in large leaves, which are most.
  @inlinable static func capacity(for count: Int) -> Int {
    if count > maximum / 2 {
      let step = maximum / 8
      return min(maximum, (count + step - 1) / step * step)
    }
    var capacity = 4
    while capacity < count { capacity *= 2 }
    return capacity
  }

  @inlinable @inline(__always) var elements: UnsafeMutablePointer<Element> {
    // Safety: who takes the pointer keeps the leaf, and uses no more than its capacity.
    withUnsafeMutablePointerToElements { $0 }
  }

  @inlinable @inline(__always) var count: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
  }

  @inlinable @inline(__always) var room: Int {
    withUnsafeMutablePointerToHeader { $0.pointee.capacity }
  }

  /// Adds an element at the end, which has room.
  @inlinable func add(_ element: consuming Element) {
    let count = count
    (elements + count).initialize(to: element)
    self.count = count + 1
  }

  /// Inserts an element; there is room.
  @inlinable @inline(__always) func insert(_ element: consuming Element, at offset: Int) {
    let count = count
    let place = elements + offset
    (place + 1).moveInitialize(from: place, count: count - offset)
    place.initialize(to: element)
    self.count = count + 1
  }

  /// Removes an element.
  @inlinable @inline(__always) func remove(at offset: Int) -> Element {
    let count = count
    let place = elements + offset
    let element = place.move()
    place.moveInitialize(from: place + 1, count: count - offset - 1)
    self.count = count - 1
    return element
  }

  /// Adds elements at the end, which has room; they are moved if they are needed no longer.
  @inlinable func take(
    _ range: Range<Int>, of other: SharedArrayLeaf<Element>, moving: Bool
  ) {
    let source = other.elements + range.lowerBound
    let end = elements + count
    if moving {
      end.moveInitialize(from: source, count: range.count)
    } else {
      end.initialize(from: source, count: range.count)
    }
    count += range.count
  }

  @inlinable func take(_ range: Range<Int>, of other: SharedArrayLeaf<Element>) {
    take(range, of: other, moving: false)
  }

  @inlinable deinit {
    withUnsafeMutablePointers { header, elements in
      _ = elements.deinitialize(count: header.pointee.count)
    }
  }
}

/// A child and how many elements there are up to its end.
@frozen @usableFromInline struct SharedArraySlot {
  @usableFromInline var end: Int
  @usableFromInline var node: AnyObject

  @inlinable init(end: Int, node: AnyObject) {
    self.end = end
    self.node = node
  }

  /// The child without a reference to it being counted.
  @inlinable @inline(__always) var child: Unmanaged<AnyObject> { .passUnretained(node) }
}

/// Some children, in one allocation: leaves or branches, all of one height.
@usableFromInline
final class SharedArrayBranch: ManagedBuffer<Int, SharedArraySlot>,
  SharedArrayNode
{
  /// How many children a branch has at most. A copy retains each, so few are better than many.
  @inlinable @inline(__always) static var maximum: Int { 16 }

  /// Less than this is joined with a neighbour.
  @inlinable @inline(__always) static var minimum: Int { 4 }

  /// A branch without children.
  @inlinable static func make() -> SharedArrayBranch {
    let buffer = SharedArrayBranch.create(minimumCapacity: maximum) { _ in 0 }
    return unsafeDowncast(buffer, to: SharedArrayBranch.self)
  }

  @inlinable static func make(for count: Int) -> SharedArrayBranch { make() }

  @inlinable @inline(__always) var slots: UnsafeMutablePointer<SharedArraySlot> {
    // Safety: who takes the pointer keeps the branch, and uses no more than `maximum` of it.
    withUnsafeMutablePointerToElements { $0 }
  }

  @inlinable @inline(__always) var count: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee } }
    set { withUnsafeMutablePointerToHeader { $0.pointee = newValue } }
  }

  /// How many elements there are.
  @inlinable var total: Int { count == 0 ? 0 : slots[count - 1].end }

  /// How many elements there are before a child.
  @inlinable @inline(__always) func start(of child: Int) -> Int {
    child == 0 ? 0 : slots[child - 1].end
  }

  /// The first child that ends after so many elements.
  @inlinable @inline(__always) func child(endingAfter offset: Int) -> Int {
    let slots = slots
    var child = 0
    for other in 0..<count - 1 { child &+= slots[other].end <= offset ? 1 : 0 }
    return child
  }

  /// Adds children at the end, which has room.
  @inlinable func take(_ range: Range<Int>, of other: SharedArrayBranch) {
    let shift = total - other.start(of: range.lowerBound)
    let end = slots + count
    let source = other.slots
    var position = 0
    for child in range {
      let slot = source[child]
      (end + position).initialize(
        to: SharedArraySlot(end: slot.end + shift, node: slot.node))
      position += 1
    }
    count += range.count
  }

  /// Removes the children from one on.
  @inlinable func drop(from child: Int) {
    (slots + child).deinitialize(count: count - child)
    count = child
  }

  /// Removes a child; the ends of the others are right already.
  @inlinable func remove(_ child: Int) {
    let place = slots + child
    place.deinitialize(count: 1)
    place.moveInitialize(from: place + 1, count: count - child - 1)
    count -= 1
  }

  /// A copy that shares the children.
  @usableFromInline func copy() -> SharedArrayBranch {
    // To retain is to wait for memory, one child after the other; reads before that overlap.
    for child in 0..<count {
      let object = Unmanaged.passUnretained(slots[child].node).toOpaque()
      // Safety: each object begins with a word that names its type, which is never zero.
      if UnsafeRawPointer(object).load(as: UInt.self) == 0 { fatalError("A node is damaged.") }
    }
    let copy = SharedArrayBranch.make()
    copy.slots.initialize(from: slots, count: count)
    copy.count = count
    return copy
  }

  /// Adds a child; the ends of the others are right already. What has no room is returned as a
  /// branch that stands after this one.
  @inlinable func insert(_ slot: SharedArraySlot, at child: Int) -> SharedArrayBranch? {
    let count = count
    if count < Self.maximum {
      let place = slots + child
      (place + 1).moveInitialize(from: place, count: count - child)
      place.initialize(to: slot)
      self.count = count + 1
      return nil
    }
    let next = SharedArrayBranch.make()
    if child == count {
      // Appending leaves full branches behind.
      next.slots.initialize(
        to: SharedArraySlot(end: slot.end - total, node: slot.node))
      next.count = 1
      return next
    }
    let half = count / 2
    let start = slots[half - 1].end
    next.take(half..<count, of: self)
    drop(from: half)
    if child < half {
      _ = insert(slot, at: child)
    } else {
      _ = next.insert(
        SharedArraySlot(end: slot.end - start, node: slot.node), at: child - half)
    }
    return next
  }

  @inlinable deinit {
    withUnsafeMutablePointers { count, slots in
      _ = slots.deinitialize(count: count.pointee)
    }
  }
}
