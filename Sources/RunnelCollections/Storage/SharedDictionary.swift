/// A dictionary whose copies share storage. Copying is O(1), and the next change of either copy
/// copies a few small nodes instead of all entries.
///
///     var ages: SharedDictionary = ["Ann": 31, "Bob": 27]
///     let before = ages
///     ages["Bob"] = nil
///     print(before.count, ages.count)  // 2 1
///
/// Use it like `Dictionary`. The order of its elements is unspecified, and can differ between equal
/// dictionaries. Inconsistent `Hashable` conformances are tolerated: keys are the same if both
/// their hashes and the keys are equal.
///
/// *Complexity*: a copy is O(1); reading, setting or removing one key is O(log *n*).
public struct SharedDictionary<Key: Hashable, Value> {
  @usableFromInline typealias Entry = TrieEntry<Key, Value>
  @usableFromInline typealias Pair = (key: Key, value: Value)
  @usableFromInline typealias Node = TrieNode<Entry>
  @usableFromInline typealias View = TrieView<Entry>

  /// The root; nil if the dictionary is empty, and during an insertion or removal.
  @usableFromInline var root: Node?
  @usableFromInline var size = 0

  /// Creates an empty dictionary.
  @inlinable public init() {}
}

// Safety: a node is modified only while a single dictionary refers to it and is being modified.
// All other nodes are only read.
extension SharedDictionary: @unchecked Sendable where Key: Sendable, Value: Sendable {}

extension SharedDictionary {
  /// The number of keys.
  @inlinable public var count: Int { root == nil ? 0 : size }

  /// Creates a dictionary with the entries of a standard one.
  @inlinable public init(_ dictionary: [Key: Value]) {
    self.init()
    add(dictionary.map { (key: $0.key, value: $0.value) }) { $1 }
  }

  /// Creates a dictionary of pairs with distinct keys. A duplicate key traps.
  @inlinable public init(uniqueKeysWithValues pairs: some Sequence<(Key, Value)>) {
    self.init(pairs) { _, _ in
      preconditionFailure(
        "A key occurs twice. Use init(_:uniquingKeysWith:) to combine the values of duplicates.")
    }
  }

  /// Creates a dictionary of pairs. A closure combines the values of duplicate keys.
  @inlinable public init(
    _ pairs: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    self.init()
    add(pairs.map { (key: $0, value: $1) }, combine)
  }

  /// True when there are no keys.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// Returns true when both dictionaries share the same storage and neither has changed since.
  ///
  /// *Complexity*: O(1).
  @inlinable public func isIdentical(to other: SharedDictionary) -> Bool { root === other.root }

  /// The value of a key, or nil. Setting nil removes the key.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      withExtendedLifetime(root) { find(key, TriePath(key))?.pointee.value }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// The value of a key, or a default, which is inserted when it is mutated in place.
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

  /// Returns true when the dictionary contains a key.
  @inlinable public func contains(key: Key) -> Bool {
    withExtendedLifetime(root) { find(key, TriePath(key)) != nil }
  }

  /// Sets the value of a key, and returns the old one.
  @inlinable @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    exchange(value, forKey: key)?.value
  }

  /// Sets the value of a key, and returns the old value with the key that is stored.
  @inlinable mutating func exchange(_ value: Value, forKey key: Key) -> Entry? {
    let (entry, isOld) = place(key, value)
    guard isOld else { return nil }
    defer { withExtendedLifetime(root) {} }
    let former = entry.pointee
    entry.pointee.value = value
    return former
  }

  /// Removes a key, and returns its value.
  @inlinable @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    removeEntry(key)?.value
  }

  /// Removes all keys.
  @inlinable public mutating func removeAll() { self = SharedDictionary() }
}

extension SharedDictionary: Sequence {
  /// A key with its value.
  public typealias Element = (key: Key, value: Value)

  /// An iterator over the elements. Later changes of the dictionary do not affect it.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: TrieIterator<Entry>

    @inlinable init(_ root: Node?) { entries = TrieIterator(root) }

    /// Returns the next element, or nil at the end.
    @inlinable public mutating func next() -> Element? {
      entries.next().map { ($0.key, $0.value) }
    }
  }

  /// Returns an iterator over the current elements.
  @inlinable public func makeIterator() -> Iterator { Iterator(root) }

  /// The number of keys.
  @inlinable public var underestimatedCount: Int { count }

  /// Returns a dictionary of the results of a closure for each value.
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
  /// Creates a dictionary of a literal. A duplicate key traps.
  @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(uniqueKeysWithValues: elements)
  }
}

extension SharedDictionary: Equatable where Value: Equatable {
  /// Returns true when both dictionaries have equal entries, in any order.
  @inlinable public static func == (left: SharedDictionary, right: SharedDictionary) -> Bool {
    if left.isIdentical(to: right) { return true }
    return left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }
}

extension SharedDictionary: Hashable where Value: Hashable {
  /// Hashes the entries, independently of their order.
  @inlinable public func hash(into hasher: inout Hasher) {
    // Equal dictionaries can differ in order, so the hashes are combined by a commutative
    // operation.
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
  /// The entries, in the form of a standard dictionary.
  public var description: String {
    let elements = map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }
    return isEmpty ? "[:]" : "[\(elements.joined(separator: ", "))]"
  }
}
