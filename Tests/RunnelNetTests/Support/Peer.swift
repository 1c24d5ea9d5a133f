import CSockets
import Glibc
import RunnelNet
import RunnelStreams

/// A client in blocking mode that is not made with Runnel. Closed on release.
final class Peer: Sendable {
  private let socket: Monitor<Int32>

  /// Connects to an address. The receive buffer may be small, so that a slow reader is noticed.
  convenience init(to address: SocketAddress, receiveBuffer: Int32? = nil) {
    self.init(unconnectedTo: address)
    if let receiveBuffer { runnel_set_option(number, SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
    precondition(connect(to: address), "connect: \(String(cString: strerror(errno)))")
  }

  /// Connects to an address; nil if nothing listens there.
  convenience init?(attempting address: SocketAddress) {
    self.init(unconnectedTo: address)
    if !connect(to: address) { return nil }
  }

  /// Opens a socket of the kind that an address needs.
  init(unconnectedTo address: SocketAddress) {
    var system = Peer.system(address)
    let number = runnel_socket(&system, Int32(SOCK_STREAM.rawValue))
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    socket = Monitor(number)
  }

  init(owning number: Int32) {
    socket = Monitor(number)
  }

  deinit {
    close()
  }

  static func system(_ address: SocketAddress) -> runnel_address {
    switch address {
    case .ip(let host, let port):
      var system = runnel_address()
      runnel_parse_ip("\(host)", port, &system)
      return system
    case .unix(let path): return runnel_unix_address(Array(path.utf8), path.utf8.count)
    case .abstract(let name):
      return runnel_unix_address([0] + Array(name.utf8), name.utf8.count + 1)
    case .unnamed: return runnel_address()
    }
  }

  var number: Int32 { socket.withLock { $0 } }

  /// Connects to an address. Returns true if something listens there.
  @discardableResult
  func connect(to address: SocketAddress) -> Bool {
    var system = Peer.system(address)
    return runnel_connect(number, &system) == 0
  }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives once; an empty array at the end or after an error.
  func receive(_ count: Int = 65_536) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = recv(number, &buffer, count, 0)
    return Array(buffer.prefix(max(received, 0)))
  }

  /// Receives a number of bytes, or fewer if the end comes before.
  func receive(exactly count: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let piece = receive(count - all.count)
      if piece.isEmpty { break }
      all += piece
    }
    return all
  }

  /// Receives until the end.
  func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let piece = receive()
      if piece.isEmpty { return all }
      all += piece
    }
  }

  func receiveText() -> String { String(decoding: receiveAll(), as: UTF8.self) }

  /// The value of `errno` of a receive that fails; 0 at the end.
  func receiveError() -> Int32 {
    var byte: UInt8 = 0
    while true {
      let count = recv(number, &byte, 1, 0)
      if count == 0 { return 0 }
      if count < 0 { return errno }
    }
  }

  /// Loses all that arrives from now on, as behind a cut cable: nothing is acknowledged any more.
  func loseEverything() {
    // A program of the system's packet filter: return 0.
    var filter: UInt64 = 0x06
    withUnsafePointer(to: &filter) { filter in
      var program = (UInt16(1), UnsafeRawPointer(filter))
      let count = socklen_t(MemoryLayout.size(ofValue: program))
      precondition(setsockopt(number, SOL_SOCKET, SO_ATTACH_FILTER, &program, count) == 0)
    }
  }

  func finish() { shutdown(number, Int32(SHUT_WR)) }

  func reset() {
    runnel_reset_on_close(number)
    close()
  }

  func close() {
    socket.withLock { number in
      if number >= 0 { Glibc.close(number) }
      number = -1
    }
  }
}
