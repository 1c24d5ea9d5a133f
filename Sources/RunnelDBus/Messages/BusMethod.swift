/// A method of an object of a service.
public struct BusMethod: Hashable, Sendable {
  /// The name of the service. It is nil for the peer of a connection without a bus.
  public var service: String?
  /// The path of the object.
  public var path: ObjectPath
  /// The interface of the object.
  public var interface: String
  /// The name of the method.
  public var name: String

  /// Creates a description of a method.
  public init(_ name: String, of interface: String, at path: ObjectPath, from service: String?) {
    self.service = service
    self.path = path
    self.interface = interface
    self.name = name
  }

  /// A method of the bus itself.
  static func ofBus(_ name: String) -> BusMethod {
    BusMethod(name, of: BusDriver.name, at: BusDriver.path, from: BusDriver.name)
  }

  func check() throws(BusError) {
    if let service, !NameRules.isService(service) { throw .invalidName(service) }
    if !NameRules.isInterface(interface) { throw .invalidName(interface) }
    if !NameRules.isMember(name) { throw .invalidName(name) }
    try BusDriver.checkIsNotLocal(interface, path)
  }
}

/// The names of the bus itself.
enum BusDriver {
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"

  /// Throws for the names of messages that a library sends to itself. A bus ends the connection of a
  /// program that sends one.
  static func checkIsNotLocal(_ interface: String, _ path: ObjectPath) throws(BusError) {
    if interface == "org.freedesktop.DBus.Local" { throw .invalidName(interface) }
    if path.text == "/org/freedesktop/DBus/Local" { throw .invalidName(path.text) }
  }
}
