import RunnelStreams

/// Lists that can be observed: what the operators on them are defined on.
public protocol ObservableList<Base>: ObservableCollection where Base: ListBase {}

// MARK: - Reading

extension ObservableList {
  /// The first one now.
  public var first: Base.Element? { value.first }

  /// The last one now.
  public var last: Base.Element? { value.last }

  /// The index of the first element, which is 0.
  public var startIndex: Int { 0 }

  /// The index behind the last element now.
  public var endIndex: Int { count }

  /// The indices of all elements now.
  public var indices: Range<Int> { value.indices }

  /// The elements of a range of indices now; its own indices begin at 0.
  @inlinable
  public subscript(range: some RangeExpression<Int>) -> SharedArray<Base.Element> {
    let value = value
    let range = range.relative(to: value)
    value.check(range)
    return value.part(range)
  }

  /// The index of the first element now of which something holds.
  @inlinable
  public func firstIndex(where isIt: (Base.Element) throws -> Bool) rethrows -> Int? {
    try value.firstIndex(where: isIt)
  }

  /// The index of the last element now of which something holds.
  @inlinable
  public func lastIndex(where isIt: (Base.Element) throws -> Bool) rethrows -> Int? {
    try value.lastIndex(where: isIt)
  }

  /// The last element now of which something holds.
  @inlinable
  public func last(where isIt: (Base.Element) throws -> Bool) rethrows -> Base.Element? {
    try value.last(where: isIt)
  }

  /// An element now, by chance.
  @inlinable
  public func randomElement() -> Base.Element? { value.randomElement() }

  /// An element now, as a generator chooses it.
  @inlinable
  public func randomElement(
    using generator: inout some RandomNumberGenerator
  ) -> Base.Element? {
    value.randomElement(using: &generator)
  }
}

extension ObservableList where Base.Element: Equatable {
  /// The index of the first element now that is equal to something.
  @inlinable
  public func firstIndex(of element: Base.Element) -> Int? { firstIndex { $0 == element } }

  /// The index of the last element now that is equal to something.
  @inlinable
  public func lastIndex(of element: Base.Element) -> Int? { lastIndex { $0 == element } }
}

extension LiveCollection: ObservableList where Base: ListBase {
  /// The element at an index now.
  @inlinable
  public subscript(index: Int) -> Base.Element { value[index] }
}

extension CollectionProperty: ObservableList where Base: ListBase {}

// MARK: - Changing

extension CollectionProperty where Base: ListBase {
  /// A property of the elements of an array.
  @inlinable
  public convenience init<Element>(
    _ elements: [Element], file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Element] {
    self.init(editor: ListEditor(SharedArray(elements)), file: file, line: line)
  }

  /// A property of an empty list.
  @inlinable
  public convenience init<Element>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Element] {
    self.init(editor: ListEditor(SharedArray()), file: file, line: line)
  }

  /// The element at an index. Setting it sends an update, also if the new one equals the old one.
  ///
  /// *Complexity*: logarithmic. What changes in place, such as an array that grows, is copied.
  @inlinable
  public subscript(index: Int) -> Base.Element {
    get { value[index] }
    set { live.edit { $0.update(index, to: newValue) } }
  }

  /// The elements of a range of indices; its own indices begin at 0. What is set there takes their
  /// place, and may be more or less.
  @inlinable
  public subscript(range: some RangeExpression<Int>) -> SharedArray<Base.Element> {
    get { live[range] }
    set { replaceSubrange(range, with: newValue) }
  }

  /// Adds an element at the end.
  @inlinable
  public func append(_ element: Base.Element) {
    live.edit { $0.insert(element, at: $0.elements.count) }
  }

  /// Adds elements at the end.
  @inlinable
  public func append(contentsOf elements: some Sequence<Base.Element>) {
    let new = SharedArray(elements)
    live.edit { $0.insert(contentsOf: new, at: $0.elements.count) }
  }

  /// Adds elements at the end.
  @inlinable
  public static func += (list: CollectionProperty, elements: some Sequence<Base.Element>) {
    list.append(contentsOf: elements)
  }

  /// Puts an element before the one at an index.
  @inlinable
  public func insert(_ element: Base.Element, at index: Int) {
    live.edit { $0.insert(element, at: index) }
  }

  /// Puts elements before the one at an index.
  @inlinable
  public func insert(contentsOf elements: some Sequence<Base.Element>, at index: Int) {
    let new = SharedArray(elements)
    live.edit { $0.insert(contentsOf: new, at: index) }
  }

  /// Takes out the element at an index.
  @inlinable
  @discardableResult
  public func remove(at index: Int) -> Base.Element {
    live.edit { $0.remove(at: index) }
  }

  /// Takes out the first element.
  @inlinable
  @discardableResult
  public func removeFirst() -> Base.Element {
    requireCount(of: 1)
    return remove(at: 0)
  }

  /// Takes out the last element.
  @inlinable
  @discardableResult
  public func removeLast() -> Base.Element {
    requireCount(of: 1)
    return remove(at: count - 1)
  }

  /// Takes out the last element, if there is one.
  @inlinable
  public func popLast() -> Base.Element? { isEmpty ? nil : removeLast() }

  /// Takes out so many elements at the start.
  @inlinable
  public func removeFirst(_ count: Int) {
    requireCount(of: count)
    removeSubrange(..<count)
  }

  /// Takes out so many elements at the end.
  @inlinable
  public func removeLast(_ count: Int) {
    requireCount(of: count)
    removeSubrange((self.count - count)...)
  }

  @inlinable
  func requireCount(of count: Int) {
    require(0...self.count ~= count, "\(count) of \(self.count) elements cannot be taken out.")
  }

  /// Takes out the elements of a range of indices.
  @inlinable
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = range.relative(to: value)
    live.edit { $0.remove(range) }
  }

  /// Takes out all elements of which something holds. It traps where the closure changes the list.
  @inlinable
  public func removeAll<Thrown: Error>(
    where isOut: (Base.Element) throws(Thrown) -> Bool
  ) throws(Thrown) {
    let all = value
    var indices = IndexRuns()
    for (index, element) in all.enumerated() where try isOut(element) {
      indices.append(index..<index + 1)
    }
    checkUnchanged(since: all)
    live.edit { editor in
      for range in indices.ranges.reversed() { editor.remove(range) }
    }
  }

  /// Takes out all elements: they are deleted, which is not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.remove(0..<$0.elements.count) }
  }

  /// Takes out the elements of a range of indices and puts others there.
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

  /// Moves an element to where it has the given index afterwards.
  @inlinable
  public func move(from source: Int, to destination: Int) {
    let count = count
    require(
      0..<count ~= source && 0..<count ~= destination,
      "In a list of \(count) nothing can move from \(source) to \(destination).")
    live.edit { $0.move(from: source, to: destination) }
  }

  /// Makes two elements change places.
  @inlinable
  public func swapAt(_ one: Int, _ other: Int) {
    let (low, high) = (Swift.min(one, other), Swift.max(one, other))
    guard low < high else { return }
    live.edit {
      $0.move(from: high, to: low)
      $0.move(from: low + 1, to: high)
    }
  }

  /// Makes it another list: observers are told of a reset, and not of what is different.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>) {
    let new = SharedArray(elements)
    live.edit { $0.reset(to: new) }
  }
}
