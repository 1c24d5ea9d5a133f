import Glibc
import RunnelStreams

/// A client in blocking mode that sends any bytes. Closed on release.
final class RawPeer: Sendable {
  private let socket: Int32

  init(to port: UInt16) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(status == 0, "connect: \(String(cString: strerror(errno)))")
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
