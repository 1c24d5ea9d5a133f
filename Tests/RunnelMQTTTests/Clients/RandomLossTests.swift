import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// Random messages and subscriptions while connections and sessions are lost at random.
@Suite struct RandomLossTests {
  /// Checks what a broker with limits receives on one connection.
  private func check(_ peer: ScriptedBroker.Peer, aliases maximum: Int) {
    var aliases: [UInt32: String] = [:]
    for case .publish(let packet) in peer.packets {
      guard let alias = packet.properties[number: .topicAlias] else {
        #expect(!packet.topic.isEmpty)
        continue
      }
      #expect(alias <= maximum)
      if packet.topic.isEmpty {
        let number = Int(String(decoding: packet.payload, as: UTF8.self)) ?? -1
        #expect(aliases[alias] == topic(number), "The alias means another topic.")
      } else {
        aliases[alias] = packet.topic
      }
    }
  }

  private func topic(_ number: Int) -> String { "topic/\(number % 5)" }

  @Test("Every message is confirmed once, in the order of its topic", arguments: seeds(40))
  func messagesSurvive(_ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let broker = ScriptedBroker()
    var isPresent = false
    broker.connack = { _ in
      var packet = Packet.Connack(isSessionPresent: isPresent)
      packet.properties[number: .topicAliasMaximum] = 3
      packet.properties[number: .receiveMaximum] = 5
      return packet
    }
    let client = try broker.client { $0.inFlight = 7 }
    broker.settle()
    var endings: [Int: Int] = [:]
    var filters: [String: Disposable] = [:]
    var count = 0
    for _ in 0..<150 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4:
        let number = count
        count += 1
        let message = MQTTMessage(
          topic(number), Array("\(number)".utf8),
          qos: MQTTQoS.allCases.randomElement(using: &random) ?? .atMostOnce)
        client.publish(message).observe(
          succeeded: { _ in endings[number, default: 0] += 1 },
          failed: { Issue.record("\($0)") })
      case 5: broker.settle()
      case 6, 7:
        let filter = "f/\(Int.random(in: 0..<4, using: &random))"
        if let old = filters.removeValue(forKey: filter) {
          old.dispose()
        } else {
          filters[filter] = client.subscribe(to: MQTTSubscription(filter)).observe()
        }
      case 8: broker.answers = false
      case 9, 10:
        broker.settle()
        isPresent = .random(using: &random)
        broker.crash()
        broker.answers = true
        if Bool.random(using: &random) { broker.advance(.seconds(64)) }
      default: broker.advance(.seconds(64))
      }
    }
    broker.settle()
    isPresent = true
    broker.crash()
    broker.answers = true
    broker.advance(.seconds(64))
    #expect(client.state.value == .online)
    #expect(endings.count == count && endings.values.allSatisfy { $0 == 1 })
    #expect(client.counts.waiting == 0)
    for peer in broker.peers { check(peer, aliases: 3) }
    expectOrder(broker.peers)
    expectSubscriptions(Set(filters.keys), broker)
    client.close()
  }

  /// The first copies of the messages on one topic arrive in their order.
  private func expectOrder(_ peers: [ScriptedBroker.Peer]) {
    var last: [Int: Int] = [:]
    var seen: Set<Int> = []
    for case .publish(let packet) in peers.flatMap(\.packets) {
      let number = Int(String(decoding: packet.payload, as: UTF8.self)) ?? -1
      guard seen.insert(number).inserted else { continue }
      #expect(last[number % 5, default: -1] < number)
      last[number % 5] = number
    }
  }

  /// A broker that has done what it was asked for since its last session began has the filters.
  private func expectSubscriptions(_ filters: Set<String>, _ broker: ScriptedBroker) {
    var present: Set<String> = []
    for peer in broker.peers {
      if peer.hasKeptSession == false { present = [] }
      for packet in peer.packets {
        switch packet {
        case .subscribe(let packet): present.formUnion(packet.filters.map(\.filter))
        case .unsubscribe(let packet): present.subtract(packet.filters)
        default: break
        }
      }
    }
    #expect(present == filters)
  }
}
