import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport

/// An HTTP server on a loop.
final class HTTPFixture: Sendable {
  let loop: EventLoop
  let address: SocketAddress
  private let server: Confined<HTTPServer?>

  init(on loop: EventLoop, _ setUp: @escaping @Sendable (HTTPServer) -> Void) {
    self.loop = loop
    let box = Confined<HTTPServer?>(nil)
    server = box
    address = loop.wait {
      let server = HTTPServer(on: loop)
      setUp(server)
      box.value = server
      do {
        return try server.listen(.tcp("127.0.0.1", port: 0)).address
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// Runs a closure with the server on its loop.
  func use<Output: Sendable>(_ body: @escaping @Sendable (HTTPServer) -> Output) -> Output {
    loop.wait { [server] in
      guard let server = server.value else { fatalError("The server was released.") }
      return body(server)
    }
  }

  func connect(receiveBuffer: Int32? = nil) -> Peer {
    Peer(to: address, receiveBuffer: receiveBuffer)
  }

  /// The URL of a path.
  func url(_ path: String) -> String { "http://\(address)\(path)" }

  /// Sends bytes on a connection of their own, and returns all that the server answers until it
  /// closes the connection.
  func answer(to text: String) -> String {
    let peer = connect()
    peer.send(text)
    return String(decoding: peer.receiveAll(), as: UTF8.self)
  }
}

/// Returns all bytes that a server in a test network answers to bytes that arrive in pieces of a
/// size, until it closes the connection or waits for more.
func answer(
  to text: String, pieces size: Int = 1 << 16, _ setUp: (HTTPServer) -> Void
) throws -> String {
  let pair = try Pair { $0.pieceSize = size }
  let server = HTTPServer(on: pair.network)
  setUp(server)
  server.serve(pair.far)
  var received: [UInt8] = []
  pair.near.bytes.observe(next: { received += $0 }, failed: { _ in })
  _ = pair.near.write(text)
  pair.scheduler.advance(by: .milliseconds(100))
  return String(decoding: received, as: UTF8.self)
}
