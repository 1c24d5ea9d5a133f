/// Makes a list out of elements that come in order. Each leaf is filled before the next, but for some
/// room: or the next insertions would cut them all.
@usableFromInline struct SharedArrayBuilder<Element> {
  @usableFromInline typealias Leaf = SharedArrayLeaf<Element>

  /// The leaves that are full.
  @usableFromInline var leaves: [AnyObject] = []
  /// The one that is being filled.
  @usableFromInline var leaf: Leaf {
    didSet { limit = Swift.min(leaf.room, Leaf.filling) }
  }
  /// How far the leaf is to be filled.
  @usableFromInline var limit: Int
  @usableFromInline var filled = 0

  @inlinable init(expecting count: Int = Leaf.maximum) {
    leaf = Leaf.make(capacity: count < Leaf.filling ? Swift.max(count, 4) : Leaf.maximum)
    limit = Swift.min(leaf.room, Leaf.filling)
    // What a sequence says of its length may be anything.
    if count > Leaf.maximum { leaves.reserveCapacity(Swift.min(count, 1 << 20) / Leaf.filling + 1) }
  }

  @inlinable @inline(__always) mutating func append(_ element: Element) {
    if filled == limit { makeRoom() }
    (leaf.elements + filled).initialize(to: element)
    filled += 1
    leaf.count = filled
  }

  @inlinable mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard var next = elements.baseAddress else { return }
    var rest = elements.count
    while rest > 0 {
      if filled == limit { makeRoom() }
      let length = Swift.min(rest, limit - filled)
      (leaf.elements + filled).initialize(from: next, count: length)
      filled += length
      leaf.count = filled
      next += length
      rest -= length
    }
  }

  /// Adds those of the elements from one on for which a word has a one.
  @inlinable mutating func append(
    _ elements: UnsafeBufferPointer<Element>, _ start: Int, _ word: UInt64
  ) {
    var rest = word
    while rest != 0 {
      append(elements[start &+ rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
  }

  @inlinable @inline(never) mutating func makeRoom() {
    guard filled < Leaf.filling else {
      leaves.append(leaf)
      leaf = Leaf.make(capacity: Leaf.maximum)
      filled = 0
      return
    }
    let larger = Leaf.make(capacity: Leaf.capacity(for: filled + 1))
    larger.take(0..<filled, of: leaf, moving: true)
    leaf.count = 0
    leaf = larger
  }

  /// The list of what was added.
  @inlinable consuming func finish() -> SharedArray<Element> {
    let last = leaf
    var leaves = leaves
    if last.count > 0 { leaves.append(last) }
    guard let first = leaves.first else { return SharedArray() }
    if leaves.count == 1 { return SharedArray(root: first, height: 0) }
    if last.count < Leaf.minimum, var right = leaves.popLast(), var left = leaves.popLast() {
      let isOne = SharedArray<Element>.balance(&left, &right, height: 0)
      leaves.append(left)
      if !isOne { leaves.append(right) }
    }
    var nodes = leaves
    var height = 0
    while nodes.count > 1 {
      // Children are spread evenly, so no branch at the end has only a few.
      let branches = (nodes.count + SharedArrayBranch.maximum - 1) / SharedArrayBranch.maximum
      var parents: [AnyObject] = []
      parents.reserveCapacity(branches)
      for number in 0..<branches {
        let range = nodes.count * number / branches..<nodes.count * (number + 1) / branches
        let branch = SharedArrayBranch.make()
        var end = 0
        for node in nodes[range] {
          end += SharedArray<Element>.count(of: node, height: height)
          branch.add(node, end: end)
        }
        parents.append(branch)
      }
      nodes = parents
      height += 1
    }
    return SharedArray(root: nodes[0], height: height)
  }
}

extension SharedArray {
  /// The elements of a sequence.
  ///
  /// *Complexity*: O(*n*); O(1) for another `SharedArray`.
  @inlinable public init<Elements: Sequence>(_ elements: Elements)
  where Elements.Element == Element {
    if Elements.self == SharedArray.self {
      // Safety: the types are the same.
      self = unsafeBitCast(elements, to: SharedArray.self)
      return
    }
    let whole = elements.withContiguousStorageIfAvailable { SharedArray(contentsOf: $0) }
    if let whole {
      self = whole
      return
    }
    var builder = SharedArrayBuilder<Element>(expecting: elements.underestimatedCount)
    for element in elements { builder.append(element) }
    self = builder.finish()
  }

  @inlinable init(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let start = elements.baseAddress, elements.count > 0 else {
      self.init()
      return
    }
    var builder = SharedArrayBuilder<Element>(expecting: 0)
    var position = 0
    while elements.count - position > Leaf.filling {
      builder.leaves.append(
        Self.leaf(of: start + position, count: Leaf.filling, room: Leaf.maximum))
      position += Leaf.filling
    }
    let rest = elements.count - position
    builder.leaf = Self.leaf(of: start + position, count: rest, room: Leaf.capacity(for: rest))
    self = builder.finish()
  }

  @inlinable static func leaf(
    of elements: UnsafePointer<Element>, count: Int, room: Int
  ) -> Leaf {
    let leaf = Leaf.make(capacity: room)
    leaf.elements.initialize(from: elements, count: count)
    leaf.count = count
    return leaf
  }

  /// An element so many times.
  @inlinable public init(repeating element: Element, count: Int) {
    if count < 0 { Self.trap(repeating: count) }
    self.init(repeatElement(element, count: count))
  }

  @usableFromInline @inline(never) static func trap(repeating count: Int) -> Never {
    fatalError("A list cannot have \(count) elements: give it zero or more.")
  }
}

extension SharedArray: ExpressibleByArrayLiteral {
  /// The elements of a literal.
  @inlinable public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}
