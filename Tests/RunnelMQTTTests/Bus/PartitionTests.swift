import RunnelBus
import RunnelMQTT
import TestSupport
import Testing

/// Buses whose network falls apart, without a packet that says so.
@Suite(.enabled(if: PrivateNetwork.isPermitted, Comment(rawValue: PrivateNetwork.reason)))
struct PartitionTests {
  @Test("A cut cable is noticed by silence. Once it is whole, all events cross in order")
  func cutCable() async {
    let network = PrivateNetwork()
    await withBroker("listener 1883 \(network.address)", in: network) { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      shop.join(url: "mqtt://\(network.address)", [.acknowledged("orders.*")]) {
        $0.clientID = "shop"
        $0.keepAlive = .seconds(1)
      }
      store.join(url: broker.url(.unix), [.acknowledged("orders.*")]) { $0.clientID = "store" }
      let peers = (shop.logPeers(), store.logPeers())
      for peer in [shop, store] { peer.waitUntilOnline() }
      peers.0.wait { $0.last == ["store"] }
      peers.1.wait { $0.last == ["shop"] }
      func publish(_ numbers: Range<Int>) {
        shop.use { bus in
          for number in numbers { try bus.publish("shop \(number)", on: "orders.a") }
        }
        store.use { bus in
          for number in numbers { try bus.publish("store \(number)", on: "orders.b") }
        }
      }
      publish(0..<100)
      let before = shop.states.count
      network.cut(broker)
      // Some of these are on their way when the connection is found to be lost.
      publish(100..<200)
      let states = shop.states.wait(for: before + 1)
      guard case .offline(_, .unreachable(let reason)) = states[before] else {
        Issue.record("\(states)")
        return
      }
      #expect(reason == "\(MQTTError.keepAliveTimedOut)")
      peers.0.wait { $0.last == [] }
      // The broker notices it, too.
      peers.1.wait { $0.last == [] }
      publish(200..<300)
      network.heal(broker)
      for peer in [shop, store] {
        let all = peer.received.wait { $0.count >= 600 }
        for name in ["shop", "store"] {
          let texts = all.filter { $0.hasPrefix("\"\(name) ") }
          #expect(texts == (0..<300).map { "\"\(name) \($0)\"" })
        }
      }
      peers.0.wait { $0.last == ["store"] }
      peers.1.wait { $0.last == ["shop"] }
      for peer in [shop, store] {
        peer.wait { $0.counts.waiting == 0 }
        #expect(peer.withLink { $0.counts.dropped + $0.counts.refused } == 0)
      }
      [shop, store].forEach { $0.end() }
    }
  }
}
