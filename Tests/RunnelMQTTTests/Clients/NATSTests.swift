import RunnelLoop
import RunnelMQTT
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The client at a broker that speaks only MQTT 3.1.1, and has no QoS 2.
@Suite struct NATSTests {
  @Test("The client falls back, and messages cross")
  func messagesCross() async {
    await withNATS { server in
      let received = EventLog<String>()
      let receipts = EventLog<String>()
      let isReady = EventLog<Int>()
      server.client { client in
        client.subscribe(
          to: MQTTSubscription("a/+", qos: .exactlyOnce), "b/#",
          confirmed: { isReady.add(client.counts.weakened) }
        ).observe(next: { received.add("\($0.topic) \($0.text) \($0.qos)") })
      }
      // The server grants QoS 1 at most.
      #expect(isReady.wait(for: 1) == [1])
      server.client { client in
        for (topic, qos) in [
          ("a/1", MQTTQoS.atMostOnce), ("a/2", .atLeastOnce), ("b", .atLeastOnce),
        ] {
          client.publish(MQTTMessage(topic, text: "ü", qos: qos)).observe(
            succeeded: { receipts.add("\($0)") }, failed: { receipts.add("\($0)") })
        }
        var message = MQTTMessage("b/c")
        message.contentType = "text/plain"
        client.publish(message).observe(
          succeeded: { receipts.add("\($0)") }, failed: { receipts.add("\($0)") })
      }
      let refusal = MQTTError.unsupported(.unsupportedProtocolVersion)
      #expect(
        Set(receipts.wait(for: 4)) == ["sent", "confirmed", "\(refusal)"])
      #expect(
        Set(received.wait(for: 3)) == ["a/1 ü atMostOnce", "a/2 ü atLeastOnce", "b ü atLeastOnce"])
    }
  }

  @Test("Retained messages and messages of a session wait at the server")
  func stateWaits() async {
    await withNATS { server in
      let received = EventLog<String>()
      @Sendable func listen(_ begin: @escaping @Sendable (MQTTClient) -> Void) {
        server.client({ $0.clientID = "sleeper" }) { client in
          client.subscribe(to: "a", "kept", confirmed: { begin(client) }).observe(
            next: { received.add("\($0.topic) \($0.text)") })
        }
      }
      let isReady = EventLog<Void>()
      listen { _ in isReady.add(()) }
      isReady.wait(for: 1)
      server.closeClients()
      let confirmed = EventLog<MQTTReceipt>()
      server.client { client in
        for topic in ["a", "kept"] {
          var message = MQTTMessage(topic, text: "1", qos: .atLeastOnce)
          message.isRetained = topic == "kept"
          client.publish(message).observe(succeeded: { confirmed.add($0) })
        }
      }
      confirmed.wait(for: 2)
      listen { _ in }
      received.wait { Set($0) == ["a 1", "kept 1"] }
      // A client of another name gets the retained one.
      let retained = EventLog<Bool>()
      server.client { client in
        client.subscribe(to: "kept").observe(next: { retained.add($0.isRetained) })
      }
      #expect(retained.wait(for: 1) == [true])
    }
  }
}
