/// A dictionary that notes what is done to it, until it is asked for the changes of a batch.
public struct KeyedEditor<Key: Hashable, Value> {
  @usableFromInline var state: SharedDictionary<Key, Value>
  /// The dictionary as it is now.
  @inlinable public var elements: SharedDictionary<Key, Value> { state }
  /// Whether it has become another collection since the last time.
  public var isReset = false
  @usableFromInline var inserts: SharedDictionary<Key, Value> = [:]
  @usableFromInline var updates: SharedDictionary<Key, KeyedChanges<Key, Value>.Update> = [:]
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

  /// Sets a key's value, or removes the key with `nil`; returns the value before.
  @discardableResult
  @inlinable package mutating func set(_ key: Key, to value: Value?) -> Value? {
    guard let value else {
      let old = state.removeValue(forKey: key)
      if let old { noteRemoval(of: key, old) }
      return old
    }
    let old = state.updateValue(value, forKey: key)
    if let old { noteUpdate(of: key, old, value) } else { noteInsertion(of: key, value) }
    return old
  }

  /// Removes all keys.
  @inlinable package mutating func removeAll() {
    let removed = elements
    state = SharedDictionary()
    for (key, value) in removed {
      noteRemoval(of: key, value)
      // By what is not equal to itself nobody could find what has gone.
      if key != key { isReset = true }
    }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
  @inlinable public mutating func finish() -> KeyedChanges<Key, Value>? {
    guard !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty else { return nil }
    defer { (inserts, updates, deletes) = ([:], [:], [:]) }
    return KeyedChanges(inserts: inserts, updates: updates, deletes: deletes)
  }

  @inlinable mutating func noteInsertion(of key: Key, _ value: Value) {
    if let original = deletes.removeValue(forKey: key) {
      updates[key] = KeyedChanges.Update(old: original, new: value)
    } else {
      inserts[key] = value
    }
  }

  @inlinable mutating func noteUpdate(of key: Key, _ old: Value, _ new: Value) {
    if inserts.contains(key: key) {
      inserts[key] = new
      return
    }
    let original = updates[key]?.old ?? old
    updates[key] = KeyedChanges.Update(old: original, new: new)
  }

  @inlinable mutating func noteRemoval(of key: Key, _ old: Value) {
    if inserts.removeValue(forKey: key) != nil { return }
    deletes[key] = updates.removeValue(forKey: key)?.old ?? old
  }
}

extension KeyedEditor: CollectionEditor {
  /// Makes it another collection, and says no more of it than that.
  @inlinable public mutating func reset(to elements: SharedDictionary<Key, Value>) {
    state = elements
    isReset = true
  }

  /// Makes the edits of a change.
  @inlinable public mutating func apply(_ changes: KeyedChanges<Key, Value>) {
    changes.forEach { set($0, to: $1) }
  }

  /// Has an equal dictionary in place of its own, to share with it.
  @inlinable public mutating func share(_ elements: SharedDictionary<Key, Value>) {
    state = elements
  }
}

extension KeyedEditor: Sendable where Key: Sendable, Value: Sendable {}
