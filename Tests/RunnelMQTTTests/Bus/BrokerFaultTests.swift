import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// Buses whose broker is killed or paused.
@Suite struct BrokerFaultTests {
  @Test("A broker that is killed under load loses no event, and each arrives once and in order")
  func killedBroker() async {
    // It writes each message to the subscribers before it confirms it, and saves sessions every second.
    await withBroker("max_inflight_messages 0\nautosave_interval 1") { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      shop.join(broker, .acknowledged("orders.*"))
      store.join(broker, .acknowledged("orders.*")) { $0.receiveMaximum = .max }
      let last = 3
      func run(_ round: Int, _ broker: PrivateBroker) {
        shop.waitUntilOnline()
        store.waitUntilOnline()
        // The next broker knows the subscriptions.
        broker.waitUntilSaved()
        let count = 2_000
        let numbers = round * count..<(round + 1) * count
        shop.use { bus in
          for number in numbers { try bus.publish(number, on: "orders.a") }
        }
        if round == last {
          let all = store.received.wait { $0.last == "\(numbers.upperBound - 1)" }
          #expect(all == (0..<numbers.upperBound).map { "\($0)" })
          return
        }
        store.received.wait(for: numbers.lowerBound + 200)
        let losses = shop.states.count
        #expect(broker.kill())
        shop.states.wait(for: losses + 1)
        #expect(shop.withLink { $0.counts.waiting } > 0, "Nothing was on its way.")
        broker.withSuccessor { run(round + 1, $0) }
      }
      run(0, broker)
      #expect(shop.withLink { $0.counts.dropped + $0.counts.refused } == 0)
      [shop, store].forEach { $0.end() }
    }
  }

  @Test("Buses find a broker again that was paused, and what they published meanwhile crosses")
  func pausedBroker() async {
    await withBroker { broker in
      let (shop, store) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      for peer in [shop, store] {
        peer.join(broker, "orders.*") { $0.keepAlive = .seconds(1) }
        peer.waitUntilOnline()
      }
      broker.process.send(Signal(rawValue: 19))
      shop.use { bus in
        for number in 0..<100 { try bus.publish(number, on: "orders.a") }
      }
      for peer in [shop, store] {
        peer.states.wait {
          $0.contains { if case .offline(_, .unreachable) = $0 { true } else { false } }
        }
      }
      shop.use { bus in
        for number in 100..<200 { try bus.publish(number, on: "orders.a") }
      }
      broker.process.send(Signal(rawValue: 18))
      let all = store.received.wait { $0.last == "199" }
      #expect(all == (0..<200).map { "\($0)" })
      [shop, store].forEach { $0.end() }
    }
  }

  @Test("A slow consumer on one side does not stop the other, and gets everything")
  func slowConsumer() async {
    await withBroker { broker in
      let (shop, slow, quick) = (
        BusPeer(on: broker.loop), BusPeer(on: broker.loop), BusPeer(on: broker.loop)
      )
      let held = Confined(HeldSources())
      let isPaused = EventLog<Void>()
      for peer in [shop, slow, quick] {
        peer.join(broker, "orders.*")
        peer.waitUntilOnline()
      }
      slow.use { bus in
        try bus.messages(on: "orders.a").take(1).observeNext { _ in
          if let source = Delivery.source { held.value.hold(source) }
          isPaused.add(())
        }
      }
      shop.use { bus in
        for number in 0..<1_000 { try bus.publish(number, on: "orders.a") }
      }
      isPaused.wait(for: 1)
      quick.received.wait(for: 1_000)
      slow.use { try $0.publish("from slow", on: "orders.b") }
      shop.received.wait { $0.contains("\"from slow\"") }
      #expect(slow.received.count < 1_000)
      slow.use { _ in held.value.resumeAll() }
      let all = slow.received.wait(for: 1_001).filter { $0 != "\"from slow\"" }
      #expect(all == (0..<1_000).map { "\($0)" })
      [shop, slow, quick].forEach { $0.end() }
    }
  }
}
