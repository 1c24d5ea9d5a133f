/// A change of a dictionary, by key. Applying it to the old dictionary yields the new one.
///
/// A key is in at most one of the three parts. A key that was removed and set again is an update. A
/// key that was inserted and removed within one batch is in none.
public struct DictionaryChanges<Key: Hashable, Value> {
  /// A value that replaced another one.
  public struct Update {
    /// The value before the change.
    public let old: Value
    /// The value after the change. It can be equal to the old one.
    public let new: Value

    /// Creates an update from an old and a new value.
    @inlinable public init(old: Value, new: Value) { (self.old, self.new) = (old, new) }
  }

  /// The inserted keys with their values.
  public let inserts: SharedDictionary<Key, Value>
  /// The updated keys with their old and new values.
  public let updates: SharedDictionary<Key, Update>
  /// The deleted keys with their old values.
  public let deletes: SharedDictionary<Key, Value>

  @inlinable package init(
    inserts: SharedDictionary<Key, Value>, updates: SharedDictionary<Key, Update>,
    deletes: SharedDictionary<Key, Value>
  ) {
    (self.inserts, self.updates, self.deletes) = (inserts, updates, deletes)
  }
}

extension DictionaryChanges: Sendable where Key: Sendable, Value: Sendable {}
extension DictionaryChanges: Equatable where Value: Equatable {}
extension DictionaryChanges.Update: Sendable where Value: Sendable {}
extension DictionaryChanges.Update: Equatable where Value: Equatable {}

extension DictionaryChanges {
  /// A key in both dictionaries is an update, unless `isSame` returns true for its values.
  @inlinable package init(
    from old: SharedDictionary<Key, Value>, to new: SharedDictionary<Key, Value>,
    isSame: (Value, Value) -> Bool
  ) {
    var inserts = SharedDictionary<Key, Value>()
    var updates = SharedDictionary<Key, Update>()
    var deletes = SharedDictionary<Key, Value>()
    for (key, value) in old where !new.contains(key: key) { deletes[key] = value }
    for (key, value) in new {
      if let before = old[key] {
        if !isSame(before, value) { updates[key] = Update(old: before, new: value) }
      } else {
        inserts[key] = value
      }
    }
    self.init(inserts: inserts, updates: updates, deletes: deletes)
  }

  /// The change that undoes this one.
  @inlinable public var inverse: DictionaryChanges {
    DictionaryChanges(
      inserts: deletes, updates: updates.mapValues { Update(old: $0.new, new: $0.old) },
      deletes: inserts)
  }

  /// Applies the change to the old dictionary, which becomes the new one.
  @inlinable public func apply(to dictionary: inout SharedDictionary<Key, Value>) {
    forEach { dictionary[$0] = $1 }
  }

  /// Calls a closure with every changed key and its new value, which is nil for a deleted key.
  @inlinable func forEach(_ body: (Key, Value?) -> Void) {
    for key in deletes.keys { body(key, nil) }
    for (key, update) in updates { body(key, update.new) }
    for (key, value) in inserts { body(key, value) }
  }
}
