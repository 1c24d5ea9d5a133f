extension SharedArray: Sequence {
  /// An iterator over the elements, one leaf at a time.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let list: SharedArray
    /// The number of elements in the previous leaves.
    @usableFromInline var passed = 0
    // Safety: the list is retained, so its leaves stay alive, and the access stays within a leaf.
    @usableFromInline var elements: UnsafeMutablePointer<Element>?
    @usableFromInline var offset = 0
    @usableFromInline var end = 0

    @inlinable init(_ list: SharedArray) {
      self.list = list
    }

    /// Returns the next element, or nil at the end.
    @inlinable public mutating func next() -> Element? {
      if offset == end, !advance() { return nil }
      return withExtendedLifetime(list.root) {
        guard let elements else { return nil }
        let element = elements[offset]
        offset &+= 1
        return element
      }
    }

    /// Advances to the next leaf.
    @inlinable @inline(never) mutating func advance() -> Bool {
      if passed == list.count { return false }
      let leaf = list.leaf(at: passed)
      elements = leaf.elements
      offset = 0
      end = leaf.count
      passed += end
      return true
    }
  }

  /// Returns an iterator over the elements.
  @inlinable public func makeIterator() -> Iterator { Iterator(self) }

  /// Returns the results of a closure for each element.
  ///
  /// *Complexity*: linear. It visits one leaf at a time, like the iterator.
  @inlinable public func map<Output, Thrown: Error>(
    _ transform: (Element) throws(Thrown) -> Output
  ) throws(Thrown) -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(count)
    for element in self { outputs.append(try transform(element)) }
    return outputs
  }

  /// Returns the index of the first element that satisfies a predicate, or nil.
  ///
  /// *Complexity*: linear. It visits one leaf at a time, like the iterator.
  @inlinable public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var index = 0
    for element in self {
      if try predicate(element) { return index }
      index += 1
    }
    return nil
  }

  /// Calls a closure with the elements if they are in contiguous memory, as those of a small list
  /// are.
  @inlinable public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    guard let root else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    guard height == 0 else { return nil }
    // Safety: the leaf is retained while the closure runs.
    return try withExtendedLifetime(root) {
      let leaf = unsafeDowncast(root, to: Leaf.self)
      return try body(UnsafeBufferPointer(start: leaf.elements, count: leaf.count))
    }
  }
}

extension SharedArray: RandomAccessCollection, MutableCollection {
  /// The index type.
  public typealias Index = Int
  /// The type of all indices.
  public typealias Indices = Range<Int>

  /// The index of the first element, which is 0.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last element, which is the count.
  @inlinable public var endIndex: Int { count }

  /// The element at an index.
  ///
  /// *Complexity*: O(log *n*).
  @inlinable public subscript(index: Int) -> Element {
    get {
      if index < 0 || index >= count { Self.trap(index, count) }
      let place = leaf(at: index)
      return withExtendedLifetime(root) { place.elements[place.offset] }
    }
    _modify {
      if index < 0 || index >= count { Self.trap(index, count) }
      let place = ownElement(at: index)
      // Safety: only this list refers to the leaf, and exclusive access to `self` lasts until the
      // end.
      defer { withExtendedLifetime(root) {} }
      yield &place.pointee
    }
  }

  /// Returns the address of an element in a leaf that only this list refers to.
  @inlinable mutating func ownElement(at index: Int) -> UnsafeMutablePointer<Element> {
    guard var node = root.take() else { Self.trap(index, count) }
    defer { root = node }
    return Self.ownElement(at: index, in: &node, height: height)
  }

  @inlinable static func ownElement(
    at offset: Int, in node: inout AnyObject, height: Int
  ) -> UnsafeMutablePointer<Element> {
    if height == 0 { return ownLeaf(&node)._withUnsafeGuaranteedRef { $0.elements } + offset }
    let (place, start) = ownBranch(&node)._withUnsafeGuaranteedRef { branch in
      let child = branch.child(endingAfter: offset)
      return (branch.nodes + child, branch.start(of: child))
    }
    return ownElement(at: offset - start, in: &place.pointee, height: height - 1)
  }

  /// Copies elements to uninitialized memory, as many as fit.
  @inlinable public func _copyContents(
    initializing buffer: UnsafeMutableBufferPointer<Element>
  ) -> (Iterator, UnsafeMutableBufferPointer<Element>.Index) {
    var iterator = makeIterator()
    var copied = 0
    while copied < buffer.count, iterator.advance() {
      guard let target = buffer.baseAddress, let source = iterator.elements else { break }
      let length = Swift.min(iterator.end, buffer.count - copied)
      (target + copied).initialize(from: source, count: length)
      iterator.offset = length
      copied += length
    }
    return withExtendedLifetime(self) { (iterator, copied) }
  }
}

extension SharedArray: RangeReplaceableCollection {
  /// Inserts an element before the one at an index, or at the end.
  ///
  /// *Complexity*: O(log *n*).
  @inlinable public mutating func insert(_ element: __owned Element, at index: Int) {
    if index < 0 || index > count { Self.trap(inserting: index, count) }
    Self.requireRoom(for: count + 1)
    var node = root.take() ?? Leaf.make(capacity: Leaf.capacity(for: 1))
    let next = Self.insert(
      element, at: index, in: &node, height: height, isLast: index == count)
    length += 1
    guard let next else {
      root = node
      return
    }
    root = Self.parent(of: node, next, height: height)
    height += 1
  }

  /// Appends an element.
  @inlinable public mutating func append(_ element: __owned Element) {
    insert(element, at: count)
  }

  /// Removes and returns the element at an index.
  ///
  /// *Complexity*: O(log *n*).
  @discardableResult
  @inlinable public mutating func remove(at index: Int) -> Element {
    if index < 0 || index >= count { Self.trap(index, count) }
    guard var node = root.take() else { Self.trap(index, count) }
    let element = Self.remove(at: index, in: &node, height: height)
    root = node
    length -= 1
    lower()
    return element
  }

  /// Removes and returns the first element.
  @discardableResult
  @inlinable public mutating func removeFirst() -> Element {
    if count == 0 { Self.trapEmpty("removeFirst()") }
    return remove(at: 0)
  }

  /// Removes and returns the last element.
  @discardableResult
  @inlinable public mutating func removeLast() -> Element {
    if count == 0 { Self.trapEmpty("removeLast()") }
    return remove(at: count - 1)
  }

  /// Removes all elements. `keepCapacity` has no effect; it exists for compatibility with `Array`.
  @inlinable public mutating func removeAll(keepingCapacity keepCapacity: Bool = false) {
    self = SharedArray()
  }

  /// Removes the elements of a range.
  ///
  /// *Complexity*: O(log *n*), plus releasing the elements.
  @inlinable public mutating func removeSubrange(_ range: Range<Int>) {
    check(range)
    if range.count <= Self.few {
      for index in range.reversed() { remove(at: index) }
    } else {
      self = Self.join(head(range.lowerBound), tail(from: range.upperBound))
    }
  }

  /// Inserts elements before the one at an index, or at the end.
  ///
  /// *Complexity*: O(*m* + log *n*), or O(log *n*) for another `SharedArray`.
  @inlinable public mutating func insert<Elements: Collection>(
    contentsOf elements: __owned Elements, at index: Int
  ) where Elements.Element == Element {
    if index < 0 || index > count { Self.trap(inserting: index, count) }
    replace(index..<index, with: elements)
  }

  /// Appends elements.
  ///
  /// *Complexity*: O(*m* + log *n*), or O(log *n*) for another `SharedArray`.
  @inlinable public mutating func append<Elements: Sequence>(contentsOf elements: __owned Elements)
  where Elements.Element == Element {
    let others = SharedArray(elements)
    if others.count <= Self.few {
      for element in others { append(element) }
    } else {
      self = Self.join(self, others)
    }
  }

  /// Replaces a range of elements.
  ///
  /// *Complexity*: O(*m* + log *n*), or O(log *n*) for another `SharedArray`.
  @inlinable public mutating func replaceSubrange<Elements: Collection>(
    _ range: Range<Int>, with elements: __owned Elements
  ) where Elements.Element == Element {
    check(range)
    replace(range, with: elements)
  }

  /// The largest number of elements that are inserted or removed one by one. For more, the tree is
  /// cut.
  @inlinable @inline(__always) static var few: Int { 12 }

  @inlinable mutating func replace<Elements: Collection>(
    _ range: Range<Int>, with elements: Elements
  ) where Elements.Element == Element {
    let others = SharedArray(elements)
    if range.count + others.count <= Self.few {
      removeSubrange(range)
      var index = range.lowerBound
      for element in others {
        insert(element, at: index)
        index += 1
      }
    } else {
      let start = Self.join(head(range.lowerBound), others)
      self = Self.join(start, tail(from: range.upperBound))
    }
  }

  @inlinable @inline(__always) func check(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > count { Self.trap(range, count) }
  }
}
