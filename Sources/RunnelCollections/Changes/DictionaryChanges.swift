/// What happened to a dictionary, by key: to apply it to the dictionary before makes the dictionary
/// after.
///
/// A key is in at most one of the three parts. What was removed and set again is an update, and
/// what came and went within one batch is nowhere.
public struct DictionaryChanges<Key: Hashable, Value> {
  /// A value that took the place of another.
  public struct Update {
    /// The value before.
    public let old: Value
    /// The value after, which may be equal.
    public let new: Value

    /// A value and what it became.
    @inlinable public init(old: Value, new: Value) { (self.old, self.new) = (old, new) }
  }

  /// The keys that are new, with their values.
  public let inserts: SharedDictionary<Key, Value>
  /// The keys that were set anew, with both values.
  public let updates: SharedDictionary<Key, Update>
  /// The keys that are gone, with the values they had.
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
  /// What turns a dictionary into another one. A key that both have is an update, unless its values
  /// are said to be the same.
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

  /// What takes these changes back.
  @inlinable public var inverse: DictionaryChanges {
    DictionaryChanges(
      inserts: deletes, updates: updates.mapValues { Update(old: $0.new, new: $0.old) },
      deletes: inserts)
  }

  /// Makes the dictionary after the changes of the one before them.
  @inlinable public func apply(to dictionary: inout SharedDictionary<Key, Value>) {
    forEach { dictionary[$0] = $1 }
  }

  /// Calls the closure with every key and what it has then, which is nil where it is gone.
  @inlinable func forEach(_ body: (Key, Value?) -> Void) {
    for key in deletes.keys { body(key, nil) }
    for (key, update) in updates { body(key, update.new) }
    for (key, value) in inserts { body(key, value) }
  }
}
