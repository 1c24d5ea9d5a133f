import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// A client that runs for months: it connects again and again, and keeps nothing of before.
@Suite struct ReconnectTests {
  private final class Weak {
    weak var connection: BrokerConnection?

    init(_ connection: BrokerConnection?) {
      self.connection = connection
    }
  }

  /// The number of values in a structure, and in the collections and objects in it.
  private func size(of value: Any) -> Int {
    var seen: Set<ObjectIdentifier> = []
    func size(_ value: Any) -> Int {
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .class {
        guard seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { return 0 }
      }
      return mirror.children.reduce(1) { $0 + size($1.value) }
    }
    return size(value)
  }

  /// 10,000 connections with `RUNNEL_CASES=50`.
  @Test("Each connection has the subscriptions, and nothing of it stays")
  func connectionsLeaveNothing() throws {
    let count = seeds(200).count
    var random = SplitMix(seed: 48)
    let broker = ScriptedBroker()
    broker.keepsPeers = false
    var isPresent = false
    broker.connack = { _ in Packet.Connack(isSessionPresent: isPresent) }
    let client = try broker.client { $0.backoff = Backoff(maximum: .seconds(1), jitter: 0) }
    var (received, confirmed, published) = (0, 0, 0)
    client.subscribe(to: "a/#", "b", confirmed: { confirmed += 1 }).observe(next: { _ in
      received += 1
    })
    client.state.filter { $0 == .online }.observeNext { _ in
      client.publish(MQTTMessage("c", qos: .exactlyOnce)).observe(succeeded: { _ in published += 1 }
      )
    }
    broker.settle()
    var connections: [Weak] = []
    var sizes: [Int] = []
    var pending = 0
    for round in 0..<count {
      let filters = broker.peer.packets.flatMap { packet -> [String] in
        if case .subscribe(let packet) = packet { packet.filters.map(\.filter) } else { [] }
      }
      #expect(filters.contains("a/#") == !isPresent)
      // A later observer of it makes it again, too.
      if !isPresent { #expect(filters.contains("b")) }
      #expect(client.state.value == .online)
      broker.peer.publish("b", "x", .atLeastOnce, id: 1)
      broker.settle()
      #expect(received == round + 1 && confirmed == round + 1 && published == round + 1)
      if case .open(let connection) = client.core.phase { connections.append(Weak(connection)) }
      sizes.append(size(of: client.core.session))
      if round == 99 { pending = broker.scheduler.pending }
      isPresent = .random(using: &random)
      broker.crash()
      // An observer that comes and goes while there is no connection, and one that does so later.
      client.subscribe(to: MQTTSubscription("d/\(round)")).observe().dispose()
      broker.advance(.seconds(1))
      let later = client.subscribe(to: MQTTSubscription("e/\(round)"), "b").observe()
      broker.settle()
      later.dispose()
      broker.settle()
    }
    #expect(connections.count == count)
    #expect(connections.count { $0.connection != nil } <= 1)
    #expect(client.counts.waiting == 0 && client.counts.connections == count + 1)
    // Identifiers of old subscriptions are kept, up to a limit.
    let known = sizes.prefix(100).max() ?? 0
    #expect((sizes.last ?? 0) <= known, "\(known) became \(sizes.last ?? 0)")
    #expect(broker.scheduler.pending <= pending + 4)
    client.close()
  }
}
