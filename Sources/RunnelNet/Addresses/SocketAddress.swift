import CSockets

/// The address of one end of a connection, or of a datagram.
public enum SocketAddress: Hashable, Sendable {
  /// A port of a host.
  case ip(IPAddress, port: UInt16)
  /// A Unix socket in the file system.
  case unix(String)
  /// A Unix socket in the abstract name space.
  case abstract(String)
  /// A Unix socket without a name, such as the client of a connection.
  case unnamed

  /// Creates the address of a port from the text of a numeric address, in brackets or not; nil if it
  /// is none.
  public init?(_ host: String, port: UInt16) {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    guard let address = IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : host),
      address.isIPv6 || !isBracketed
    else { return nil }
    self = .ip(address, port: port)
  }

  /// The port of an IP address; nil for a Unix socket.
  public var port: UInt16? {
    guard case .ip(_, let port) = self else { return nil }
    return port
  }

  /// The host of an IP address; nil for a Unix socket.
  public var host: IPAddress? {
    guard case .ip(let host, _) = self else { return nil }
    return host
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The usual form: `192.0.2.1:80`, `[2001:db8::1]:80`, `/run/daemon.sock` or `@name`.
  public var description: String {
    switch self {
    case .ip(let host, let port): host.isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    case .abstract(let name): "@\(name)"
    case .unnamed: "(unnamed)"
    }
  }
}

extension SocketAddress {
  /// The address as the system wants it; nil if the name of the Unix socket is too long or empty.
  var system: runnel_address? {
    let address =
      switch self {
      case .ip(let host, let port): host.socketAddress(port: port)
      case .unix(let path): runnel_unix_address(Array(path.utf8), path.utf8.count)
      case .abstract(let name): runnel_unix_address([0] + Array(name.utf8), name.utf8.count + 1)
      case .unnamed: runnel_address()
      }
    if case .unix(let path) = self, path.utf8.contains(0) { return nil }
    return address.length == 0 ? nil : address
  }

  /// Reads an address of the system. An IPv4 address that is mapped into IPv6 becomes IPv4.
  init(_ address: runnel_address) {
    var address = address
    switch Int(runnel_address_family(&address)) {
    case runnel_ipv4, runnel_ipv6:
      let (host, port) = IPAddress.read(address)
      self = .ip(host.unmapped, port: port)
    case runnel_unix:
      var count = 0
      let bytes = withUnsafePointer(to: address) { address in
        let name = runnel_unix_name(address, &count)
        return Array(UnsafeBufferPointer(start: name, count: count))
      }
      if bytes.isEmpty {
        self = .unnamed
      } else if bytes[0] == 0 {
        self = .abstract(String(decoding: bytes.dropFirst(), as: UTF8.self))
      } else {
        self = .unix(String(decoding: bytes, as: UTF8.self))
      }
    default: self = .unnamed
    }
  }
}
