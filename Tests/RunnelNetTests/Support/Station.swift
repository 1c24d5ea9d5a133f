import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport

/// A datagram socket on a loop, for use from the thread of a test.
final class Station: Sendable {
  let loop: EventLoop
  let address: SocketAddress
  private let socket: Confined<DatagramSocket?>

  /// Opens a socket, and prepares it on the loop.
  init(
    on loop: EventLoop, at endpoint: Endpoint = .udp("127.0.0.1", port: 0),
    _ options: DatagramOptions = DatagramOptions(),
    _ prepare: @escaping @Sendable (DatagramSocket) -> Void = { _ in }
  ) {
    self.loop = loop
    let place = Confined<DatagramSocket?>(nil)
    socket = place
    address = loop.wait {
      do {
        let socket = try DatagramSocket(endpoint, options: options, on: loop)
        place.value = socket
        prepare(socket)
        return socket.address
      } catch {
        fatalError("\(error)")
      }
    }
  }

  func use<Output: Sendable>(_ body: @escaping @Sendable (DatagramSocket) -> Output) -> Output {
    loop.wait { [socket] in
      guard let socket = socket.value else { fatalError("The socket was released.") }
      return body(socket)
    }
  }

  func perform(_ body: @escaping @Sendable (DatagramSocket) -> Void) {
    use(body)
  }

  /// Releases the reference to the socket on the calling thread.
  func releaseHere() {
    socket.value = nil
  }

  /// Releases the reference to the socket on the loop.
  func release() {
    loop.wait { [socket] in socket.value = nil }
  }
}

extension Datagram {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
