/// An observable value. An observer receives the current value at once, and then every change.
///
///     let name = Property("Jim")
///     name.observeNext { print("Hi \($0)!") }  // Hi Jim!
///     name.value = "Jim Kirk"                  // Hi Jim Kirk!
///
/// *Events*: setting the value always sends, also if the new value equals the old one. If an
/// observer of the property sets it, the value changes at once and the event is queued. All
/// observers therefore see all values in one order (C2). An observer that is added while changes
/// are queued receives the current value, and none of the queued ones. A property does not end.
///
/// *Disposal*: when the property is released, its observers are released without an event.
public final class Property<Value> {
  @usableFromInline @exclusivity(unchecked) var stored: Value
  @usableFromInline
  enum Access: UInt8 {
    /// The value may be used.
    case free
    /// The value may be used, and each caller's context is checked, because there is a ``Remote``.
    case guarded
    /// The value is being changed in place, and may not be used.
    case mutating
  }

  @usableFromInline @exclusivity(unchecked) var access = Access.free
  /// The access while the value is not being changed in place.
  @usableFromInline @exclusivity(unchecked) var restingAccess = Access.free
  /// The change that the value came from, if a two-way binding needs it.
  @usableFromInline @exclusivity(unchecked) var origin: Origin?
  @usableFromInline let changes: PushStream<Value>

  /// Creates a property with an initial value.
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line) {
    stored = value
    changes = PushStream(file: file, line: line)
  }

  /// The current value. Setting it notifies the observers.
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
    // The old value is released after delivery, because its `deinit` may set this property.
    var previous = value
    swap(&previous, &stored)
    if self.origin !== origin { self.origin = origin }
    changes.next(value)
    withExtendedLifetime(previous) {}
  }

  /// Changes the value in place and notifies the observers once.
  ///
  ///     guests.mutate {
  ///       $0.append("John")
  ///       $0.sort()
  ///     }
  ///
  /// *Events*: if the closure throws, the value stays as the closure left it. The observers receive
  /// that value, and then the error is rethrown.
  ///
  /// Reading, setting or observing the property inside the closure traps. Use the closure's
  /// argument.
  @inlinable
  @discardableResult
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

  /// Traps if the value may not be used.
  @usableFromInline
  func checkAccess() {
    guard access == .mutating else { return changes.observers.requireHome() }
    fatalError(
      """
      A Property was used within its own mutate { }, which is changing the value. Use the inout \
      argument of the closure.
      """)
  }

  /// True while the property has observers.
  public var isObserved: Bool { changes.isObserved }

  /// The future changes, without the current value.
  public var updates: EventStream<Value, Never> {
    // Captures the property, and not only its subject: a binding to the property ends with it.
    .unguarded { observer in self.changes.add(observer) }
  }
}

/// The identity of a change, by which properties that copy the value recognise it.
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
