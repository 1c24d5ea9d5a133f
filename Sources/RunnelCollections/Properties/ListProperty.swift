import RunnelStreams

/// Lists that can be observed: what the operators on them are defined on.
///
/// As sequences they are what there is now. Where an operator goes by the name that something has for
/// all sequences, as `map` does, it is the operator that is meant: what it makes is live.
public protocol ObservableList<Base>: ObservableCollection, Sequence
where Base: ListBase, Element == Base.Element {}

// MARK: - Reading

extension ObservableList {
  /// How many elements there are now.
  @inlinable
  public var count: Int { value.count }

  /// Whether there are none now.
  @inlinable
  public var isEmpty: Bool { value.isEmpty }

  /// The first one now.
  public var first: Base.Element? { value.first }

  /// The last one now.
  public var last: Base.Element? { value.last }

  /// The indices of all elements now.
  public var indices: Range<Int> { value.indices }
}

extension LiveCollection: ObservableList, Sequence where Base: ListBase {
  /// What it has.
  public typealias Element = Base.Element

  /// Iterates over what there is now, whatever becomes of it meanwhile.
  @inlinable
  public func makeIterator() -> SharedArray<Base.Element>.Iterator { value.makeIterator() }

  /// The element at an index now.
  @inlinable
  public subscript(index: Int) -> Base.Element { value[index] }
}

extension CollectionProperty: ObservableList, Sequence where Base: ListBase {
  /// What it has.
  public typealias Element = Base.Element

  /// Iterates over what there is now, whatever becomes of it meanwhile.
  @inlinable
  public func makeIterator() -> SharedArray<Base.Element>.Iterator { value.makeIterator() }
}

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
  @inlinable
  public subscript(index: Int) -> Base.Element {
    get { value[index] }
    set { live.edit { $0.update(index, to: newValue) } }
  }

  /// Adds an element at the end.
  @inlinable
  public func append(_ element: Base.Element) {
    live.edit { $0.insert(element, at: $0.elements.count) }
  }

  /// Adds elements at the end.
  @inlinable
  public func append(contentsOf elements: some Collection<Base.Element>) {
    live.edit { $0.insert(contentsOf: elements, at: $0.elements.count) }
  }

  /// Puts an element before the one at an index.
  @inlinable
  public func insert(_ element: Base.Element, at index: Int) {
    live.edit { $0.insert(element, at: index) }
  }

  /// Puts elements before the one at an index.
  @inlinable
  public func insert(contentsOf elements: some Collection<Base.Element>, at index: Int) {
    live.edit { $0.insert(contentsOf: elements, at: index) }
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
  public func removeFirst() -> Base.Element { remove(at: 0) }

  /// Takes out the last element.
  @inlinable
  @discardableResult
  public func removeLast() -> Base.Element { remove(at: count - 1) }

  /// Takes out the elements of a range of indices.
  @inlinable
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = range.relative(to: value)
    live.edit { $0.remove(range) }
  }

  /// Takes out all elements of which something holds.
  @inlinable
  public func removeAll(where isOut: (Base.Element) -> Bool) {
    let indices = value.indices.filter { isOut(value[$0]) }
    live.edit { editor in
      for index in indices.reversed() { editor.remove(at: index) }
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
    _ range: some RangeExpression<Int>, with elements: some Collection<Base.Element>
  ) {
    let range = range.relative(to: value)
    live.edit {
      $0.remove(range)
      $0.insert(contentsOf: elements, at: range.lowerBound)
    }
  }

  /// Moves an element to where it has the given index afterwards.
  @inlinable
  public func move(from source: Int, to destination: Int) {
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
    live.edit { $0.reset(to: SharedArray(elements)) }
  }
}
