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
  private let remote: RemoteObject

  init(_ name: String, of remote: RemoteObject) {
    self.name = name
    self.remote = remote
    readOnly = remote.properties.property(name)
  }

  /// The present value.
  public var value: Value? { readOnly.value }

  /// The present value, then each change.
  public var stream: EventStream<Value?, Never> { readOnly.stream }

  /// Reads the property each time that the result is observed, with the time limit of the object's calls.
  ///
  /// *Events*: as for ``RemoteProperties/read(_:as:)``.
  public func read() -> Single<Value, BusError> {
    remote.properties.read(
      name, as: Value.self, timeout: remote.timeout, startsService: remote.startsService)
  }

  /// Writes the property each time that the result is observed, with the time limit of the object's calls.
  ///
  /// *Events*: the property changes when the service announces it, which can be before or after the end.
  public func set(_ value: Value) -> Completable<BusError> {
    remote.properties.set(
      name, to: value, timeout: remote.timeout, startsService: remote.startsService)
  }
}
