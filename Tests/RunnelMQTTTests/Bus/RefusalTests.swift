import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// Links that a broker refuses something.
@Suite struct RefusalTests {
  @Test("A wrong login is a state, and rights for the topics of the bus are enough")
  func rightsAreTyped() async {
    await withBroker(
      """
      max_queued_messages 1000
      allow_anonymous false
      password_file FOLDER/passwords
      acl_file FOLDER/rights
      """,
      files: { folder in
        folder.write("rights", "user jim\ntopic readwrite shop/#\n")
        withProcessHere(
          ["/usr/bin/mosquitto_passwd", "-c", "-b", folder["passwords"], "jim", "secret"]
        ) { #expect($0.wait() == .exit(0)) }
      }
    ) { broker in
      let stranger = BusPeer(on: broker.loop)
      stranger.join(broker, "orders.*") { $0.user = "jim" }
      stranger.states.wait {
        if case .offline(_, .refusedLogin)? = $0.last { true } else { false }
      }
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      for peer in [shop, store] {
        peer.join(broker, "orders.*") {
          $0.user = "jim"
          $0.password = "secret"
        }
        peer.waitUntilOnline()
      }
      shop.use { try $0.publish(1, on: "orders.a", sticky: true) }
      #expect(store.received.wait(for: 1) == ["1"])
      store.use { $0.removeSticky(on: "orders.a") }
      shop.use { try $0.publish(2, on: "orders.a") }
      #expect(store.received.wait(for: 2) == ["1", "2"])
      let outside = BusPeer(on: broker.loop)
      outside.join(broker, prefix: "closed", "orders.*") {
        $0.user = "jim"
        $0.password = "secret"
      }
      outside.waitUntilOnline()
      outside.use { try $0.publish(3, on: "orders.a") }
      outside.wait { $0.counts.refused == 1 && $0.counts.waiting == 0 }
      [stranger, shop, store, outside].forEach { $0.end() }
    }
  }

  @Test("An event that is too large for the broker is refused, and later ones cross")
  func largeEventsAreRefused() async {
    await withBroker("max_packet_size 10000") { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      for peer in [shop, store] {
        peer.join(broker, "orders.*")
        peer.waitUntilOnline()
      }
      shop.use { bus in
        try bus.publish(String(repeating: "x", count: 20_000), on: "orders.a")
        try bus.publish(1, on: "orders.a")
      }
      #expect(store.received.wait(for: 1) == ["1"])
      #expect(shop.withLink { $0.counts.refused } == 1)
      [shop, store].forEach { $0.end() }
    }
  }
}
