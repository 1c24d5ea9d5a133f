import Glibc

/// A socket on which `call`, which is `connect` or `bind`, was made with a port of this machine; nil if it failed.
package func loopbackSocket(
  _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ port: UInt16
) -> Int32? {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let status = withUnsafePointer(to: &address) {
    // Safety: every address begins as a `sockaddr`, and the system reads the family first.
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      call(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  if status == 0 { return socket }
  close(socket)
  return nil
}
