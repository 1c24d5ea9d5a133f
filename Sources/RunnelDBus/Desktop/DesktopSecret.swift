/// A secret of the user, such as a password, as ``DesktopSecrets`` has found it.
public struct DesktopSecret: Hashable, Sendable {
  /// The object of the service.
  let path: ObjectPath
  /// The bytes, such as a password in UTF-8.
  public let bytes: [UInt8]

  /// The bytes as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A secret as the service of secrets sends it.
struct SecretValue: BusStructure {
  let session: ObjectPath
  let parameters: [UInt8]
  let value: [UInt8]
  let contentType: String

  init(_ value: [UInt8], in session: ObjectPath) {
    self.session = session
    self.value = value
    parameters = []
    contentType = "text/plain; charset=utf8"
  }

  static var members: [BusType] {
    [ObjectPath.busType, [UInt8].busType, [UInt8].busType, String.busType]
  }

  func writeMembers(to writer: BusWriter) throws(BusError) {
    try session.write(to: writer)
    try parameters.write(to: writer)
    try value.write(to: writer)
    try contentType.write(to: writer)
  }

  init(members reader: BusReader) throws(BusError) {
    session = try ObjectPath(from: reader)
    parameters = try [UInt8](from: reader)
    value = try [UInt8](from: reader)
    contentType = try String(from: reader)
  }
}
