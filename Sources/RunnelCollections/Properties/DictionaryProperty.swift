import RunnelStreams

extension LiveCollection where Base: DictionaryBase {
  /// The current value of a key, or nil.
  @inlinable
  public subscript(key: Base.Key) -> Base.Value? { value[key] }
}

extension CollectionProperty where Base: DictionaryBase {
  /// Creates a property of a dictionary.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     ages["Bones"] = 39
  ///     ages["Jim"] = nil
  @inlinable
  public convenience init<Key: Hashable, Value>(
    _ elements: [Key: Value], file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Key: Value] {
    self.init(editor: DictionaryEditor(SharedDictionary(elements)), file: file, line: line)
  }

  /// Creates a property of an empty dictionary.
  @inlinable
  public convenience init<Key: Hashable, Value>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Key: Value] {
    self.init(editor: DictionaryEditor(), file: file, line: line)
  }

  /// The value of a key. Setting it inserts or updates the key, even if the new value is equal;
  /// setting nil deletes the key. An in-place mutation such as `ages["Jim"]? += 1` copies the
  /// value; the subscript with a default can avoid that.
  @inlinable
  public subscript(key: Base.Key) -> Base.Value? {
    get { value[key] }
    set { _ = live.editOne { $0.set(key, to: newValue) } }
  }

  /// The value of a key, or a default that is inserted when it is changed.
  ///
  ///     let rooms = CollectionProperty<[String: [String]]>()
  ///     rooms["lobby", default: []].append("Jim")
  ///
  /// A closure that mutates the value, such as that of `rooms["lobby", default: []].removeAll { …
  /// }`, must not access the same key: the key may be absent during the mutation.
  ///
  /// *Complexity*: an in-place mutation, such as appending to an array, copies the value once for
  /// each event that reports it, and never while nothing observes the property.
  @inlinable
  public subscript(
    key: Base.Key, default fallback: @autoclosure () -> Base.Value
  ) -> Base.Value {
    get { value[key] ?? fallback() }
    set { _ = live.editOne { $0.set(key, to: newValue) } }
    _modify {
      var (key, lent) = takeOut(key)
      var value = lent.take() ?? fallback()
      defer { _ = live.editOne { $0.set(key, to: value) } }
      yield &value
    }
  }

  /// Removes the value of a key for an in-place mutation. It is the only reference to the value,
  /// unless an event needs another one.
  @inlinable
  func takeOut(_ key: Base.Key) -> (key: Base.Key, value: Base.Value?) {
    let core = live.core
    // A trivial value is cheaper to copy than to remove and insert.
    guard !_isPOD(Base.Value.self) else { return (key, value[key]) }
    let isObserved = core.events.isObserved
    guard let (key, old) = core.askKeys({ core.editor.takeOut(key, isObserved: isObserved) }) else {
      return (key, value[key])
    }
    return (key, old)
  }

  /// Sets the value of a key, and returns the old one.
  @inlinable
  @discardableResult
  public func updateValue(_ new: Base.Value, forKey key: Base.Key) -> Base.Value? {
    live.editOne { $0.set(key, to: new) }?.value
  }

  /// Removes a key, and returns its value.
  @inlinable
  @discardableResult
  public func removeValue(forKey key: Base.Key) -> Base.Value? {
    live.editOne { $0.set(key, to: nil) }?.value
  }

  /// Removes an arbitrary key, and returns it with its value, or nil if the dictionary is empty.
  @inlinable
  public func popFirst() -> (key: Base.Key, value: Base.Value)? {
    // A key that is not equal to itself cannot be removed.
    let first = value.first { value.contains(key: $0.key) }
    if let first { removeValue(forKey: first.key) }
    return first
  }

  /// Sets the values of keys. For a key that exists, the closure combines the old and the new
  /// value.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     ages.merge(["Jim": 34, "Bones": 39]) { _, new in new }
  @inlinable
  public func merge<Thrown: Error>(
    _ others: some Sequence<(Base.Key, Base.Value)>,
    uniquingKeysWith combine: (Base.Value, Base.Value) throws(Thrown) -> Base.Value
  ) throws(Thrown) {
    // The closure may edit this property reentrantly.
    var new: SharedDictionary<Base.Key, Base.Value> = [:]
    for (key, value) in others {
      let old = new[key] ?? self.value[key]
      new[key] = if let old { try combine(old, value) } else { value }
    }
    live.edit { for (key, value) in new { $0.set(key, to: value) } }
  }

  /// Sets the values of keys. For a key that exists, the closure combines the old and the new
  /// value.
  @inlinable
  public func merge<Thrown: Error>(
    _ others: [Base.Key: Base.Value],
    uniquingKeysWith combine: (Base.Value, Base.Value) throws(Thrown) -> Base.Value
  ) throws(Thrown) {
    try merge(others.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Deletes all keys. Observers receive deletes, not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.removeAll() }
  }

  /// Replaces the dictionary. Observers receive a reset without the differences.
  @inlinable
  public func replace(with elements: [Base.Key: Base.Value]) {
    live.edit { $0.reset(to: SharedDictionary(elements)) }
  }
}
