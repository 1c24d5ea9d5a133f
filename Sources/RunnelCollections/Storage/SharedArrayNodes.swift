/// A node that stores between `minimum` and `maximum` items in one allocation.
@usableFromInline protocol SharedArrayNode: AnyObject {
  /// The maximum number of items.
  static var maximum: Int { get }
  /// The minimum number of items. Nodes with fewer items are merged with a sibling.
  static var minimum: Int { get }
  /// Creates an empty node with capacity for `count` items.
  static func make(for count: Int) -> Self
  var count: Int { get }
  /// Appends copies of items, for which there must be capacity.
  func take(_ range: Range<Int>, of other: Self)
}

@frozen @usableFromInline struct SharedArrayLeafHeader {
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int

  @inlinable init(count: Int, capacity: Int) {
    self.count = count
    self.capacity = capacity
  }
}

/// A leaf: a run of elements in one allocation.
@usableFromInline
final class SharedArrayLeaf<Element>:
  ManagedBuffer<SharedArrayLeafHeader, Element>, SharedArrayNode
{
  /// The maximum number of elements: about one kilobyte of them, so that a copy is cheap, and fewer
  /// if a copy has to retain each element.
  @inlinable @inline(__always) static var maximum: Int {
    let most = _isPOD(Element.self) ? 128 : 64
    let fitting = 1024 / max(1, MemoryLayout<Element>.stride)
    return fitting > most ? most : fitting < 16 ? 16 : fitting
  }

  /// The minimum number of elements. Leaves with fewer elements are merged with a sibling.
  @inlinable @inline(__always) static var minimum: Int { maximum / 4 }

  /// The number of elements of each leaf when a list is built as a whole.
  @inlinable @inline(__always) static var filling: Int { maximum - maximum / 8 }

  @inlinable static func make(capacity: Int) -> SharedArrayLeaf<Element> {
    let buffer = SharedArrayLeaf<Element>.create(minimumCapacity: capacity) { _ in
      SharedArrayLeafHeader(count: 0, capacity: capacity)
    }
    return unsafeDowncast(buffer, to: SharedArrayLeaf<Element>.self)
  }

  @inlinable static func make(for count: Int) -> SharedArrayLeaf<Element> {
    make(capacity: capacity(for: count))
  }

  /// Returns the capacity for a number of elements. Large leaves, which are most, waste little.
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
    // Safety: the caller retains the leaf while it uses the pointer, and stays within its capacity.
    withUnsafeMutablePointerToElements { $0 }
  }

  @inlinable @inline(__always) var count: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
  }

  @inlinable @inline(__always) var room: Int {
    withUnsafeMutablePointerToHeader { $0.pointee.capacity }
  }

  /// Appends an element, for which there must be capacity.
  @inlinable func add(_ element: consuming Element) {
    let count = count
    (elements + count).initialize(to: element)
    self.count = count + 1
  }

  /// Makes room for an element at an offset, and returns its address. There must be capacity.
  @inlinable @inline(__always) func makeGap(at offset: Int) -> UnsafeMutablePointer<Element> {
    // Safety: the caller initializes the returned element before anything else.
    let count = count
    let place = elements + offset
    (place + 1).moveInitialize(from: place, count: count - offset)
    self.count = count + 1
    return place
  }

  @inlinable @inline(__always) func remove(at offset: Int) -> Element {
    let count = count
    let place = elements + offset
    let element = place.move()
    place.moveInitialize(from: place + 1, count: count - offset - 1)
    self.count = count - 1
    return element
  }

  /// Appends elements, for which there must be capacity. They are moved if the source no longer
  /// needs them.
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

/// A child and the number of elements up to its end.
@frozen @usableFromInline struct SharedArraySlot {
  @usableFromInline var end: Int
  @usableFromInline var node: AnyObject

  @inlinable init(end: Int, node: AnyObject) {
    self.end = end
    self.node = node
  }
}

/// The header of a branch: its child count and the ends of its children.
@frozen @usableFromInline struct SharedArrayBranchHeader {
  @usableFromInline var count = 0
  /// The number of elements up to the end of each child, in vectors of four so that they can be
  /// compared at once. The maximum marks a missing child.
  @usableFromInline var ends0 = Self.none
  @usableFromInline var ends1 = Self.none
  @usableFromInline var ends2 = Self.none
  @usableFromInline var ends3 = Self.none

  @inlinable static var none: SIMD4<Int32> { SIMD4(repeating: .max) }

  @inlinable init() {}

  /// Returns the number of children that end at an offset or before it.
  @inlinable @inline(__always) func count(upTo offset: Int) -> Int {
    let limit = SIMD4(repeating: Int32(truncatingIfNeeded: offset))
    let one = SIMD4<Int32>(repeating: 1)
    let low =
      SIMD4<Int32>().replacing(with: one, where: ends0 .<= limit)
      &+ SIMD4<Int32>().replacing(with: one, where: ends1 .<= limit)
    let high =
      SIMD4<Int32>().replacing(with: one, where: ends2 .<= limit)
      &+ SIMD4<Int32>().replacing(with: one, where: ends3 .<= limit)
    return Int((low &+ high).wrappedSum())
  }

  /// Adds an amount to the ends of the children that end after an offset. Returns the number of
  /// children before them.
  @inlinable @inline(__always) mutating func grow(after offset: Int, by amount: Int) -> Int {
    let limit = SIMD4(repeating: Int32(truncatingIfNeeded: offset))
    let amount = SIMD4(repeating: Int32(truncatingIfNeeded: amount))
    let count =
      Self.grow(&ends0, after: limit, by: amount) &+ Self.grow(&ends1, after: limit, by: amount)
      &+ Self.grow(&ends2, after: limit, by: amount) &+ Self.grow(&ends3, after: limit, by: amount)
    return Int(count.wrappedSum())
  }

  @inlinable @inline(__always) static func grow(
    _ ends: inout SIMD4<Int32>, after limit: SIMD4<Int32>, by amount: SIMD4<Int32>
  ) -> SIMD4<Int32> {
    let isBefore = ends .<= limit
    ends &+= amount.replacing(with: 0, where: isBefore .| (ends .== none))
    return SIMD4<Int32>().replacing(with: 1, where: isBefore)
  }
}

/// A branch: children of the same height, leaves or branches, in one allocation.
@usableFromInline
final class SharedArrayBranch: ManagedBuffer<SharedArrayBranchHeader, AnyObject>,
  SharedArrayNode
{
  /// The maximum number of children. A copy retains each child, so a small number is better.
  @inlinable @inline(__always) static var maximum: Int { 16 }

  /// The minimum number of children. Branches with fewer children are merged with a sibling.
  @inlinable @inline(__always) static var minimum: Int { 4 }

  @inlinable static func make() -> SharedArrayBranch {
    let buffer = SharedArrayBranch.create(minimumCapacity: maximum) { _ in
      SharedArrayBranchHeader()
    }
    return unsafeDowncast(buffer, to: SharedArrayBranch.self)
  }

  @inlinable static func make(for count: Int) -> SharedArrayBranch { make() }

  @inlinable @inline(__always) var nodes: UnsafeMutablePointer<AnyObject> {
    // Safety: the caller retains the branch while it uses the pointer, and uses at most `maximum`
    // slots.
    withUnsafeMutablePointerToElements { $0 }
  }

  /// The number of elements up to the end of each child.
  @inlinable @inline(__always) var ends: UnsafeMutablePointer<Int32> {
    // Safety: the caller retains the branch; the four vectors have the layout of 16 integers.
    withUnsafeMutablePointerToHeader { header in
      withUnsafeMutablePointer(to: &header.pointee.ends0) {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: Int32.self)
      }
    }
  }

  /// Returns a child without retaining it.
  @inlinable @inline(__always) func node(_ child: Int) -> Unmanaged<AnyObject> {
    .passUnretained(nodes[child])
  }

  @inlinable @inline(__always) var count: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
  }

  /// The number of elements.
  @inlinable var total: Int { count == 0 ? 0 : Int(ends[count - 1]) }

  /// Returns the number of elements before a child.
  @inlinable @inline(__always) func start(of child: Int) -> Int {
    child == 0 ? 0 : Int(ends[child - 1])
  }

  @inlinable @inline(__always) func child(endingAfter offset: Int) -> Int {
    withUnsafeMutablePointerToHeader { $0.pointee.count(upTo: offset) }
  }

  /// Adds an amount to the ends of the children that end after an offset. Returns the first of
  /// them, and the number of elements before it.
  @inlinable @inline(__always) func grow(after offset: Int, by amount: Int) -> (
    child: Int, start: Int
  ) {
    let child = withUnsafeMutablePointerToHeader {
      $0.pointee.grow(after: offset, by: amount)
    }
    return (child, start(of: child))
  }

  /// Appends a child, for which there must be capacity.
  @inlinable func add(_ node: AnyObject, end: Int) {
    let count = count
    (nodes + count).initialize(to: node)
    ends[count] = Int32(end)
    self.count = count + 1
  }

  /// Appends children, for which there must be capacity.
  @inlinable func take(_ range: Range<Int>, of other: SharedArrayBranch) {
    let shift = total - other.start(of: range.lowerBound)
    for child in range { add(other.nodes[child], end: Int(other.ends[child]) + shift) }
  }

  @inlinable func removeChildren(from child: Int) {
    (nodes + child).deinitialize(count: count - child)
    (ends + child).update(repeating: .max, count: count - child)
    count = child
  }

  /// The ends of the other children must be up to date.
  @inlinable func remove(_ child: Int) {
    let place = nodes + child
    let later = count - child - 1
    place.deinitialize(count: 1)
    place.moveInitialize(from: place + 1, count: later)
    (ends + child).update(from: ends + child + 1, count: later)
    ends[count - 1] = .max
    count -= 1
  }

  /// Returns a copy that shares the children.
  @usableFromInline func copy() -> SharedArrayBranch {
    // Retaining children waits for memory, one child after the other. These reads overlap.
    for child in 0..<count {
      let object = node(child).toOpaque()
      // Safety: each object begins with its type pointer, which is never zero.
      if UnsafeRawPointer(object).load(as: UInt.self) == 0 { fatalError("A node is damaged.") }
    }
    let copy = SharedArrayBranch.make()
    copy.nodes.initialize(from: nodes, count: count)
    copy.ends.update(from: ends, count: count)
    copy.count = count
    return copy
  }

  /// The ends of the other children must be up to date. Returns a new right sibling if the branch
  /// has to be split.
  @inlinable func insert(_ slot: SharedArraySlot, at child: Int) -> SharedArrayBranch? {
    let count = count
    if count < Self.maximum {
      let place = nodes + child
      (place + 1).moveInitialize(from: place, count: count - child)
      place.initialize(to: slot.node)
      (ends + child + 1).update(from: ends + child, count: count - child)
      ends[child] = Int32(slot.end)
      self.count = count + 1
      return nil
    }
    let next = SharedArrayBranch.make()
    if child == count {
      // Appending leaves full branches.
      next.add(slot.node, end: slot.end - total)
      return next
    }
    let half = count / 2
    let start = Int(ends[half - 1])
    next.take(half..<count, of: self)
    removeChildren(from: half)
    if child < half {
      _ = insert(slot, at: child)
    } else {
      _ = next.insert(
        SharedArraySlot(end: slot.end - start, node: slot.node), at: child - half)
    }
    return next
  }

  @inlinable deinit {
    withUnsafeMutablePointers { header, nodes in
      _ = nodes.deinitialize(count: header.pointee.count)
    }
  }
}
