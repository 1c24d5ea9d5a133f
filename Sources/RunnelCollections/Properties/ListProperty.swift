import RunnelStreams

/// A list that can be observed: the protocol that list operators extend.
public protocol ObservableList<Base>: ObservableCollection where Base: ListBase {}

// MARK: - Reading

extension ObservableList {
  /// The current first element, or nil.
  public var first: Base.Element? { value.first }

  /// The current last element, or nil.
  public var last: Base.Element? { value.last }

  /// The index of the first element, which is 0.
  public var startIndex: Int { 0 }

  /// The index after the last element.
  public var endIndex: Int { count }

  /// The indices of the current elements.
  public var indices: Range<Int> { value.indices }

  /// The current elements of a range of indices. The indices of the result begin at 0.
  @inlinable
  public subscript(range: some RangeExpression<Int>) -> SharedArray<Base.Element> {
    let value = value
    let range = range.relative(to: value)
    value.check(range)
    return value.part(range)
  }

  /// Returns the index of the first current element that satisfies a predicate.
  @inlinable
  public func firstIndex(where predicate: (Base.Element) throws -> Bool) rethrows -> Int? {
    try value.firstIndex(where: predicate)
  }

  /// Returns the index of the first current element that satisfies a predicate, or the count, in a
  /// list in which all elements that do not satisfy it come first. A sorted list is searched in this
  /// way.
  ///
  ///     let titles = shelf.sorted(by: <)
  ///     show("\(titles.partitioningIndex { $0 >= "m" }) titles before m")
  ///
  /// *Complexity*: O(log *n*) calls of the closure.
  @inlinable
  public func partitioningIndex(
    where belongsInSecond: (Base.Element) throws -> Bool
  ) rethrows -> Int {
    try value.partitioningIndex(where: belongsInSecond)
  }

  /// Returns the index of the last current element that satisfies a predicate.
  @inlinable
  public func lastIndex(where predicate: (Base.Element) throws -> Bool) rethrows -> Int? {
    try value.lastIndex(where: predicate)
  }

  /// Returns the last current element that satisfies a predicate.
  @inlinable
  public func last(where predicate: (Base.Element) throws -> Bool) rethrows -> Base.Element? {
    try value.last(where: predicate)
  }

  /// Returns a random element of the current list.
  @inlinable
  public func randomElement() -> Base.Element? { value.randomElement() }

  /// Returns a random element of the current list, using a generator.
  @inlinable
  public func randomElement(
    using generator: inout some RandomNumberGenerator
  ) -> Base.Element? {
    value.randomElement(using: &generator)
  }
}

extension ObservableList where Base.Element: Equatable {
  /// Returns the index of the first current element that is equal to a value.
  @inlinable
  public func firstIndex(of element: Base.Element) -> Int? { firstIndex { $0 == element } }

  /// Returns the index of the last current element that is equal to a value.
  @inlinable
  public func lastIndex(of element: Base.Element) -> Int? { lastIndex { $0 == element } }
}

extension LiveCollection: ObservableList where Base: ListBase {
  /// The current element at an index.
  @inlinable
  public subscript(index: Int) -> Base.Element { value[index] }
}

extension CollectionProperty: ObservableList where Base: ListBase {}

// MARK: - Changing

extension CollectionProperty where Base: ListBase {
  /// Creates a property of an array.
  @inlinable
  public convenience init<Element>(
    _ elements: [Element], file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Element] {
    self.init(editor: ListEditor(SharedArray(elements)), file: file, line: line)
  }

  /// Creates a property of an empty list.
  @inlinable
  public convenience init<Element>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Element] {
    self.init(editor: ListEditor(SharedArray()), file: file, line: line)
  }

  /// The element at an index. Setting it sends an update, even if the new element is equal.
  ///
  /// *Complexity*: logarithmic. An in-place mutation, such as appending to an array, copies the
  /// element.
  @inlinable
  public subscript(index: Int) -> Base.Element {
    get { value[index] }
    set { live.edit { $0.update(index, to: newValue) } }
  }

  /// The elements of a range of indices. The indices of the result begin at 0. Setting it replaces
  /// the range with the new elements, whose count may differ.
  @inlinable
  public subscript(range: some RangeExpression<Int>) -> SharedArray<Base.Element> {
    get { live[range] }
    set { replaceSubrange(range, with: newValue) }
  }

  /// Appends an element.
  @inlinable
  public func append(_ element: Base.Element) {
    live.edit { $0.insert(element, at: $0.elements.count) }
  }

  /// Appends elements.
  @inlinable
  public func append(contentsOf elements: some Sequence<Base.Element>) {
    let new = SharedArray(elements)
    live.edit { $0.insert(contentsOf: new, at: $0.elements.count) }
  }

  /// Appends elements.
  @inlinable
  public static func += (list: CollectionProperty, elements: some Sequence<Base.Element>) {
    list.append(contentsOf: elements)
  }

  /// Inserts an element before the one at an index.
  @inlinable
  public func insert(_ element: Base.Element, at index: Int) {
    live.edit { $0.insert(element, at: index) }
  }

  /// Inserts elements before the one at an index.
  @inlinable
  public func insert(contentsOf elements: some Sequence<Base.Element>, at index: Int) {
    let new = SharedArray(elements)
    live.edit { $0.insert(contentsOf: new, at: index) }
  }

  /// Removes and returns the element at an index.
  @inlinable
  @discardableResult
  public func remove(at index: Int) -> Base.Element {
    live.edit { $0.remove(at: index) }
  }

  /// Removes and returns the first element.
  @inlinable
  @discardableResult
  public func removeFirst() -> Base.Element {
    requireCount(of: 1)
    return remove(at: 0)
  }

  /// Removes and returns the last element.
  @inlinable
  @discardableResult
  public func removeLast() -> Base.Element {
    requireCount(of: 1)
    return remove(at: count - 1)
  }

  /// Removes and returns the last element, or returns nil if the list is empty.
  @inlinable
  public func popLast() -> Base.Element? { isEmpty ? nil : removeLast() }

  /// Removes the first `count` elements.
  @inlinable
  public func removeFirst(_ count: Int) {
    requireCount(of: count)
    removeSubrange(..<count)
  }

  /// Removes the last `count` elements.
  @inlinable
  public func removeLast(_ count: Int) {
    requireCount(of: count)
    removeSubrange((self.count - count)...)
  }

  @inlinable
  func requireCount(of count: Int) {
    require(
      0...self.count ~= count,
      "Cannot remove \(count) of \(self.count) elements. Pass 0 to `count`.")
  }

  /// Removes the elements of a range of indices.
  @inlinable
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = range.relative(to: value)
    live.edit { $0.remove(range) }
  }

  /// Removes all elements that satisfy a predicate. Traps if the closure changes the list.
  @inlinable
  public func removeAll<Thrown: Error>(
    where shouldBeRemoved: (Base.Element) throws(Thrown) -> Bool
  ) throws(Thrown) {
    let all = value
    var indices = IndexRuns()
    for (index, element) in all.enumerated() where try shouldBeRemoved(element) {
      indices.append(index..<index + 1)
    }
    checkUnchanged(since: all)
    live.edit { editor in
      for range in indices.ranges.reversed() { editor.remove(range) }
    }
  }

  /// Deletes all elements. Observers receive deletes, not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.remove(0..<$0.elements.count) }
  }

  /// Replaces the elements of a range of indices.
  @inlinable
  public func replaceSubrange(
    _ range: some RangeExpression<Int>, with elements: some Sequence<Base.Element>
  ) {
    let new = SharedArray(elements)
    let range = range.relative(to: value)
    live.edit {
      $0.remove(range)
      $0.insert(contentsOf: new, at: range.lowerBound)
    }
  }

  /// Moves an element. `destination` is its index after the move.
  @inlinable
  public func move(from source: Int, to destination: Int) {
    let count = count
    require(
      0..<count ~= source && 0..<count ~= destination,
      "Cannot move from \(source) to \(destination) in a list of \(count). Use valid indices.")
    live.edit { $0.move(from: source, to: destination) }
  }

  /// Exchanges two elements.
  @inlinable
  public func swapAt(_ one: Int, _ other: Int) {
    let (low, high) = (Swift.min(one, other), Swift.max(one, other))
    guard low < high else { return }
    live.edit {
      $0.move(from: high, to: low)
      $0.move(from: low + 1, to: high)
    }
  }

  /// Replaces the list. Observers receive a reset without the differences.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>) {
    let new = SharedArray(elements)
    live.edit { $0.reset(to: new) }
  }
}
