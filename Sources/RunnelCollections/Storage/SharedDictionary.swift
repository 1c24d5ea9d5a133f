/// A dictionary whose copies share what they have in common: a copy costs nothing, and the next
/// change to it or to the original copies a few small nodes, never the whole.
///
///     var ages: SharedDictionary = ["Ann": 31, "Bob": 27]
///     let before = ages
///     ages["Bob"] = nil
///     print(before.count, ages.count)  // 2 1
///
/// It is used like `Dictionary`. The order of its elements is not specified, and two equal
/// dictionaries may differ in it. Keys whose `==` and hash do not go together are not mistaken for
/// each other: they are one key where both are the same.
///
/// *Complexity*: a copy is O(1); to read, set or remove one key is O(log n).
public struct SharedDictionary<Key: Hashable, Value> {
  @usableFromInline typealias Entry = TrieEntry<Key, Value>
  @usableFromInline typealias Pair = (key: Key, value: Value)
  @usableFromInline typealias Node = TrieNode<Entry>
  @usableFromInline typealias View = TrieView<Entry>

  /// Nothing where the dictionary is empty, and while something is put in or taken out.
  @usableFromInline var root: Node?
  @usableFromInline var size = 0

  /// An empty dictionary.
  @inlinable public init() {}
}

// Safety: a node is written to only while a single dictionary refers to it, which is then being
// changed; all others are only read.
extension SharedDictionary: @unchecked Sendable where Key: Sendable, Value: Sendable {}

extension SharedDictionary {
  /// How many keys there are.
  @inlinable public var count: Int { root == nil ? 0 : size }

  /// A dictionary with what is in a standard one.
  @inlinable public init(_ dictionary: [Key: Value]) {
    self.init()
    add(dictionary.map { (key: $0.key, value: $0.value) }) { $1 }
  }

  /// A dictionary of pairs, no two of which have the same key.
  @inlinable public init(uniqueKeysWithValues pairs: some Sequence<(Key, Value)>) {
    self.init(pairs) { _, _ in
      preconditionFailure(
        "A key comes twice: use init(_:uniquingKeysWith:) and say which value to keep.")
    }
  }

  /// A dictionary of pairs; of two values of one key it is said which to keep.
  @inlinable public init(
    _ pairs: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    self.init()
    add(pairs.map { (key: $0, value: $1) }, combine)
  }

  /// Whether there are no keys.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// Whether both are one state, which neither changed since they were one.
  ///
  /// *Complexity*: O(1).
  @inlinable public func isIdentical(to other: SharedDictionary) -> Bool { root === other.root }

  /// The value of a key; `nil` where there is none, and to remove it.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      withExtendedLifetime(root) { find(key, TriePath(key))?.pointee.value }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// The value of a key, or what is given for a key that is not there; to change it in place.
  @inlinable
  public subscript(
    key: Key, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    get { self[key] ?? defaultValue() }
    _modify {
      let entry = place(key, defaultValue()).entry
      defer { withExtendedLifetime(root) {} }
      yield &entry.pointee.value
    }
  }

  /// Whether a key is there.
  @inlinable public func contains(key: Key) -> Bool {
    withExtendedLifetime(root) { find(key, TriePath(key)) != nil }
  }

  /// Sets the value of a key, and returns the one it had.
  @inlinable @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    exchange(value, forKey: key)?.value
  }

  /// Sets the value of a key, and returns the one it had, with the key that was and is there.
  @inlinable mutating func exchange(_ value: Value, forKey key: Key) -> Entry? {
    let (entry, isOld) = place(key, value)
    guard isOld else { return nil }
    defer { withExtendedLifetime(root) {} }
    let former = entry.pointee
    entry.pointee.value = value
    return former
  }

  /// Removes a key, and returns the value it had.
  @inlinable @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    removeEntry(key)?.value
  }

  /// Removes all keys.
  @inlinable public mutating func removeAll() { self = SharedDictionary() }
}

extension SharedDictionary: Sequence {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  /// Goes through the elements of a dictionary as it was when it began.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: TrieIterator<Entry>

    @inlinable init(_ root: Node?) { entries = TrieIterator(root) }

    /// The next element.
    @inlinable public mutating func next() -> Element? {
      entries.next().map { ($0.key, $0.value) }
    }
  }

  /// An iterator over what is there now.
  @inlinable public func makeIterator() -> Iterator { Iterator(root) }

  /// The count, which costs nothing.
  @inlinable public var underestimatedCount: Int { count }

  /// What the closure makes of each value, under the same keys.
  @inlinable public func mapValues<Output, Thrown: Error>(
    _ transform: (Value) throws(Thrown) -> Output
  ) throws(Thrown) -> SharedDictionary<Key, Output> {
    var entries: [(key: Key, value: Output)] = []
    entries.reserveCapacity(count)
    for (key, value) in self { entries.append((key, try transform(value))) }
    var result = SharedDictionary<Key, Output>()
    result.add(entries) { $1 }
    return result
  }

  /// The keys, in the order of the elements.
  @inlinable public var keys: LazyMapSequence<SharedDictionary, Key> {
    self.lazy.map { $0.key }
  }

  /// The values, in the order of the elements.
  @inlinable public var values: LazyMapSequence<SharedDictionary, Value> {
    self.lazy.map { $0.value }
  }
}

extension SharedDictionary: ExpressibleByDictionaryLiteral {
  /// A dictionary of what is written out; a key that comes twice is a mistake.
  @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(uniqueKeysWithValues: elements)
  }
}

extension SharedDictionary: Equatable where Value: Equatable {
  /// Whether both hold the same, in any order.
  @inlinable public static func == (left: SharedDictionary, right: SharedDictionary) -> Bool {
    if left.isIdentical(to: right) { return true }
    return left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }
}

extension SharedDictionary: Hashable where Value: Hashable {
  /// Feeds what is there, without its order.
  @inlinable public func hash(into hasher: inout Hasher) {
    // Equal dictionaries may differ in their order, so the elements' hashes are joined without one.
    var elements = 0
    for (key, value) in self {
      var element = Hasher()
      element.combine(key)
      element.combine(value)
      elements ^= element.finalize()
    }
    hasher.combine(elements)
  }
}

extension SharedDictionary: CustomStringConvertible {
  /// The elements as text, as the standard library has them.
  public var description: String {
    let elements = map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }
    return isEmpty ? "[:]" : "[\(elements.joined(separator: ", "))]"
  }
}
