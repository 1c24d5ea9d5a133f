import RunnelLoop
import RunnelNet
import RunnelStreams
import Testing

/// A way to a broker that a test can cut. It belongs to a loop.
final class BrokerRelay {
  let port: UInt16
  private let listener: Listener
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var isCut = false

  init(to broker: UInt16, on loop: EventLoop) throws {
    listener = try Listener(.tcp("127.0.0.1", port: 0), on: loop)
    port = try #require(listener.address.port)
    listener.connections.observeNext { [weak self] inner in
      guard let self, !isCut else { return inner.reset() }
      keep(inner)
      Connection.connect(to: .tcp("127.0.0.1", port: broker), on: loop).observe(
        succeeded: { [weak self] outer in
          guard let self, !isCut else { return outer.reset() }
          keep(outer)
          inner.bytes.bind(to: outer.writer)
          outer.bytes.bind(to: inner.writer)
          inner.closed.observe(completed: { outer.close() }, failed: { _ in outer.reset() })
          outer.closed.observe(completed: { inner.close() }, failed: { _ in inner.reset() })
        }, failed: { _ in inner.reset() })
    }
  }

  private func keep(_ connection: Connection) {
    let key = ObjectIdentifier(connection)
    connections[key] = connection
    let forget = { [weak self] in release(self?.connections.removeValue(forKey: key)) }
    connection.closed.observe(completed: forget, failed: { _ in forget() })
  }

  /// Ends all connections, and those that are made until ``heal()``.
  func cut() {
    isCut = true
    for connection in connections.values { connection.reset() }
  }

  func heal() { isCut = false }
}
