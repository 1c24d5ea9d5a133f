import CSockets
import Glibc
import RunnelNet

/// A datagram socket in blocking mode that is not made with Runnel. Closed on release.
final class DatagramPeer: Sendable {
  let number: Int32
  let address: SocketAddress

  /// Binds a socket. By default, the system chooses a port of 127.0.0.1.
  init(at address: SocketAddress = .ip(.loopback, port: 0)) {
    var system = Peer.system(address)
    number = runnel_socket(&system, Int32(SOCK_DGRAM.rawValue))
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    // A process that another test is starting holds the sockets that were closed meanwhile.
    while runnel_bind(number, &system) < 0 {
      precondition(errno == EADDRINUSE, "bind: \(String(cString: strerror(errno)))")
      sched_yield()
    }
    runnel_local_address(number, &system)
    if case .ip(let host, _) = address {
      self.address = .ip(host, port: DatagramPeer.port(of: number))
    } else {
      self.address = address
    }
  }

  deinit {
    close(number)
  }

  /// Returns false if this machine does not have the address.
  static func canBind(_ address: SocketAddress) -> Bool {
    var system = Peer.system(address)
    let probe = runnel_socket(&system, Int32(SOCK_DGRAM.rawValue))
    defer { close(probe) }
    return runnel_bind(probe, &system) == 0
  }

  private static func port(of number: Int32) -> UInt16 {
    var system = runnel_address()
    runnel_local_address(number, &system)
    var host = [UInt8](repeating: 0, count: 16)
    var (port, scope): (UInt16, UInt32) = (0, 0)
    runnel_ip_parts(&system, &host, &port, &scope)
    return port
  }

  /// Waits until no socket is open at an address, also not in a process that another test starts.
  static func waitUntilClosed(_ address: SocketAddress) {
    while true {
      var system = Peer.system(address)
      let probe = runnel_socket(&system, Int32(SOCK_DGRAM.rawValue))
      defer { close(probe) }
      let isConnected = runnel_connect(probe, &system) == 0
      if isConnected {
        // The answer of this machine has arrived when the call returns.
        _ = runnel_send_datagram(probe, [0], 1, nil)
        if runnel_take_error(probe) == ECONNREFUSED { return }
      } else if errno == ECONNREFUSED || errno == ENOENT {
        return
      }
      sched_yield()
    }
  }

  /// Returns an address at which a socket was open a moment before, so that nobody listens.
  static func unusedAddress() -> SocketAddress {
    let address = DatagramPeer().address
    waitUntilClosed(address)
    return address
  }

  /// Limits the time of each receive.
  func limitReceiving(milliseconds: Int) {
    var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  @discardableResult
  func send(_ text: String, to address: SocketAddress) -> Bool {
    send(Array(text.utf8), to: address)
  }

  @discardableResult
  func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
    var system = Peer.system(address)
    return runnel_send_datagram(number, bytes, bytes.count, &system) == bytes.count
  }

  /// Receives one datagram; nil after the time limit.
  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(number, &buffer, buffer.count, 0)
    return count < 0 ? nil : Array(buffer.prefix(count))
  }

  func receiveText() -> String? { receive().map { String(decoding: $0, as: UTF8.self) } }
}
