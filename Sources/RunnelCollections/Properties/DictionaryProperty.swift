import RunnelStreams

extension LiveCollection where Base: DictionaryBase {
  /// What a key has now.
  @inlinable
  public subscript(key: Base.Key) -> Base.Value? { value[key] }
}

extension CollectionProperty where Base: DictionaryBase {
  /// A property of a dictionary.
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

  /// A property of an empty dictionary.
  @inlinable
  public convenience init<Key: Hashable, Value>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == [Key: Value] {
    self.init(editor: DictionaryEditor(), file: file, line: line)
  }

  /// What a key has. Setting it inserts or updates, also if the new value equals the old one; nil
  /// deletes. What changes in place, as `ages["Jim"]? += 1` does, is copied; see the subscript with a
  /// default.
  @inlinable
  public subscript(key: Base.Key) -> Base.Value? {
    get { value[key] }
    set { _ = live.editOne { $0.set(key, to: newValue) } }
  }

  /// What a key has, or something else that is set when it is changed.
  ///
  ///     let rooms = CollectionProperty<[String: [String]]>()
  ///     rooms["lobby", default: []].append("Jim")
  ///
  /// A closure that changes the value, as that of `rooms["lobby", default: []].removeAll { … }`
  /// does, must not ask for the same key: the value may be away, for as long as it is changed.
  ///
  /// *Complexity*: what changes in place, as an array that grows, is copied once for each event
  /// that tells of it, and not at all while nobody observes.
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

  /// What a key has, for a change in place: the only reference to it, where no event needs another one.
  @inlinable
  func takeOut(_ key: Base.Key) -> (key: Base.Key, value: Base.Value?) {
    let core = live.core
    // What has no references is copied in less time than it is taken out and put back.
    guard !_isPOD(Base.Value.self) else { return (key, value[key]) }
    let isObserved = core.events.isObserved
    guard let (key, old) = core.askKeys({ core.editor.takeOut(key, isObserved: isObserved) }) else {
      return (key, value[key])
    }
    return (key, old)
  }

  /// Sets what a key has, and returns what it had.
  @inlinable
  @discardableResult
  public func updateValue(_ new: Base.Value, forKey key: Base.Key) -> Base.Value? {
    live.editOne { $0.set(key, to: new) }?.value
  }

  /// Takes out a key, and returns what it had.
  @inlinable
  @discardableResult
  public func removeValue(forKey key: Base.Key) -> Base.Value? {
    live.editOne { $0.set(key, to: nil) }?.value
  }

  /// Takes out some key, and returns it and what it had, if there is one.
  @inlinable
  public func popFirst() -> (key: Base.Key, value: Base.Value)? {
    // One that is not equal to itself cannot be taken out.
    let first = value.first { value.contains(key: $0.key) }
    if let first { removeValue(forKey: first.key) }
    return first
  }

  /// Sets the values of keys; of two values of one key it is said which to have.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     ages.merge(["Jim": 34, "Bones": 39]) { _, new in new }
  @inlinable
  public func merge<Thrown: Error>(
    _ others: some Sequence<(Base.Key, Base.Value)>,
    uniquingKeysWith combine: (Base.Value, Base.Value) throws(Thrown) -> Base.Value
  ) throws(Thrown) {
    // Whoever is asked may edit this one.
    var new: SharedDictionary<Base.Key, Base.Value> = [:]
    for (key, value) in others {
      let old = new[key] ?? self.value[key]
      new[key] = if let old { try combine(old, value) } else { value }
    }
    live.edit { for (key, value) in new { $0.set(key, to: value) } }
  }

  /// Sets the values of keys; of two values of one key it is said which to have.
  @inlinable
  public func merge<Thrown: Error>(
    _ others: [Base.Key: Base.Value],
    uniquingKeysWith combine: (Base.Value, Base.Value) throws(Thrown) -> Base.Value
  ) throws(Thrown) {
    try merge(others.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Takes out all keys: they are deleted, which is not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.removeAll() }
  }

  /// Makes it another dictionary: observers are told of a reset, and not of what is different.
  @inlinable
  public func replace(with elements: [Base.Key: Base.Value]) {
    live.edit { $0.reset(to: SharedDictionary(elements)) }
  }
}
