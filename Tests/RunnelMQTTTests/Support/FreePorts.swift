import Glibc
import TestSupport

/// Ports that nobody used a moment ago, and that the system gives no client.
func freePorts(_ count: Int) -> [UInt16] {
  var ports: [UInt16] = []
  while ports.count < count {
    let port = UInt16.random(in: 10_000..<32_000)
    guard !ports.contains(port), let socket = loopbackSocket(bind, port) else { continue }
    close(socket)
    ports.append(port)
  }
  return ports
}
