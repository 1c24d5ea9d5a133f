import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

/// A client and a server that are connected in a test network.
struct Pair {
  let scheduler = TestScheduler()
  let network: TestNetwork
  /// The end of the client.
  let near: Connection
  /// The end of the server, at port 7.
  let far: Connection

  init(_ change: (TestNetwork) -> Void = { _ in }) throws {
    network = TestNetwork(on: scheduler)
    change(network)
    let server = try Listener(.tcp("server", port: 7), on: network)
    var connections: [Connection] = []
    let accepting = server.connections.observeNext { connections.append($0) }
    Connection.connect(to: .tcp("server", port: 7), on: network).observe(
      succeeded: { connections.append($0) }, failed: { Issue.record("\($0)") })
    scheduler.run()
    accepting.dispose()
    far = try #require(connections.first { $0.local.port == 7 })
    near = try #require(connections.first { $0.local.port != 7 })
  }
}

/// Returns the events of a stream of a connection that receives bytes in pieces of a size.
func events<Element>(
  of bytes: [UInt8], pieces size: Int,
  _ stream: (Connection) -> EventStream<Element, SocketError>
) throws -> [StreamEvent<Element, SocketError>] {
  let pair = try Pair { $0.pieceSize = size }
  var events: [StreamEvent<Element, SocketError>] = []
  stream(pair.far).observe { events.append($0) }
  _ = pair.near.write(bytes)
  pair.near.finish()
  pair.scheduler.run()
  return events
}
