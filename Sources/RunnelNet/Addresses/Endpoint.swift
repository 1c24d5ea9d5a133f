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
      host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    case .abstract(let name): "@\(name)"
    case .descriptor(let number): "descriptor \(number)"
    case .address(let address): "\(address)"
    }
  }
}

extension Endpoint {
  /// Reads an endpoint from text, such as an argument of a command.
  ///
  ///     show(Endpoint("example.org:80") == .tcp("example.org", port: 80))
  ///     show(Endpoint("[::1]:7000") == .tcp("::1", port: 7000))
  ///     show(Endpoint("*:7000") == .tcp("*", port: 7000))
  ///     show(Endpoint("/run/daemon.sock") == .unix("/run/daemon.sock"))
  ///     show(Endpoint("@name") == .abstract("name"))
  ///
  /// A path has a slash, so a file of the working directory is `./file`. Returns nil for other text.
  public init?(_ text: String) {
    if text.contains("/") {
      self = .unix(text)
    } else if text.hasPrefix("@") && text.count > 1 {
      self = .abstract(String(text.dropFirst()))
    } else {
      guard let colon = text.lastIndex(of: ":") else { return nil }
      let digits = text[text.index(after: colon)...]
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
        return nil
      }
      var host = text[..<colon]
      if host.hasPrefix("[") && host.hasSuffix("]") {
        host = host.dropFirst().dropLast()
        guard let address = IPAddress(String(host)), address.isIPv6 else { return nil }
      } else if host.contains(":") {
        return nil
      }
      if host.isEmpty { return nil }
      self = .tcp(String(host), port: port)
    }
  }
}
