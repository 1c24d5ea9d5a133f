/// A property that can be read and observed, but not set. It is a view of another property, or
/// derived from others.
///
///     let name = Property("jim")
///     let title = name.map { $0.uppercased() }
///     print(title.value)  // JIM
///     title.observeNext { print($0) }  // JIM, then every change
///
/// It stores no value. Reading it computes the value from its sources, and each change is computed
/// for each observer. If that is expensive, apply `share(replay: 1)` to the stream.
public struct ReadOnlyProperty<Value> {
  @usableFromInline let read: () -> Value
  /// The current value, then every change.
  public let stream: EventStream<Value, Never>

  @inlinable
  package init(read: @escaping () -> Value, stream: EventStream<Value, Never>) {
    self.read = read
    self.stream = stream
  }

  /// Creates a property that never changes.
  public init(constant value: Value) {
    self.init(read: { value }, stream: EventStream.just(value).append(.never))
  }

  /// The current value.
  @inlinable
  public var value: Value { read() }
}

extension ReadOnlyProperty: StreamProtocol {
  /// Returns a property of the transformed values.
  ///
  ///     let isOffline = isOnline.readOnly.map { !$0 }
  ///     print(isOffline.value)
  @inlinable
  public func map<Output>(_ transform: @escaping (Value) -> Output) -> ReadOnlyProperty<Output> {
    let read = read
    return ReadOnlyProperty<Output>(
      read: { transform(read()) }, stream: stream.map(transform))
  }
}

extension Property {
  /// A read-only view of the property.
  public var readOnly: ReadOnlyProperty<Value> {
    ReadOnlyProperty(read: { self.value }, stream: stream)
  }

  /// Returns a read-only property of the transformed values.
  ///
  ///     let count = guests.map { $0.count }
  ///     print(count.value)
  @inlinable
  public func map<Output>(_ transform: @escaping (Value) -> Output) -> ReadOnlyProperty<Output> {
    ReadOnlyProperty(read: { transform(self.value) }, stream: stream.map(transform))
  }
}
