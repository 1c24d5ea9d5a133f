import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// Several observers, filters and slow consumers.
@Suite struct SubscriberTests {
  private let broker = ScriptedBroker()

  @Test("A message that matches several filters arrives once at each observer")
  func overlappingFilters() throws {
    let client = try broker.client()
    var (first, second): ([String], [String]) = ([], [])
    client.subscribe(to: "#", "a/+", "a/b").observe(next: { first.append($0.text) })
    broker.settle()
    client.subscribe(to: "a/b").observe(next: { second.append($0.text) })
    broker.settle()
    let (all, plus) = (broker.identifiers("#"), broker.identifiers("a/+"))
    let exact = broker.identifiers("a/b")
    #expect(exact.count == 2)
    // One copy for each filter, in any order.
    broker.peer.publish("a/b", "1", identifiers: [exact[1]])
    broker.peer.publish("a/b", "1", identifiers: all)
    broker.peer.publish("a/b", "1", identifiers: plus)
    // One copy for all filters.
    broker.peer.publish("a/b", "2", identifiers: all + plus + [exact[1]])
    // A copy with the number of before the second observer.
    broker.peer.publish("a/b", "3", identifiers: [exact[0]])
    broker.peer.publish("c", "4", identifiers: all)
    broker.settle()
    #expect(first == ["1", "2", "4"])
    #expect(second == ["1", "2", "3"])
  }

  @Test("Retained messages go to the observer that has just begun")
  func retainedMessagesGoToNewObserver() throws {
    let client = try broker.client()
    var (first, second): ([String], [String]) = ([], [])
    client.subscribe(to: "a").observe(next: { first.append($0.text) })
    broker.settle()
    func retained(_ text: String, _ identifier: UInt32) {
      var packet = Packet.Publish(topic: "a", payload: Array(text.utf8), isRetained: true)
      packet.properties.subscriptionIDs = [identifier]
      broker.peer.send(.publish(packet))
      broker.settle()
    }
    retained("1", broker.identifiers("a")[0])
    client.subscribe(to: "a").observe(next: { second.append($0.text) })
    broker.settle()
    retained("1", broker.identifiers("a")[1])
    broker.peer.publish("a", "2", identifiers: [broker.identifiers("a")[1]])
    broker.settle()
    #expect(first == ["1", "2"] && second == ["1", "2"])
    // After a lost session, everybody gets them again.
    broker.crash()
    broker.advance(.seconds(1))
    retained("3", broker.identifiers("a")[0])
    #expect(first.last == "3" && second.last == "3")
  }

  @Test("Observers that begin together share one packet")
  func oneSubscriptionForSeveral() throws {
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "a").observe(next: { received.append("1 \($0.text)") })
    client.subscribe(to: "a").observe(next: { received.append("2 \($0.text)") })
    broker.settle()
    #expect(broker.identifiers("a").count == 1)
    var packet = Packet.Publish(topic: "a", payload: [0x78], isRetained: true)
    packet.properties.subscriptionIDs = broker.identifiers("a")
    broker.peer.send(.publish(packet))
    broker.settle()
    #expect(received == ["1 x", "2 x"])
  }

  @Test("Messages of a session of an earlier run are delivered by their topic")
  func earlierSessionIsDelivered() throws {
    broker.connack = { _ in Packet.Connack(isSessionPresent: true) }
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "a").observe(next: { received.append($0.text) })
    broker.settle()
    let own = broker.identifiers("a")[0]
    broker.peer.publish("a", "1", identifiers: [own &- 1])
    broker.peer.publish("b", "2", identifiers: [own &- 1])
    broker.peer.publish("a", "3", identifiers: [own])
    broker.settle()
    #expect(received == ["1", "3"])
  }

  @Test("Copies for a subscription that has ended are for nobody else")
  func copiesOfEndedSubscription() throws {
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "#").observe(next: { received.append($0.text) })
    let other = client.subscribe(to: "a").observe()
    broker.settle()
    other.dispose()
    broker.peer.publish("a", "1", identifiers: broker.identifiers("a"))
    broker.peer.publish("a", "1", identifiers: broker.identifiers("#"))
    broker.settle()
    #expect(received == ["1"])
  }

  @Test("A consumer that is behind makes the broker wait, and not the sending")
  func slowConsumerWithholdsConfirmations() throws {
    let client = try broker.client { $0.receiveMaximum = 4 }
    let place = HeldSources()
    var received: [String] = []
    client.subscribe(to: "a").observe(next: {
      received.append($0.text)
      if received.count == 1, let source = Delivery.source { place.hold(source) }
    })
    broker.settle()
    for id in 1...4 as ClosedRange<UInt16> {
      broker.peer.publish("a", "\(id)", .atLeastOnce, id: id)
    }
    broker.settle()
    #expect(received == ["1"])
    #expect(broker.peer.brief.filter { $0.hasPrefix("puback") } == ["puback 1"])
    var receipt: MQTTReceipt?
    client.publish(MQTTMessage("b", qos: .exactlyOnce)).observe(succeeded: { receipt = $0 })
    broker.settle()
    #expect(receipt == .confirmed)
    place.resumeAll()
    broker.settle()
    #expect(received == ["1", "2", "3", "4"])
    #expect(broker.peer.brief.suffix(3) == ["puback 2", "puback 3", "puback 4"])
  }

  @Test("A broker that reads slowly stops the sending, not the receiving")
  func slowBrokerStopsSending() throws {
    let client = try broker.client { $0.keepAlive = .zero }
    var received = 0
    client.subscribe(to: "a").observe(next: { _ in received += 1 })
    broker.settle()
    broker.peer.connection.limitReading(bytesPerSecond: 1)
    let payload = [UInt8](repeating: 0, count: 10_000)
    var sent = 0
    for _ in 0..<200 {
      client.publish(MQTTMessage("b", payload)).observe(succeeded: { _ in sent += 1 })
    }
    broker.settle()
    #expect(sent < 100)
    #expect(client.counts.waiting == 200 - sent)
    for id in 1...50 as ClosedRange<UInt16> { broker.peer.publish("a", "x", .atLeastOnce, id: id) }
    broker.settle()
    #expect(received == 50)
    broker.peer.connection.limitReading(bytesPerSecond: nil)
    broker.advance(.seconds(1))
    #expect(sent == 200 && client.counts.waiting == 0)
  }

  @Test("Observers receive a message in the order in which they have begun")
  func observersAreInOrder() throws {
    let client = try broker.client()
    var order: [Int] = []
    let filters = (0..<20).map { $0.isMultiple(of: 2) ? "a/\($0 / 2)/#" : "+/\($0 / 2)/b" }
    for (index, filter) in filters.enumerated() {
      client.subscribe(to: MQTTSubscription(filter), "z").observe(next: { _ in order.append(index) }
      )
    }
    broker.settle()
    broker.peer.publish("z", "1", identifiers: broker.identifiers("z"))
    broker.settle()
    #expect(order == Array(0..<20))
    order = []
    broker.peer.publish("z", "1")
    broker.settle()
    #expect(order == Array(0..<20))
  }

  @Test("Two filters that Swift calls equal are two subscriptions")
  func canonicallyEqualFilters() throws {
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "caf\u{E9}").observe(next: { received.append("1 \($0.text)") })
    client.subscribe(to: "cafe\u{301}").observe(next: { received.append("2 \($0.text)") })
    broker.settle()
    broker.peer.publish("cafe\u{301}", "x")
    broker.settle()
    #expect(received == ["2 x"])
  }

  @Test("A source that sends too much is paused")
  func sendingPausesSources() throws {
    let client = try broker.client { $0.queueBytes = 20_000 }
    let source = CountedSource()
    Delivery.from(source) {
      for _ in 0..<9 { try? client.send(MQTTMessage("a", [UInt8](repeating: 0, count: 1_200))) }
    }
    #expect(source.pauses == 1)
    broker.settle()
    #expect(source.pauses == 0)
  }
}

private final class CountedSource: PausableSource {
  var pauses = 0

  func pause() { pauses += 1 }
  func resume() { pauses -= 1 }
}
