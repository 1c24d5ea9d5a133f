/// A builder of a list from elements in order. It leaves spare capacity in each leaf, otherwise the
/// next insertions would split all of them.
@usableFromInline struct SharedArrayBuilder<Element> {
  @usableFromInline typealias Leaf = SharedArrayLeaf<Element>

  /// The complete leaves.
  @usableFromInline var leaves: [AnyObject] = []
  /// The leaf being filled. Its count is set when it is complete.
  @usableFromInline var leaf: Leaf
  /// The position of the next element.
  @usableFromInline var place: UnsafeMutablePointer<Element>
  /// The position at which the leaf is complete.
  @usableFromInline var limit: UnsafeMutablePointer<Element>

  @inlinable init(expecting count: Int = Leaf.maximum) {
    self.init(
      filling: Leaf.make(capacity: count < Leaf.filling ? Swift.max(count, 4) : Leaf.maximum))
    // The underestimated count of a sequence is not trustworthy.
    if count > Leaf.maximum { leaves.reserveCapacity(Swift.min(count, 1 << 20) / Leaf.filling + 1) }
  }

  @inlinable init(filling leaf: Leaf) {
    self.leaf = leaf
    place = leaf.elements + leaf.count
    limit = leaf.elements + Swift.min(leaf.room, Leaf.filling)
  }

  @inlinable @inline(__always) mutating func append(_ element: Element) {
    if place == limit { makeRoom() }
    // Safety: the leaf is retained, and has capacity up to the limit.
    place.initialize(to: element)
    place += 1
  }

  @inlinable mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard var next = elements.baseAddress else { return }
    var rest = elements.count
    while rest > 0 {
      if place == limit { makeRoom() }
      let length = Swift.min(rest, limit - place)
      place.initialize(from: next, count: length)
      place += length
      next += length
      rest -= length
    }
  }

  /// Appends the elements from `start` on whose bit in a word is one.
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
    let filled = place - leaf.elements
    let next: Leaf
    if filled < Leaf.filling {
      next = Leaf.make(capacity: Leaf.capacity(for: filled + 1))
      next.take(0..<filled, of: leaf, moving: true)
      leaf.count = 0
    } else {
      next = Leaf.make(capacity: Leaf.maximum)
      leaf.count = filled
      leaves.append(leaf)
    }
    leaf = next
    place = next.elements + next.count
    limit = next.elements + Swift.min(next.room, Leaf.filling)
  }

  @inlinable consuming func finish() -> SharedArray<Element> {
    let last = leaf
    last.count = place - last.elements
    if leaves.isEmpty {
      return last.count > 0 ? SharedArray(root: last, height: 0) : SharedArray()
    }
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
      // Distribute the children evenly, so that the last branch is not too small.
      let branches = (nodes.count + SharedArrayBranch.maximum - 1) / SharedArrayBranch.maximum
      var parents: [AnyObject] = []
      parents.reserveCapacity(branches)
      for number in 0..<branches {
        let range = nodes.count * number / branches..<nodes.count * (number + 1) / branches
        let branch = SharedArrayBranch.make()
        var end = 0
        for node in nodes[range] {
          end += SharedArray<Element>.count(of: node, height: height)
          SharedArray<Element>.requireRoom(for: end)
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
  /// Creates a list of the elements of a sequence.
  ///
  /// *Complexity*: O(*n*), or O(1) for another `SharedArray`.
  @inlinable public init<Elements: Sequence>(_ elements: Elements)
  where Elements.Element == Element {
    if Elements.self == SharedArray.self {
      // Safety: both types are the same.
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
    var leaves: [AnyObject] = []
    var position = 0
    while elements.count - position > Leaf.filling {
      leaves.append(Self.leaf(of: start + position, count: Leaf.filling, room: Leaf.maximum))
      position += Leaf.filling
    }
    let rest = elements.count - position
    var builder = SharedArrayBuilder<Element>(
      filling: Self.leaf(of: start + position, count: rest, room: Leaf.capacity(for: rest)))
    builder.leaves = leaves
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

  /// Creates a list that repeats an element.
  @inlinable public init(repeating element: Element, count: Int) {
    if count < 0 { Self.trap(repeating: count) }
    Self.requireRoom(for: count)
    self.init(repeatElement(element, count: count))
  }

  @usableFromInline @inline(never) static func trap(repeating count: Int) -> Never {
    fatalError("A list cannot have \(count) elements. Pass 0 or more.")
  }
}

extension SharedArray: ExpressibleByArrayLiteral {
  /// Creates a list of the elements of a literal.
  @inlinable public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}
