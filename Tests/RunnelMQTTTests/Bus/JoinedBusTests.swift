import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// Buses that are joined over a real broker.
@Suite struct JoinedBusTests {
  struct OrderCreated: TopicEvent, Equatable {
    static let topic = "orders.created"
    let number: Int
  }

  @Test("Typed events cross, and programs without Runnel take part", arguments: [true, false])
  func eventsCross(_ isNewest: Bool) async {
    await withBroker { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      for peer in [shop, store] {
        peer.join(broker, "orders.#", "stock.*") { $0.version = isNewest ? .v5 : .v311 }
      }
      shop.waitUntilOnline()
      store.waitUntilOnline()
      let orders = EventLog<OrderCreated>()
      store.use { $0.events(OrderCreated.self).observeNext { orders.add($0) } }
      shop.use { $0.publish(OrderCreated(number: 7)) }
      #expect(orders.wait(for: 1) == [OrderCreated(number: 7)])
      _ = broker.run("mosquitto_pub", "-V", "311", "-q", "1", "-t", "shop/stock/tea", "-m", "12")
      #expect(store.received.wait(for: 2) == [#"{"number":7}"#, "12"])
      #expect(shop.received.wait(for: 2) == [#"{"number":7}"#, "12"])
      shop.wait { $0.counts.sent == 1 }
      #expect(store.withLink { $0.counts.received } == 2)
      [shop, store].forEach { $0.end() }
    }
  }

  @Test("Programs without Runnel receive events as JSON, and where they come from as a property")
  func foreignProgramsReceive() async {
    await withBroker { broker in
      let shop = BusPeer(on: broker.loop)
      shop.join(broker, "orders.#")
      shop.waitUntilOnline()
      shop.use { try $0.publish(1, on: "orders.kept", sticky: true) }
      shop.wait { $0.counts.sent == 1 }
      let lines = broker.run(
        "mosquitto_sub", "-V", "5", "-t", "shop/#", "-C", "1", "-F", "%t %r %p %P")
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("shop/orders/kept 1 1 runnel:sticky ") == true, "\(lines)")
      shop.end()
    }
  }

  @Test("Topics that MQTT would understand in another way are errors at once")
  func unmappableTopicsAreRefused() async {
    await withBroker { broker in
      let shop = BusPeer(on: broker.loop)
      shop.join(broker, "orders.#")
      shop.use { bus in
        for topic in ["orders.a/b", "orders.a+b"] {
          #expect(throws: TopicError.self) { try bus.publish(1, on: topic) }
        }
        #expect(throws: JoinError.self) {
          try bus.join("mqtt://localhost", importing: ["a/b"], on: broker.loop)
        }
        #expect(throws: MQTTError.self) {
          try bus.join("http://localhost", importing: ["a"], on: broker.loop)
        }
      }
      shop.end()
    }
  }

  @Test("A program that starts later receives sticky events, and removals propagate")
  func stickyEventsAreRetained() async {
    await withBroker { broker in
      let shop = BusPeer(on: broker.loop)
      shop.join(broker, "prices.*")
      shop.waitUntilOnline()
      shop.use { bus in
        try bus.publish(1, on: "prices.tea", sticky: true)
        try bus.publish(2, on: "prices.salt", sticky: true)
        try bus.publish(3, on: "prices.tea", sticky: true)
      }
      shop.wait { $0.counts.waiting == 0 }
      let late = BusPeer(on: broker.loop)
      late.join(broker, "prices.*")
      late.waitUntilOnline()
      #expect(Set(late.received.wait(for: 2)) == ["2", "3"])
      // The late one removes one value, a program without Runnel the other one, and sets a third.
      late.use { $0.removeSticky(on: "prices.tea") }
      _ = broker.run("mosquitto_pub", "-q", "1", "-r", "-n", "-t", "shop/prices/salt")
      _ = broker.run("mosquitto_pub", "-q", "1", "-r", "-t", "shop/prices/oil", "-m", "4")
      shop.received.wait { $0.contains("4") }
      late.received.wait { $0.contains("4") }
      for peer in [shop, late] {
        let kept = EventLog<String>()
        peer.use { bus in
          try bus.messages(on: "prices.*").observeNext { message in
            kept.add("\(message.topic) \(String(decoding: try! message.bytes, as: UTF8.self))")
          }
        }
        #expect(kept.wait(for: 1) == ["prices.oil 4"])
      }
      let last = BusPeer(on: broker.loop)
      last.join(broker, "prices.*")
      last.waitUntilOnline()
      #expect(last.received.wait(for: 1) == ["4"])
      [shop, late, last].forEach { $0.end() }
    }
  }

  @Test("A sticky event that changes while a connection is lost is there afterwards")
  func stickyEventsComeAfterLoss() async {
    await withBroker { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      // The broker keeps no messages of such a pattern for a lost connection.
      shop.join(broker, .unacknowledged("prices.*"))
      store.join(broker, .unacknowledged("prices.*"), isCuttable: true)
      for peer in [shop, store] { peer.waitUntilOnline() }
      shop.use { try $0.publish(1, on: "prices.tea", sticky: true) }
      store.received.wait { $0.last == "1" }
      for round in 2..<5 {
        broker.loop.wait { store.parts.value.relay?.cut() }
        store.states.wait { $0.last != .online }
        shop.use { try $0.publish(round, on: "prices.tea", sticky: true) }
        shop.wait { $0.counts.waiting == 0 }
        broker.loop.wait { store.parts.value.relay?.heal() }
        store.received.wait { $0.last == "\(round)" }
        store.waitUntilOnline()
      }
      #expect(store.received.all == ["1", "2", "3", "4"])
      [shop, store].forEach { $0.end() }
    }
  }

  @Test("Bridges in a ring deliver each event once to each bus, in order")
  func ringDeliversOnce() async {
    await withBroker { broker in
      let peers = (0..<4).map { _ in BusPeer(on: broker.loop) }
      // The two bridges join both systems.
      for (index, peer) in peers.enumerated() {
        if index != 1 { peer.join(broker, prefix: "left", "orders.#") }
        if index != 0 { peer.join(broker, prefix: "right", "orders.#") }
      }
      peers.forEach { $0.waitUntilOnline() }
      let count = 500
      for number in 0..<count {
        peers[number % 4].use { try $0.publish(number, on: "orders.a") }
      }
      peers.forEach { $0.use { try $0.publish("end", on: "orders.z") } }
      for peer in peers {
        let all = peer.received.wait { $0.count >= count + 4 }
        // A number that arrived twice would follow these.
        let ends = Array(repeating: "\"end\"", count: 4)
        #expect(all.sorted() == ((0..<count).map { "\($0)" } + ends).sorted())
      }
      peers.forEach { $0.end() }
    }
  }

  @Test("A bus that joins again in the observer of the end of its link is joined")
  func joinsAgainAtTheEnd() async {
    await withBroker { broker in
      let (states, received) = (EventLog<LinkState>(), EventLog<String>())
      let links = Confined<[BusLink]>([])
      broker.loop.wait {
        do {
          let transport = try MQTTTransport("mqtt://127.0.0.1:\(broker.port)", on: broker.loop)
          let bus = EventBus(coder: .json)
          try bus.events(Int.self, on: "a").observe(
            next: { received.add("\($0)") }, failed: { received.add("\($0)") })
          transport.state.observeNext { state in
            states.add(state)
            guard case .offline(_, .closed) = state, links.value.count == 1 else { return }
            do {
              links.value.append(try bus.join(transport, importing: ["a"]))
            } catch {
              Issue.record("\(error)")
            }
          }
          links.value.append(try bus.join(transport, importing: ["a"]))
        } catch {
          Issue.record("\(error)")
        }
      }
      states.wait { $0.contains(.online) }
      broker.loop.wait { links.value[0].dispose() }
      states.wait { states in states.count { $0 == .online } == 2 }
      let again = EventLog<LinkState>()
      broker.loop.wait { _ = links.value[1].state.observeNext { again.add($0) } }
      again.wait { $0.last == .online }
      _ = broker.run("mosquitto_pub", "-q", "1", "-t", "a", "-m", "7")
      #expect(received.wait(for: 1) == ["7"])
      broker.loop.wait { links.value.forEach { $0.dispose() } }
    }
  }
}
