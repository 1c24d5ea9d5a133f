import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// The programs that are online.
@Suite struct PeerTests {
  @Test("Peers come and go: by a join, an end, a lost connection and a kill")
  func peersComeAndGo() async {
    await withBroker { broker in
      let peers = ["a", "b", "c"].map { name in
        let peer = BusPeer(on: broker.loop)
        peer.join(broker, "orders.*", isCuttable: name == "c") { $0.clientID = name }
        return peer
      }
      let other = BusPeer(on: broker.loop)
      other.join(broker, prefix: "acme.other", "orders.*") { $0.clientID = "other" }
      let seen = peers[0].logPeers()
      seen.wait { $0.last == ["b", "c"] }
      peers[1].end()
      seen.wait { $0.last == ["c"] }
      broker.loop.wait { peers[2].parts.value.relay?.cut() }
      seen.wait { $0.last == [] }
      broker.loop.wait { peers[2].parts.value.relay?.heal() }
      seen.wait { $0.last == ["c"] }
      // A program in another language, which the system kills.
      let topic = "runnel//peers/shop/foreign"
      let command = [
        "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", topic,
        "--will-topic", topic, "--will-retain",
      ]
      _ = broker.run("mosquitto_pub", "-q", "1", "-r", "-t", topic, "-m", "online")
      seen.wait { $0.last == ["c", "foreign"] }
      withProcessHere(untilParentEnds + command) { process in
        // It has connected.
        #expect(process.readLine() == "online")
        process.send(.kill)
        seen.wait { $0.last == ["c"] }
        #expect(process.wait() == .signal(.kill))
      }
      #expect(other.logPeers().wait(for: 1).last == [])
      #expect(seen.all.allSatisfy { !$0.contains("other") && !$0.contains("a") })
      (peers + [other]).forEach { $0.end() }
    }
  }

  @Test("A program whose connection was lost sees its peers again")
  func peersAreSeenAgain() async {
    await withBroker { broker in
      let peers = ["a", "b"].map { name in
        let peer = BusPeer(on: broker.loop)
        peer.join(broker, "orders.*", isCuttable: name == "a") { $0.clientID = name }
        return peer
      }
      let seen = peers[0].logPeers()
      seen.wait { $0.last == ["b"] }
      for _ in 0..<3 {
        broker.loop.wait { peers[0].parts.value.relay?.cut() }
        seen.wait { $0.last == [] }
        broker.loop.wait { peers[0].parts.value.relay?.heal() }
        seen.wait { $0.last == ["b"] }
      }
      peers.forEach { $0.end() }
    }
  }

  @Test("A last will and names with slashes are refused")
  func optionsAreChecked() async {
    await withLoop { loop in
      loop.wait {
        let options = [
          MQTTOptions { $0.will = MQTTWill(MQTTMessage("gone")) },
          MQTTOptions { $0.clientID = "a/b" }, MQTTOptions { $0.packetSize = 1 },
        ]
        for options in options {
          #expect(throws: MQTTError.self) {
            try MQTTTransport("mqtt://localhost", options: options, on: loop)
          }
        }
        #expect(throws: MQTTError.self) {
          try MQTTTransport("mqtt://localhost", group: "a+", on: loop)
        }
      }
    }
  }
}
