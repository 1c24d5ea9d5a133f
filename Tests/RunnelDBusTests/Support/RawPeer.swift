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
  init(
    on loop: EventLoop, passesDescriptors: Bool? = nil,
    _ use: @escaping @Sendable (BusConnection) -> Void
  ) {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    let socket = BusDescriptor(owning: ends[0])
    descriptor = ends[1]
    self.loop = loop
    connection = loop.wait { [states] in
      let connection = BusConnection(
        .acceptedSocket(socket), on: loop, passesDescriptors: passesDescriptors)
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

  /// The size of the header of a list of descriptors.
  private static let headerSize = 16

  /// Sends bytes and descriptors. Returns false if the connection has ended.
  @discardableResult
  func send(_ bytes: [UInt8], with descriptors: [Int32]) -> Bool {
    let size = Self.headerSize + 4 * descriptors.count
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { bytes in
      withUnsafeTemporaryAllocation(byteCount: (size + 7) & ~7, alignment: 8) { control in
        // A header has the size with itself, the level and the kind.
        control.storeBytes(of: size, as: Int.self)
        control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
        for (index, descriptor) in descriptors.enumerated() {
          control.storeBytes(
            of: descriptor, toByteOffset: Self.headerSize + 4 * index, as: Int32.self)
        }
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) == bytes.count
        }
      }
    }
  }

  /// Authenticates itself, and waits until the connection is ready.
  func authenticate(passingDescriptors: Bool = false) {
    send(RawMessage.authentication(passingDescriptors: passingDescriptors))
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

  /// Reads until the connection has ended.
  func waitForEnd() {
    var buffer = [UInt8](repeating: 0, count: 1 << 10)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
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
