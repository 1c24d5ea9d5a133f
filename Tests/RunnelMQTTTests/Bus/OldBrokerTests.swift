import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// Buses over a broker that refuses MQTT 5.
@Suite struct OldBrokerTests {
  struct PriceOf: TopicRequest {
    typealias Reply = Int
    static let topic = "price-of"
    let title: String
  }

  @Test("Events, sticky events, removals, requests and peers cross over nats-server")
  func busesJoinOverNATS() async {
    await withNATS { server in
      let (port, loop) = (server.port, server.loop)
      let (shop, store) = (BusPeer(on: loop), BusPeer(on: loop))
      let patterns: [JoinPattern<MQTTTransport>] = ["orders.#", "prices.*", .requests("price-of")]
      store.use { $0.answer(PriceOf.self) { $0.title.count } }
      for (peer, name) in [(shop, "shop"), (store, "store")] {
        peer.join(port: port, patterns) { $0.clientID = name }
        peer.waitUntilOnline()
      }
      shop.logPeers().wait { $0.last == ["store"] }
      shop.use { bus in
        for number in 0..<100 { try bus.publish(number, on: "orders.a.b") }
        try bus.publish(100, on: "prices.tea", sticky: true)
        try bus.publish(101, on: "prices.salt", sticky: true)
      }
      let all = store.received.wait(for: 102)
      #expect(all.sorted() == (0..<102).map { "\($0)" }.sorted())
      store.use { $0.removeSticky(on: "prices.tea") }
      store.wait { $0.counts.waiting == 0 }
      let late = BusPeer(on: loop)
      late.join(port: port, ["prices.*"]) { $0.clientID = "late" }
      late.waitUntilOnline()
      #expect(late.received.wait(for: 1) == ["101"])
      let answers = EventLog<String>()
      // The broker does not say when it has the subscription of the other program. A busy machine needs longer.
      var limit = Duration.milliseconds(100)
      let isAnswered = isReached {
        limit *= 2
        let count = answers.count
        shop.use { [limit] bus in
          bus.ask(PriceOf(title: "Emma"), within: limit, on: loop).observe(
            succeeded: { answers.add("\($0)") }, failed: { answers.add("\($0)") })
        }
        return answers.wait(for: count + 1).last == "4"
      }
      #expect(isAnswered)
      #expect(late.received.all == ["101"])
      [shop, store, late].forEach { $0.end() }
    }
  }
}
