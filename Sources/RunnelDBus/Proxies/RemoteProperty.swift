import RunnelStreams

/// A property of another program's object that can be written.
///
///     let player = PlayerProxy(at: "/org/example/Player", from: "org.example.Player", on: bus)
///     player.volume.observeNext { volume in show(volume ?? 0) }
///     player.volume.set(0.5).observe(failed: { show($0) })
///
/// *Events*: the present value, then each change. The value is nil while it is not known, and if it has
/// another type.
public struct RemoteProperty<Value: BusValue>: StreamProtocol {
  /// The property as one that this program reads only.
  public let readOnly: ReadOnlyProperty<Value?>
  private let name: String
  private let properties: RemoteProperties

  init(_ name: String, of properties: RemoteProperties) {
    self.name = name
    self.properties = properties
    readOnly = properties.property(name)
  }

  /// The present value.
  public var value: Value? { readOnly.value }

  /// The present value, then each change.
  public var stream: EventStream<Value?, Never> { readOnly.stream }

  /// Writes the property each time that the result is observed.
  ///
  /// *Events*: the property changes when the service announces it, which can be before or after the end.
  public func set(_ value: Value) -> Completable<BusError> {
    properties.set(name, to: value)
  }
}
