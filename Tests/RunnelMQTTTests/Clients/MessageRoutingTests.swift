import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// No message is lost on its way to the observers.
@Suite struct MessageRoutingTests {
  private let broker = ScriptedBroker()

  @Test("Messages that a session has kept reach observers of before and after")
  func keptMessagesReachAll() throws {
    let client = try broker.client()
    var (first, second): ([String], [String]) = ([], [])
    client.subscribe(to: "a").observe(next: { first.append($0.text) })
    broker.settle()
    let old = broker.identifiers("a")
    broker.connack = { _ in Packet.Connack(isSessionPresent: true) }
    broker.crash()
    client.subscribe(to: "a").observe(next: { second.append($0.text) })
    broker.advance(.seconds(1))
    broker.peer.publish("a", "x", .atLeastOnce, id: 1, identifiers: old)
    broker.settle()
    #expect(first == ["x"] && second == ["x"])
  }

  @Test("A confirmed message of a subscription that has ended goes to others that match")
  func endedSubscriptionLosesNothing() throws {
    let client = try broker.client()
    var received: [String] = []
    let before = client.subscribe(to: "a").observe()
    broker.settle()
    let old = broker.identifiers("a")
    before.dispose()
    client.subscribe(to: "#").observe(next: { received.append($0.text) })
    broker.peer.publish("a", "x", .atLeastOnce, id: 1, identifiers: old)
    broker.settle()
    #expect(received == ["x"])
  }

  @Test("Each of many observers of one filter gets its retained messages")
  func manyObserversOfOneFilter() throws {
    let client = try broker.client()
    broker.settle()
    var received = [[String]](repeating: [], count: 6)
    for index in received.indices {
      client.subscribe(to: "a").observe(next: { received[index].append($0.text) })
    }
    broker.settle()
    let numbers = broker.identifiers("a")
    #expect(numbers.count == 6)
    for number in numbers { broker.peer.publish("a", "1", isRetained: true, identifiers: [number]) }
    broker.peer.publish("a", "2", .atLeastOnce, id: 1, identifiers: [numbers[0]])
    broker.settle()
    #expect(received == Array(repeating: ["1", "2"], count: 6))
  }

  @Test("Numbers of observers that have left are forgotten, not their messages")
  func changingObservers() throws {
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "a").observe(next: { received.append($0.text) })
    broker.settle()
    for _ in 0..<200 {
      let other = client.subscribe(to: "a").observe()
      broker.settle()
      other.dispose()
    }
    let numbers = broker.identifiers("a")
    for number in [numbers[1], numbers[150], numbers[200]] {
      broker.peer.publish("a", "x", identifiers: [number])
    }
    broker.settle()
    #expect(received == ["x", "x", "x"])
  }

  @Test("An observer takes the copy of a filter that surely gets one")
  func copiesOfSureFilters() throws {
    let client = try broker.client()
    func received(
      _ subscriptions: MQTTSubscription..., topic: String, _ qos: MQTTQoS = .atMostOnce,
      isRetained: Bool = false, copies: [Int]
    ) -> Int {
      var count = 0
      let observation = client.subscribe(to: subscriptions).observe(next: { _ in count += 1 })
      broker.settle()
      for index in copies {
        broker.peer.publish(
          topic, "x", index == 0 ? .atMostOnce : qos, id: qos == .atMostOnce ? 0 : 1,
          isRetained: isRetained,
          identifiers: broker.identifiers(subscriptions[index].filter).suffix(1))
      }
      broker.settle()
      observation.dispose()
      broker.settle()
      return count
    }
    let withoutRetained = MQTTSubscription("#", retained: .none)
    #expect(received(withoutRetained, "c/x", topic: "c/x", isRetained: true, copies: [1]) == 1)
    #expect(received(withoutRetained, "c/x", topic: "c/x", copies: [0, 1]) == 1)
    var others = MQTTSubscription("a/#")
    others.excludesOwn = true
    // Messages of the client itself have one copy.
    #expect(received(others, "a/b", topic: "a/b", copies: [1]) == 1)
    #expect(received(others, "a/b", topic: "a/b", copies: [0, 1]) == 1)
    #expect(received(others, "a/b", topic: "a/c", copies: [0]) == 1)
    #expect(received("$share/g/a/#", "a/b", topic: "a/b", copies: [1]) == 1)
    #expect(received("$share/g/a/#", "a/b", topic: "a/b", copies: [0, 1]) == 1)
    #expect(received("$share/g/a/#", "a/b", topic: "a/c", copies: [0]) == 1)
    let weak = MQTTSubscription("a/#", qos: .atMostOnce)
    #expect(received(weak, "a/b", topic: "a/b", .atLeastOnce, copies: [1]) == 1)
  }

  @Test("An observer without retained messages takes them from nobody")
  func strongestRetainedCounts() throws {
    let client = try broker.client()
    var (first, second): ([String], [String]) = ([], [])
    client.subscribe(to: MQTTSubscription("a", qos: .atMostOnce)).observe(next: {
      first.append($0.text)
    })
    client.subscribe(to: MQTTSubscription("a", retained: .none)).observe(next: {
      second.append($0.text)
    })
    broker.settle()
    let options = MQTTSubscription("a").options
    #expect(broker.subscriptions("a").map(\.filters[0].options) == [options])
    broker.peer.publish("a", "1", isRetained: true, identifiers: broker.identifiers("a"))
    broker.settle()
    #expect(first == ["1"] && second.isEmpty)
    client.subscribe(to: MQTTSubscription("a", qos: .exactlyOnce, retained: .none)).observe()
    broker.settle()
    #expect(broker.subscriptions("a").last?.filters[0].options == options + 0x21)
    broker.crash()
    broker.advance(.seconds(1))
    #expect(broker.subscriptions("a").map(\.filters[0].options) == [options + 1])
    broker.peer.publish("a", "2", isRetained: true, identifiers: broker.identifiers("a"))
    broker.settle()
    #expect(first == ["1", "2"] && second.isEmpty)
  }

  @Test(
    "With MQTT 3.1.1, a subscription that needs MQTT 5 ends no other one", arguments: [true, false])
  func olderVersionRefusesOne(isKnown: Bool) throws {
    broker.connack = { connect in
      Packet.Connack(reason: connect.version == .v5 ? .unsupportedProtocolVersion : .success)
    }
    let client = try broker.client { if isKnown { $0.version = .v311 } }
    var received: [String] = []
    var errors: [MQTTError] = []
    client.subscribe(to: "a").observe(
      next: { received.append($0.text) }, failed: { errors.append($0) })
    if isKnown { broker.settle() }
    var flagged = MQTTSubscription("a", qos: .exactlyOnce)
    flagged.keepsRetainedFlag = true
    client.subscribe(to: flagged).observe(failed: { errors.append($0) })
    broker.settle()
    #expect(errors == [.unsupported(.unsupportedProtocolVersion)])
    #expect(broker.subscriptions("a").count == 1)
    broker.peer.publish("a", "x")
    broker.settle()
    #expect(received == ["x"])
    #expect(client.state.value == .online)
  }
}
