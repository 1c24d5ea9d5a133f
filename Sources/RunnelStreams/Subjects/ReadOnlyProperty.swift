/// A property that can be read and observed, but not set: a view of another one, or derived from it.
///
///     let name = Property("jim")
///     let title = name.map { $0.uppercased() }
///     print(title.value)  // JIM
///     title.observeNext { print($0) }  // JIM, then every change
///
/// It holds no value of its own: reading it computes the value from its sources, and so does each
/// change for each observer. Where that is expensive, `share(replay: 1)` the stream.
public struct ReadOnlyProperty<Value> {
  @usableFromInline let read: () -> Value
  /// The current value, then every change.
  public let stream: EventStream<Value, Never>

  @inlinable
  package init(read: @escaping () -> Value, stream: EventStream<Value, Never>) {
    self.read = read
    self.stream = stream
  }

  /// A property that never changes.
  public init(constant value: Value) {
    self.init(read: { value }, stream: EventStream.just(value).append(.never))
  }

  /// The current value.
  @inlinable
  public var value: Value { read() }
}

extension ReadOnlyProperty: StreamProtocol {
  /// A property of what the closure makes of each value.
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
  /// The property for those who may not set it.
  public var readOnly: ReadOnlyProperty<Value> {
    ReadOnlyProperty(read: { self.value }, stream: stream)
  }

  /// A read-only property of what the closure makes of each value.
  ///
  ///     let count = guests.map { $0.count }
  ///     print(count.value)
  @inlinable
  public func map<Output>(_ transform: @escaping (Value) -> Output) -> ReadOnlyProperty<Output> {
    ReadOnlyProperty(read: { transform(self.value) }, stream: stream.map(transform))
  }
}
