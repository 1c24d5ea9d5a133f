import CSockets
import Glibc
import RunnelLoop

/// The descriptor of a socket, which is closed unless it is taken.
struct OwnedSocket: ~Copyable {
  private(set) var number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Takes the descriptor out. The caller closes it.
  consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Opens a socket for an address. `kind` is `SOCK_STREAM` or `SOCK_DGRAM`.
  static func open(
    _ kind: __socket_type, for address: inout runnel_address
  ) throws(SystemError) -> OwnedSocket {
    let number = runnel_socket(&address, Int32(kind.rawValue))
    if number < 0 { throw SystemError() }
    return OwnedSocket(owning: number)
  }

  func set(_ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32 = 1) throws(SystemError) {
    if runnel_set_option(number, level, option, value) < 0 { throw SystemError() }
  }
}

extension IPAddress {
  /// Opens a socket with the address that stands for all addresses of the machine, IPv4 and IPv6. On
  /// a machine without IPv6 it is that of IPv4.
  static func withEachOfMachine(
    _ open: (IPAddress) throws(SystemError) -> Descriptor
  ) throws(SystemError) -> Descriptor {
    let every = IPAddress(0, 0, 0, 0)
    do throws(SystemError) {
      return try open(IPAddress("::") ?? every)
    } catch {
      guard error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL else { throw error }
      return try open(every)
    }
  }
}

/// The value of `errno` after a failed call.
struct SystemError: Error {
  let code: Int32

  init(_ code: Int32 = errno) {
    self.code = code
  }

  /// The error of a watch.
  init(_ error: DescriptorError) {
    switch error {
    case .system(let code): self.init(code)
    case .tooMany: self.init(EMFILE)
    default: self.init(EBADF)
    }
  }

  var cause: SocketError.Cause { SocketError.Cause(errno: code) }
}
