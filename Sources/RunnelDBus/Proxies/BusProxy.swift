import RunnelStreams

/// A class that ``BusInterface(_:)`` generates for a protocol.
///
/// An instance is an object of another program that has the interface. The type describes the interface, so
/// that `BusConnection.export(_:as:at:allowing:)` can serve an object of this program.
public protocol BusProxy {
  /// The protocol, such as `any Player`.
  associatedtype Object

  /// The name of the interface on the bus.
  static var interfaceName: String { get }

  /// Describes the interface of an object of this program. The description retains the object.
  static func interface(of object: Object) -> BusInterface

  /// The object of the other program.
  var remote: RemoteObject { get }

  /// Creates a proxy of an object.
  init(_ remote: RemoteObject)
}

extension BusProxy {
  /// Creates a proxy of an object of a service. The service is nil for the peer of a connection without a
  /// bus.
  ///
  ///     let player = PlayerProxy(at: "/org/example/Player", from: "org.example.Player", on: bus)
  ///     player.play("Emma").observe(failed: { show($0) })
  ///
  /// *Timing*: nothing is sent before a member is used.
  public init(at path: ObjectPath, from service: String?, on bus: BusConnection) {
    self.init(RemoteObject(Self.interfaceName, at: path, from: service, on: bus))
  }
}

extension BusConnection {
  /// Serves an object with the interface of a protocol until the result is disposed.
  ///
  ///     bus.export(musicPlayer, as: PlayerProxy.self, at: "/org/example/Player")
  ///
  /// For an object with several interfaces, export `PlayerProxy.interface(of: player)` and the others
  /// together.
  ///
  /// *Events*, *Disposal*: as for ``export(_:at:allowing:)``. The object is retained.
  @discardableResult
  public func export<Proxy: BusProxy>(
    _ object: Proxy.Object, as proxy: Proxy.Type, at path: ObjectPath,
    allowing policy: ((BusCall) -> Bool)? = nil
  ) -> Disposable {
    export(Proxy.interface(of: object), at: path, allowing: policy)
  }
}
