import Glibc
import RunnelStreams
import TestSupport

/// A client in blocking mode that sends any bytes. Closed on release.
final class RawPeer: Sendable {
  private let socket: Int32

  init(to port: UInt16) {
    guard let socket = loopbackSocket(connect, port) else {
      fatalError("Nothing listens on \(port).")
    }
    self.socket = socket
  }

  deinit {
    close(socket)
  }

  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func finish() { shutdown(socket, Int32(SHUT_WR)) }

  /// Receives until the end or an error.
  func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { return all }
      all += buffer[..<count]
    }
  }
}
