import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport

/// A listener on a loop, and a handler for its connections.
final class Server: Sendable {
  let loop: EventLoop
  let address: SocketAddress
  private let listener: Confined<Listener?>

  init(
    on loop: EventLoop, at endpoint: Endpoint = .tcp("127.0.0.1", port: 0),
    _ change: @escaping @Sendable (inout ListenerOptions) -> Void = { _ in },
    _ handle: @escaping @Sendable (Connection) -> Void
  ) {
    self.loop = loop
    let listener = Confined<Listener?>(nil)
    self.listener = listener
    address = loop.wait {
      var options = ListenerOptions()
      change(&options)
      do {
        let server = try Listener(endpoint, options: options, on: loop)
        server.connections.observeNext { handle($0) }
        listener.value = server
        return server.address
      } catch {
        fatalError("\(error)")
      }
    }
  }

  func use<Output: Sendable>(_ body: @escaping @Sendable (Listener) -> Output) -> Output {
    loop.wait { [listener] in
      guard let server = listener.value else { fatalError("The server was released.") }
      return body(server)
    }
  }

  func connect(receiveBuffer: Int32? = nil) -> Peer {
    Peer(to: address, receiveBuffer: receiveBuffer)
  }

  /// The number of open connections, once the jobs before have run.
  var connectionCount: Int { use { $0.connectionCount } }

  /// Waits until the given number of connections is open.
  func wait(forConnections count: Int) {
    while connectionCount != count {}
  }
}
