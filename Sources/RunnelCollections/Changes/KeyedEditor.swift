/// A dictionary that notes what is done to it, until it is asked for the changes of a batch.
package struct KeyedEditor<Key: Hashable, Value> {
  /// The dictionary as it is now.
  package private(set) var elements: SharedDictionary<Key, Value>
  private var changes = KeyedChanges<Key, Value>()

  package init(_ elements: SharedDictionary<Key, Value> = SharedDictionary()) {
    self.elements = elements
  }

  /// Sets a key's value, or removes the key with `nil`; returns the value before.
  @discardableResult
  package mutating func set(_ key: Key, to value: Value?) -> Value? {
    guard let value else {
      let old = elements.removeValue(forKey: key)
      if let old { noteRemoval(of: key, old) }
      return old
    }
    let old = elements.updateValue(value, forKey: key)
    if let old { noteUpdate(of: key, old, value) } else { noteInsertion(of: key, value) }
    return old
  }

  /// Removes all keys.
  package mutating func removeAll() {
    let removed = elements
    elements = SharedDictionary()
    for (key, value) in removed { noteRemoval(of: key, value) }
  }

  /// Puts another dictionary in place of this one, as the edits that lead to it. A key that both
  /// have is an update, unless its values are said to be the same.
  package mutating func replace(
    with other: SharedDictionary<Key, Value>, isSame: (Value, Value) -> Bool = { _, _ in false }
  ) {
    let before = elements
    for key in before.keys where !other.contains(key: key) { set(key, to: nil) }
    for (key, value) in other {
      if let old = before[key], isSame(old, value) { continue }
      set(key, to: value)
    }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
  package mutating func finish() -> KeyedChanges<Key, Value>? {
    guard !changes.isEmpty else { return nil }
    let finished = changes
    changes = KeyedChanges()
    return finished
  }

  private mutating func noteInsertion(of key: Key, _ value: Value) {
    if let original = changes.deletes.removeValue(forKey: key) {
      changes.updates[key] = KeyedChanges.Update(old: original, new: value)
    } else {
      changes.inserts[key] = value
    }
  }

  private mutating func noteUpdate(of key: Key, _ old: Value, _ new: Value) {
    if changes.inserts.updateValue(new, forKeyIfPresent: key) { return }
    let original = changes.updates[key]?.old ?? old
    changes.updates[key] = KeyedChanges.Update(old: original, new: new)
  }

  private mutating func noteRemoval(of key: Key, _ old: Value) {
    if changes.inserts.removeValue(forKey: key) != nil { return }
    changes.deletes[key] = changes.updates.removeValue(forKey: key)?.old ?? old
  }
}

extension KeyedEditor: Sendable where Key: Sendable, Value: Sendable {}

extension Dictionary {
  /// Sets the value of a key that is there; whether it is.
  fileprivate mutating func updateValue(_ value: Value, forKeyIfPresent key: Key) -> Bool {
    guard let index = index(forKey: key) else { return false }
    values[index] = value
    return true
  }
}
