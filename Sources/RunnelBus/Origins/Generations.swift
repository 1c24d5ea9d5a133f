/// A dictionary that forgets the entries that were not used for the longest time.
///
/// It keeps at least the `limit` entries that were used last, and at most twice as many.
///
/// *Complexity*: O(1), amortised.
struct Generations<Key: Hashable, Value> {
  private let limit: Int
  private var recent: [Key: Value] = [:]
  /// The entries that were not used since `recent` was full last.
  private var older: [Key: Value] = [:]

  /// True once an entry was forgotten.
  private(set) var hasForgotten = false

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { recent.count + older.count }

  /// The value for a key; using it counts.
  subscript(key: Key) -> Value? {
    mutating get {
      if let value = recent[key] { return value }
      guard let value = older.removeValue(forKey: key) else { return nil }
      add(value, for: key)
      return value
    }
    set {
      if recent[key] == nil {
        older[key] = nil
        guard let newValue else { return }
        add(newValue, for: key)
      } else {
        recent[key] = newValue
      }
    }
  }

  /// Changes the value for a key in its place, from an initial value if there is none.
  mutating func change<Output>(
    _ key: Key, from initial: @autoclosure () -> Value, _ body: (inout Value) -> Output
  ) -> Output {
    if recent[key] == nil { add(older.removeValue(forKey: key) ?? initial(), for: key) }
    return body(&recent[key, default: initial()])
  }

  /// The value for a key, which does not count as used.
  func peek(_ key: Key) -> Value? { recent[key] ?? older[key] }

  /// The values, in any order. This does not count as use.
  var values: [Value] { Array(recent.values) + older.values }

  private mutating func add(_ value: Value, for key: Key) {
    if recent.count >= limit {
      hasForgotten = hasForgotten || !older.isEmpty
      older = recent
      recent = [:]
    }
    recent[key] = value
  }
}
