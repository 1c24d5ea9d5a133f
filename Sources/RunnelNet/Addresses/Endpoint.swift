/// The place where a server listens or a client connects.
public enum Endpoint: Hashable, Sendable {
  /// A TCP port. A client may give a name, which is resolved. A listener takes a numeric address,
  /// `localhost` (`127.0.0.1`), or `*`: all addresses of the machine, IPv4 and IPv6.
  case tcp(String = "*", port: UInt16)
  /// A UDP port, for a ``DatagramSocket``.
  case udp(String = "*", port: UInt16)
  /// A Unix socket in the file system.
  case unix(String)
  /// A Unix socket in the abstract name space of Linux, which has no file.
  case abstract(String)
  /// A socket that is open already, such as one that the service manager passed. Its owner gives it
  /// away.
  case descriptor(Int32)
  /// An address that was read from another socket.
  case address(SocketAddress)
}

extension Endpoint: CustomStringConvertible {
  /// The usual form, such as `example.org:80`.
  public var description: String {
    switch self {
    case .tcp(let host, let port), .udp(let host, let port):
      host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    case .abstract(let name): "@\(name)"
    case .descriptor(let number): "descriptor \(number)"
    case .address(let address): "\(address)"
    }
  }
}
