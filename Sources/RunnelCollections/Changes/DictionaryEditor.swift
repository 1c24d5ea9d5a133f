/// A dictionary that notes what is done to it, until it is asked for the changes of a batch.
public struct DictionaryEditor<Key: Hashable, Value> {
  @usableFromInline var state: SharedDictionary<Key, Value>
  /// The dictionary as it is now.
  @inlinable public var elements: SharedDictionary<Key, Value> { state }
  /// Whether it has become another collection since the last time.
  public var isReset = false
  @usableFromInline var inserts: SharedDictionary<Key, Value> = [:]
  @usableFromInline var updates: SharedDictionary<Key, DictionaryChanges<Key, Value>.Update> = [:]
  @usableFromInline var deletes: SharedDictionary<Key, Value> = [:]

  /// Whether there are edits that nobody was told of.
  @inlinable public var isTouched: Bool {
    isReset || !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty
  }

  /// An editor of a collection to which nothing has happened yet.
  @inlinable public init(_ elements: SharedDictionary<Key, Value> = SharedDictionary<Key, Value>())
  {
    state = elements
  }

  /// Sets a key's value, or removes the key with `nil`; returns what was there before.
  @discardableResult
  @inlinable package mutating func set(_ key: Key, to value: Value?) -> (key: Key, value: Value)? {
    guard let value else {
      guard let old = state.removeEntry(key) else { return nil }
      noteRemoval(of: old.key, old.value)
      return (old.key, old.value)
    }
    // Of equal keys all have the one that was there first.
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

  /// Takes out a key to set it again, unless what it had is to be told of and nothing else knows it.
  @inlinable
  mutating func takeOut(_ key: Key, isObserved: Bool) -> (key: Key, value: Value)? {
    if inserts.contains(key: key) || updates.contains(key: key) { return set(key, to: nil) }
    // Not noted, for the note would keep the value. When it is set again, that is noted as an
    // insertion: nobody is told, for whoever comes in the meantime begins without the key, and
    // whoever comes later in the batch gets a reset.
    guard !isObserved, let entry = state.removeEntry(key) else { return nil }
    return (entry.key, entry.value)
  }

  /// Removes all keys.
  @inlinable package mutating func removeAll() {
    let removed = elements
    state = SharedDictionary()
    for (key, value) in removed {
      noteRemoval(of: key, value)
      // Whoever looked for this one would not find it.
      if !removed.contains(key: key) { isReset = true }
    }
  }

  /// Makes the edits that lead to another dictionary.
  @inlinable package mutating func apply(
    _ changes: DictionaryChanges<Key, Value>, leadingTo other: SharedDictionary<Key, Value>
  ) {
    apply(changes)
    // A key that is not equal to itself cannot be taken out.
    if state.count != other.count { reset(to: other) }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
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
  /// It cannot: what it looks through would change meanwhile.
  @inlinable public static var canNest: Bool { false }

  /// Makes it another collection, and says no more of it than that.
  @inlinable public mutating func reset(to elements: SharedDictionary<Key, Value>) {
    self = DictionaryEditor(elements)
    isReset = true
  }

  /// Makes the edits of a change.
  @inlinable public mutating func apply(_ changes: DictionaryChanges<Key, Value>) {
    changes.forEach { set($0, to: $1) }
  }

  /// Has an equal dictionary in place of its own, to share with it.
  @inlinable public mutating func share(_ elements: SharedDictionary<Key, Value>) {
    state = elements
  }
}

extension DictionaryEditor: Sendable where Key: Sendable, Value: Sendable {}
