import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

/// The listening sockets of a group, one for each loop, all at one address.
struct GroupSockets {
  let address: SocketAddress
  let file: SocketFile?
  let held: [HeldSocket]

  init(_ endpoint: Endpoint, _ options: ListenerOptions, count: Int) throws(SocketError) {
    let first: Descriptor
    (first, file, address) = try ListeningSocket.opening(endpoint, options)
    do throws(SocketError) {
      var held = [try HeldSocket(first, endpoint)]
      if case .ip = address, !endpoint.isDescriptor {
        // The first socket was bound alone, so no other program listens at the port. From now on,
        // other sockets of this user may be bound to it.
        if count > 1 { try Self.sharePort(of: first, endpoint) }
        var others = options
        others.sharesPort = true
        for _ in 1..<count {
          let (socket, _, _) = try ListeningSocket.opening(.address(address), others)
          held.append(try HeldSocket(socket, endpoint))
        }
      } else {
        for _ in 1..<count { held.append(try HeldSocket(first, endpoint)) }
      }
      self.held = held
    } catch {
      file?.remove()
      throw error
    }
  }

  private static func sharePort(
    of socket: Descriptor, _ endpoint: Endpoint
  ) throws(SocketError) {
    if runnel_set_option(socket.number, SOL_SOCKET, SO_REUSEPORT, 1) < 0 {
      throw SocketError(.listen, "\(endpoint)", SystemError().cause)
    }
  }
}

extension Endpoint {
  fileprivate var isDescriptor: Bool {
    if case .descriptor = self { true } else { false }
  }
}

/// A duplicate of a socket on its way to a loop. Closed if it is not taken.
final class HeldSocket: Sendable {
  private let number: Monitor<Int32?>

  init(_ socket: Descriptor, _ endpoint: Endpoint) throws(SocketError) {
    let duplicate = fcntl(socket.number, F_DUPFD_CLOEXEC, 3)
    if duplicate < 0 { throw SocketError(.listen, "\(endpoint)", SystemError().cause) }
    number = Monitor(duplicate)
  }

  deinit {
    if let number = take() { close(number) }
  }

  /// Returns the descriptor once. The caller closes it.
  func take() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }
}
