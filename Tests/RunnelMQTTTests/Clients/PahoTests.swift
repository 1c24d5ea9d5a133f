import RunnelLoop
import RunnelMQTT
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The client and Python's paho-mqtt at one broker.
@Suite struct PahoTests {
  /// Subscribes to `to/paho/#`, says so, publishes for each QoS on `from/paho`, and answers each message
  /// with a line. It ends after three.
  private static let script = #"""
    import sys
    import paho.mqtt.client as mqtt
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    is_new = sys.argv[2] == "5"
    count = 0

    def say(text):
        print(text, flush=True)

    def connected(client, *rest):
        client.subscribe("to/paho/#", 2)

    def subscribed(client, *rest):
        say("ready")
        for qos in range(3):
            properties = None
            if is_new:
                properties = Properties(PacketTypes.PUBLISH)
                properties.UserProperty = [("name", "käse"), ("name", "2")]
                properties.ContentType = "text/plain"
                properties.ResponseTopic = "to/paho/answer"
                properties.CorrelationData = bytes([0, 255])
                properties.MessageExpiryInterval = 100
                properties.PayloadFormatIndicator = 1
            client.publish(f"from/paho/{qos}", f"häßlich {qos}", qos, properties=properties)

    def received(client, data, message):
        global count
        properties = message.properties.json() if is_new else "-"
        say(f"{message.topic} {message.qos} {message.payload.decode()} {properties}")
        count += 1
        if count == 3:
            client.disconnect()

    client = mqtt.Client("paho", protocol=mqtt.MQTTv5 if is_new else mqtt.MQTTv311)
    client.on_connect = connected
    client.on_subscribe = subscribed
    client.on_message = received
    client.connect("127.0.0.1", int(sys.argv[1]))
    client.loop_forever()
    """#

  @Test("Messages cross both ways, with their properties", arguments: [MQTTVersion.v5, .v311])
  func messagesCross(_ version: MQTTVersion) async {
    await withBroker { broker in
      broker.folder.write("peer.py", Self.script)
      let client = broker.client { $0.version = version }
      let received = EventLog<MQTTMessage>()
      let isReady = EventLog<Void>()
      broker.loop.execute {
        client.value?.subscribe(
          to: MQTTSubscription("from/paho/+", qos: .exactlyOnce), confirmed: { isReady.add(()) }
        ).observe(next: { received.add($0) })
      }
      isReady.wait(for: 1)
      let command = ["/usr/bin/python3", broker.folder["peer.py"], "\(broker.port)"]
      let lines = withProcessHere(
        untilParentEnds + command + ["\(version == .v5 ? 5 : 4)"]
      ) { peer in
        #expect(peer.readLine() == "ready")
        broker.loop.execute {
          for qos in MQTTQoS.allCases {
            var message = MQTTMessage("to/paho/\(qos.rawValue)", text: "schön \(qos)", qos: qos)
            if version == .v5 {
              message.userProperties = [.init("a", "1"), .init("a", "ü")]
              message.contentType = "x/y"
            }
            try? client.value?.send(message)
          }
        }
        let lines = peer.remainingLines()
        #expect(peer.wait() == .exit(0))
        return lines
      }
      let properties =
        version == .v5
        ? "{'PayloadFormatIndicator': 1, 'ContentType': 'x/y', 'UserProperty': [('a', '1'), ('a', 'ü')]}"
        : "-"
      #expect(
        lines
          == MQTTQoS.allCases.map {
            "to/paho/\($0.rawValue) \($0.rawValue) schön \($0) \(properties)"
          })
      let messages = received.wait(for: 3)
      #expect(messages.map(\.topic) == (0...2).map { "from/paho/\($0)" })
      #expect(messages.map(\.text) == (0...2).map { "häßlich \($0)" })
      #expect(messages.map(\.qos) == MQTTQoS.allCases)
      guard version == .v5 else { return }
      for message in messages {
        #expect(message.userProperties == [.init("name", "käse"), .init("name", "2")])
        #expect(message.contentType == "text/plain" && message.isText)
        #expect(message.responseTopic == "to/paho/answer" && message.correlationData == [0, 255])
        // The broker takes off the time that the message has waited.
        #expect((99...100).contains(message.expiry?.components.seconds ?? 0))
      }
    }
  }
}
