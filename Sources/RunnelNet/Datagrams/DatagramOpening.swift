import CSockets
import Glibc
import RunnelLoop

/// The ways to open a datagram socket.
enum DatagramOpening {
  /// The value of `errno` for an endpoint that datagrams cannot be received at.
  static var unsuitable: Int32 { EPROTOTYPE }

  static func cause(of error: SystemError) -> SocketError.Cause {
    switch error.code {
    case unsuitable: .unsuitable
    case ENAMETOOLONG: .invalidPath
    case ENODEV: .membership(.noInterface)
    default: error.cause
    }
  }

  static func family(of address: runnel_address) throws(SystemError) -> SocketFamily {
    var address = address
    return switch Int(runnel_address_family(&address)) {
    case runnel_ipv4: .ipv4
    case runnel_ipv6: .ipv6
    case runnel_unix: .unix
    default: throw SystemError(unsuitable)
    }
  }

  /// Opens a socket and binds it, or takes one that is open.
  static func open(
    _ endpoint: Endpoint, _ options: DatagramOptions
  ) throws(SystemError) -> (Descriptor, SocketFile?) {
    switch endpoint {
    case .udp("*", let port):
      let descriptor = try IPAddress.withEachOfMachine { (host) throws(SystemError) in
        try open(.ip(host, port: port), options)
      }
      return (descriptor, nil)
    case .udp("localhost", let port): return (try open(.ip(.loopback, port: port), options), nil)
    case .udp(let host, let port):
      guard let address = SocketAddress(host, port: port) else { throw SystemError(unsuitable) }
      return (try open(address, options), nil)
    case .unix(let path), .address(.unix(let path)):
      let (descriptor, file) = try SocketFile.create(
        at: path, kind: SOCK_DGRAM, backlog: 0, permissions: options.permissions)
      return (descriptor, file)
    case .abstract(let name): return (try open(.abstract(name), options), nil)
    case .address(let address): return (try open(address, options), nil)
    case .descriptor(let number): return (try adopt(number), nil)
    case .tcp: throw SystemError(unsuitable)
    }
  }

  private static func adopt(_ number: Int32) throws(SystemError) -> Descriptor {
    var kind: Int32 = 0
    if runnel_get_option(number, SOL_SOCKET, SO_TYPE, &kind) < 0 { throw SystemError() }
    if kind != Int32(SOCK_DGRAM.rawValue) { throw SystemError(unsuitable) }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return Descriptor(owning: number)
  }

  private static func open(
    _ address: SocketAddress, _ options: DatagramOptions
  ) throws(SystemError) -> Descriptor {
    var system: runnel_address
    if let known = address.system {
      system = known
    } else {
      guard address == .unnamed else { throw SystemError(ENAMETOOLONG) }
      // The system chooses an abstract name for an address that is only a family.
      system = runnel_unix_address([], 0)
      system.length = socklen_t(MemoryLayout<sa_family_t>.size)
    }
    let socket = try OwnedSocket.open(SOCK_DGRAM, for: &system)
    if let host = address.host { try options.prepare(socket, for: host) }
    if runnel_bind(socket.number, &system) < 0 { throw SystemError() }
    return Descriptor(owning: socket.take())
  }
}
