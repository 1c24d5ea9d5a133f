/// An array whose copies share storage. Copying is O(1), and the next change of either copy copies
/// a path of small nodes instead of all elements.
///
///     let before = SharedArray(0..<1_000_000)
///     var after = before
///     after.insert(-1, at: 500_000)
///
/// Use it like `Array`. Reading, replacing, inserting and removing an element anywhere is O(log
/// *n*). A `for` loop over all elements is as fast as that of an array.
///
/// It can hold 2,147,483,646 elements (2³¹ − 2). Adding more traps.
public struct SharedArray<Element> {
  /// The root, which is a leaf or a branch; nil if the list is empty.
  @usableFromInline var root: AnyObject?
  /// The number of branches above each leaf.
  @usableFromInline var height: Int
  @usableFromInline var length: Int

  @usableFromInline typealias Leaf = SharedArrayLeaf<Element>
  @usableFromInline typealias Branch = SharedArrayBranch
  @usableFromInline typealias Slot = SharedArraySlot

  /// Creates an empty list.
  @inlinable public init() {
    root = nil
    height = 0
    length = 0
  }

  @inlinable init(root: AnyObject, height: Int) {
    self.root = root
    self.height = height
    length = Self.count(of: root, height: height)
  }

  @inlinable static func count(of node: AnyObject, height: Int) -> Int {
    height == 0
      ? unsafeDowncast(node, to: Leaf.self).count
      : unsafeDowncast(node, to: Branch.self).total
  }

  /// The number of elements.
  @inlinable public var count: Int { length }

  /// Returns true when both lists share the same storage and neither has changed since.
  ///
  /// *Complexity*: O(1).
  @inlinable public func isIdentical(to other: SharedArray) -> Bool {
    root === other.root && count == other.count
  }
}

// MARK: - Reading

extension SharedArray {
  /// Returns the leaf that contains an element, the element's offset in it and the leaf's count.
  @inlinable @inline(__always)
  func leaf(at index: Int) -> (elements: UnsafeMutablePointer<Element>, offset: Int, count: Int) {
    // Safety: `self` retains the root, which retains the nodes below. No node is retained on the
    // way,
    // because that would dominate the cost. Callers extend the lifetime of the root while they
    // read.
    guard let root else { Self.trap(index, count) }
    var node = Unmanaged.passUnretained(root)
    var offset = index
    var level = height
    while level > 0 {
      node = node._withUnsafeGuaranteedRef { object in
        let branch = unsafeDowncast(object, to: Branch.self)
        let child = branch.child(endingAfter: offset)
        offset -= branch.start(of: child)
        return branch.node(child)
      }
      level -= 1
    }
    return node._withUnsafeGuaranteedRef { object in
      let leaf = unsafeDowncast(object, to: Leaf.self)
      return (leaf.elements, offset, leaf.count)
    }
  }

  /// Calls a closure with the elements of each leaf, in order.
  @inlinable package func forEachLeaf(
    _ body: (UnsafeBufferPointer<Element>) throws -> Void
  ) rethrows {
    guard let root else { return }
    try Self.forEachLeaf(in: root, height: height, body)
  }

  @inlinable static func forEachLeaf(
    in node: AnyObject, height: Int, _ body: (UnsafeBufferPointer<Element>) throws -> Void
  ) rethrows {
    if height == 0 {
      let leaf = unsafeDowncast(node, to: Leaf.self)
      // Safety: the leaf is retained while the closure runs.
      try withExtendedLifetime(leaf) {
        try body(UnsafeBufferPointer(start: leaf.elements, count: leaf.count))
      }
    } else {
      let branch = unsafeDowncast(node, to: Branch.self)
      for child in 0..<branch.count {
        try forEachLeaf(in: branch.nodes[child], height: height - 1, body)
      }
    }
  }

  /// Calls a closure with the elements of a range, in order, one leaf at a time.
  @inlinable package func forEachPiece(
    of range: Range<Int>, _ body: (UnsafeBufferPointer<Element>) throws -> Void
  ) rethrows {
    var index = range.lowerBound
    while index < range.upperBound {
      let (elements, offset, count) = leaf(at: index)
      let length = Swift.min(count - offset, range.upperBound - index)
      // Safety: the root is retained while the closure runs, and the access stays within a leaf.
      try withExtendedLifetime(root) {
        try body(UnsafeBufferPointer(start: elements + offset, count: length))
      }
      index += length
    }
  }

  /// Returns the index of the first element that satisfies a predicate, in a list in which all
  /// elements that do not satisfy it come first.
  ///
  /// *Complexity*: O(log *n*) calls of the closure, in one descent of the tree.
  @inlinable package func partitioningIndex(
    where belongsInSecond: (Element) throws -> Bool
  ) rethrows -> Int {
    try partition(where: belongsInSecond).index
  }

  /// Returns the partitioning index, and the element there if there is one.
  @inlinable func partition(
    where belongsInSecond: (Element) throws -> Bool
  ) rethrows -> (index: Int, element: Element?) {
    guard let root else { return (0, nil) }
    // Safety: as in `leaf(at:)`.
    var node = Unmanaged.passUnretained(root)
    var index = 0
    for level in (0..<height).reversed() {
      node = try node._withUnsafeGuaranteedRef { object in
        let branch = unsafeDowncast(object, to: Branch.self)
        if level == 0 { Self.readAhead(branch) }
        // Find the last child that starts with an element of the first part, or the first child.
        var low = 0
        var high = branch.count
        while high - low > 1 {
          let middle = (low + high) / 2
          let first = Self.first(of: branch.node(middle), height: level)
          if try belongsInSecond(first.pointee) {
            high = middle
          } else {
            low = middle
          }
        }
        index += branch.start(of: low)
        return branch.node(low)
      }
    }
    return try node._withUnsafeGuaranteedRef { object in
      let leaf = unsafeDowncast(object, to: Leaf.self)
      if height > 1 { Self.readAhead(leaf) }
      var low = 0
      var high = leaf.count
      while low < high {
        let middle = (low + high) / 2
        if try belongsInSecond(leaf.elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return withExtendedLifetime(root) {
        if low < leaf.count { return (index + low, leaf.elements[low]) }
        return (index + low, index + low < count ? self[index + low] : nil)
      }
    }
  }

  /// Reads the first bytes of the leaves below a branch. Independent reads overlap, whereas those
  /// of a search wait for each other, which is most of its cost outside the cache.
  @inlinable
  static func readAhead(_ branch: Branch) {
    var sum = 0
    for child in 0..<branch.count {
      let first = first(of: branch.node(child), height: 0)
      // Safety: a leaf has at least one element, and any byte is a valid integer.
      sum &+= Int(UnsafeRawPointer(first).load(as: UInt8.self))
    }
    keep(sum)
  }

  /// Reads a byte of each cache line of a leaf, to prefetch it.
  @inlinable
  static func readAhead(_ leaf: Leaf) {
    // Safety: the caller retains the leaf, and any byte is a valid integer.
    let bytes = UnsafeRawBufferPointer(
      start: leaf.elements, count: leaf.count * MemoryLayout<Element>.stride)
    var sum = 0
    for offset in stride(from: 0, to: bytes.count, by: 64) { sum &+= Int(bytes[offset]) }
    keep(sum)
  }

  /// Prevents the optimizer from removing the computation of a number.
  @usableFromInline @inline(never) static func keep(_ number: Int) {}

  @inlinable
  static func first(
    of node: Unmanaged<AnyObject>, height: Int
  ) -> UnsafeMutablePointer<Element> {
    // Safety: the caller retains the node, which retains those below.
    var node = node
    for _ in 0..<height {
      node = node._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Branch.self).node(0) }
    }
    return node._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Leaf.self).elements }
  }
}

// MARK: - Limits and traps

extension SharedArray {
  /// The greatest number of elements. Branches store 32-bit counts, and the maximum of these marks
  /// a missing child.
  @inlinable @inline(__always) static var maximumCount: Int { Int(Int32.max) - 1 }

  @inlinable @inline(__always) static func requireRoom(for count: Int) {
    if count > maximumCount { trap(tooMany: count) }
  }

  @usableFromInline @inline(never) static func trap(tooMany count: Int) -> Never {
    fatalError(
      "A list cannot have \(elements(count)): the limit is \(maximumCount). Use several lists.")
  }

  @usableFromInline @inline(never) static func trap(_ index: Int, _ count: Int) -> Never {
    fatalError("Index \(index) is out of range of a list of \(elements(count)).")
  }

  @usableFromInline @inline(never)
  static func trap(inserting index: Int, _ count: Int) -> Never {
    fatalError(
      "Cannot insert at index \(index) into a list of \(elements(count)). "
        + "Pass 0 to \(count).")
  }

  @usableFromInline @inline(never)
  static func trap(_ range: Range<Int>, _ count: Int) -> Never {
    fatalError("Range \(range) is out of range of a list of \(elements(count)).")
  }

  @usableFromInline @inline(never) static func trapEmpty(_ name: String) -> Never {
    fatalError("\(name) was called on an empty list. Check isEmpty first.")
  }

  private static func elements(_ count: Int) -> String {
    count == 1 ? "1 element" : "\(count) elements"
  }
}
