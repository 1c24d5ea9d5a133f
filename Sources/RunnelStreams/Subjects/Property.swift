/// A value that can be observed: an observer gets the current value at once, then every change.
///
///     let name = Property("Jim")
///     name.observeNext { print("Hi \($0)!") }  // Hi Jim!
///     name.value = "Jim Kirk"                  // Hi Jim Kirk!
///
/// *Events*: setting sends, also if the new value equals the old one. Set from within its own
/// observer, the value changes at once and the event waits its turn, so all observers see all values
/// in one order (C2). An observer that comes while changes wait gets the value as it is, and none
/// of those that wait. A property does not end.
///
/// *Disposal*: a property that is released lets its observers go without an event.
public final class Property<Value> {
  @usableFromInline @exclusivity(unchecked) var stored: Value
  @usableFromInline
  enum Access: UInt8 {
    /// The value may be used.
    case free
    /// It may be used at home, which is checked: there is a ``Remote``.
    case guarded
    /// The value is being changed in place, and may not be used.
    case mutating
  }

  @usableFromInline @exclusivity(unchecked) var access = Access.free
  /// The access while the value is not being changed in place.
  @usableFromInline @exclusivity(unchecked) var restingAccess = Access.free
  /// Where the value came from, if a two-way binding had to know.
  @usableFromInline @exclusivity(unchecked) var origin: Origin?
  @usableFromInline let changes: PushStream<Value>

  /// A property with its first value.
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line) {
    stored = value
    changes = PushStream(file: file, line: line)
  }

  /// The current value. Setting it tells the observers.
  @inlinable
  public var value: Value {
    get {
      if access != .free { checkAccess() }
      return stored
    }
    set { set(newValue, from: nil) }
  }

  @inlinable
  func set(_ value: Value, from origin: Origin?) {
    if access != .free { checkAccess() }
    // The old value dies after the observers were told: its deinit may set this property again.
    var previous = value
    swap(&previous, &stored)
    if self.origin !== origin { self.origin = origin }
    changes.next(value)
    withExtendedLifetime(previous) {}
  }

  /// Changes the value in place and tells the observers once.
  ///
  ///     guests.mutate {
  ///       $0.append("John")
  ///       $0.sort()
  ///     }
  ///
  /// *Events*: if the closure throws, the value stays as the closure left it; the observers are told
  /// all the same, so that what they know is what it is, and then the error is thrown on.
  ///
  /// Within the closure the property itself must not be read, set or observed: that traps.
  @inlinable
  public func mutate<Result, Thrown: Error>(
    _ change: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    if access != .free { checkAccess() }
    access = .mutating
    origin = nil
    defer {
      access = restingAccess
      changes.next(stored)
    }
    return try change(&stored)
  }

  /// Traps where the value may not be used.
  @usableFromInline
  func checkAccess() {
    guard access == .mutating else { return changes.observers.requireHome() }
    fatalError(
      """
      A Property was used within its own mutate { }, where its value is being changed. Use the \
      value that the closure is given.
      """)
  }

  /// Whether anybody observes it.
  public var isObserved: Bool { changes.isObserved }

  /// The changes from now on, without the current value.
  public var updates: EventStream<Value, Never> {
    // It keeps the property, and not only its subject: what is bound to it ends when it goes.
    .unguarded { observer in self.changes.add(observer) }
  }
}

/// One change of a property, so that others that take the value over know whether they have it.
@usableFromInline
final class Origin {}

extension Property: StreamProtocol {
  /// The current value, then every change.
  @inlinable
  public var stream: EventStream<Value, Never> {
    .unguarded { observer in self.add(observer) }
  }

  @usableFromInline
  func add(_ observer: Observer<Value, Never>) {
    changes.add(observer) { $0.next(self.value) }
  }
}
