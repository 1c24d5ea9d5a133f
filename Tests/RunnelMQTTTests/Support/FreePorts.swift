import Glibc

/// Ports that nobody used a moment ago, and that the system gives no client.
func freePorts(_ count: Int) -> [UInt16] {
  var ports: [UInt16] = []
  while ports.count < count {
    let port = UInt16.random(in: 10_000..<32_000)
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      // Safety: the call gets the size of the address.
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == 0 && !ports.contains(port) { ports.append(port) }
  }
  return ports
}
