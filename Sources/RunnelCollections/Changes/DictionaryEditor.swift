/// A dictionary with a record of its changes since the last event.
public struct DictionaryEditor<Key: Hashable, Value> {
  @usableFromInline var state: SharedDictionary<Key, Value>
  /// The current dictionary.
  @inlinable public var elements: SharedDictionary<Key, Value> { state }
  /// True when the dictionary was replaced since the last event.
  public var isReset = false
  @usableFromInline var inserts: SharedDictionary<Key, Value> = [:]
  @usableFromInline var updates: SharedDictionary<Key, DictionaryChanges<Key, Value>.Update> = [:]
  @usableFromInline var deletes: SharedDictionary<Key, Value> = [:]

  /// True when there are edits that were not delivered yet.
  @inlinable public var isTouched: Bool {
    isReset || !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty
  }

  /// Creates an editor of a dictionary, without changes.
  @inlinable public init(_ elements: SharedDictionary<Key, Value> = SharedDictionary<Key, Value>())
  {
    state = elements
  }

  /// Sets the value of a key, or removes the key with `nil`. Returns the old entry.
  @discardableResult
  @inlinable package mutating func set(_ key: Key, to value: Value?) -> (key: Key, value: Value)? {
    guard let value else {
      guard let old = state.removeEntry(key) else { return nil }
      noteRemoval(of: old.key, old.value)
      return (old.key, old.value)
    }
    // Equal keys keep the instance that was inserted first.
    let removed = deletes.isEmpty ? nil : deletes.removeEntry(key)
    let old = state.exchange(value, forKey: removed?.key ?? key)
    if let old {
      noteUpdate(of: old.key, old.value, value)
      if let removed { deletes[removed.key] = removed.value }
    } else if let removed {
      updates[removed.key] = DictionaryChanges.Update(old: removed.value, new: value)
    } else {
      inserts[key] = value
    }
    return old.map { ($0.key, $0.value) }
  }

  /// Removes a key that will be set again, so that its value can be mutated in place. Returns nil,
  /// and removes nothing, if an event needs the old value.
  @inlinable
  mutating func takeOut(_ key: Key, isObserved: Bool) -> (key: Key, value: Value)? {
    if inserts.contains(key: key) || updates.contains(key: key) { return set(key, to: nil) }
    // The removal is not recorded, because the record would keep the value. Setting the key again
    // records an insertion. Nobody observes it: an observer that is added meanwhile starts without
    // the key, and one that is added later in the batch receives a reset.
    guard !isObserved, let entry = state.removeEntry(key) else { return nil }
    return (entry.key, entry.value)
  }

  @inlinable package mutating func removeAll() {
    let removed = elements
    state = SharedDictionary()
    for (key, value) in removed {
      noteRemoval(of: key, value)
      // A lookup of this key fails (its `==` or hash is inconsistent), so send a reset.
      if !removed.contains(key: key) { isReset = true }
    }
  }

  @inlinable package mutating func apply(
    _ changes: DictionaryChanges<Key, Value>, leadingTo other: SharedDictionary<Key, Value>
  ) {
    apply(changes)
    // A key that is not equal to itself cannot be removed.
    if state.count != other.count { reset(to: other) }
  }

  /// Returns the changes since the last call, or nil if there are none.
  @inlinable public mutating func finish() -> DictionaryChanges<Key, Value>? {
    guard !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty else { return nil }
    defer { (inserts, updates, deletes) = ([:], [:], [:]) }
    return DictionaryChanges(inserts: inserts, updates: updates, deletes: deletes)
  }

  @inlinable mutating func noteUpdate(of key: Key, _ old: Value, _ new: Value) {
    if inserts.contains(key: key) {
      inserts[key] = new
      return
    }
    let original = updates[key]?.old ?? old
    updates[key] = DictionaryChanges.Update(old: original, new: new)
  }

  @inlinable mutating func noteRemoval(of key: Key, _ old: Value) {
    if inserts.removeValue(forKey: key) != nil { return }
    deletes[key] = updates.removeValue(forKey: key)?.old ?? old
  }
}

extension DictionaryEditor: CollectionEditor {
  /// False: a nested edit would change the dictionary during a lookup.
  @inlinable public static var canNest: Bool { false }

  /// Replaces the dictionary. The next event is a reset.
  @inlinable public mutating func reset(to elements: SharedDictionary<Key, Value>) {
    self = DictionaryEditor(elements)
    isReset = true
  }

  /// Makes the edits of a change.
  @inlinable public mutating func apply(_ changes: DictionaryChanges<Key, Value>) {
    changes.forEach { set($0, to: $1) }
  }

  /// Replaces the storage with that of an equal dictionary, to share it.
  @inlinable public mutating func share(_ elements: SharedDictionary<Key, Value>) {
    state = elements
  }
}

extension DictionaryEditor: Sendable where Key: Sendable, Value: Sendable {}
