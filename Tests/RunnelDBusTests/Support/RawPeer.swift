import Glibc
import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport

/// The other end of a connection, which sends any bytes.
struct RawPeer {
  let loop: EventLoop
  let connection: Confined<BusConnection?>
  /// The states of the connection.
  let states = EventLog<BusConnection.State>()
  private let descriptor: Int32

  /// Begins a connection, and calls the closure on the loop before anything is sent.
  init(on loop: EventLoop, _ use: @escaping @Sendable (BusConnection) -> Void) {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    let socket = BusDescriptor(owning: ends[0])
    descriptor = ends[1]
    self.loop = loop
    connection = loop.wait { [states] in
      let connection = BusConnection(.acceptedSocket(socket), on: loop)
      connection.state.stream.observeNext { states.add($0) }
      use(connection)
      return Confined(connection)
    }
  }

  /// Sends bytes. The connection may have ended meanwhile.
  func send(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      start += count
    }
  }

  /// Authenticates itself, and waits until the connection is ready.
  func authenticate() {
    send(RawMessage.authentication)
    states.wait { $0.last == .connected(uniqueName: nil) }
  }

  /// Reads what has arrived, and returns the number of bytes.
  func readAvailable() -> Int {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return total }
      total += count
    }
  }

  /// Ends the side of the peer.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Waits until the connection is lost, and returns the error.
  func waitForLoss() -> BusError? {
    let all = states.wait { if case .lost = $0.last { true } else { false } }
    if case .lost(let error) = all.last { return error }
    return nil
  }

  /// Ends both sides.
  func end() {
    loop.wait { [connection] in
      connection.value?.close()
      connection.value = nil
    }
    close(descriptor)
  }
}
