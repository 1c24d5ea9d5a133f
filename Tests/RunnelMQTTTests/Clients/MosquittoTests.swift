import RunnelLoop
import RunnelMQTT
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The client at a real broker.
@Suite struct MosquittoTests {
  @Test("Messages cross each way, in both versions", arguments: PrivateBroker.Way.allCases)
  func messagesCross(_ way: PrivateBroker.Way) async {
    await withBroker(isSecure: way == .secure || way == .secureWebSocket) { broker in
      // Over WebSockets, mosquitto sends about 40 KB in a second.
      let isSlow = way == .webSocket || way == .secureWebSocket
      let size = isSlow ? 5_000 : 300_000
      for version in [MQTTVersion.v5, .v311] {
        let client = broker.client(way) { $0.version = version }
        let received = EventLog<MQTTMessage>()
        let receipts = EventLog<String>()
        broker.loop.execute {
          client.value?.subscribe(
            to: MQTTSubscription("way/+", qos: .exactlyOnce),
            confirmed: {
              for (index, qos) in MQTTQoS.allCases.enumerated() {
                var message = MQTTMessage(
                  "way/\(index)", [UInt8](repeating: UInt8(index), count: index * size),
                  qos: qos)
                if version == .v5 { message.userProperties = [.init("n", "\(index)")] }
                client.value?.publish(message).observe(
                  succeeded: { receipts.add("\($0)") }, failed: { receipts.add("\($0)") })
              }
            }
          ).observe(next: { received.add($0) }, failed: { receipts.add("\($0)") })
        }
        receipts.wait(for: 3)
        let messages = received.wait(for: 3)
        #expect(receipts.all == ["sent", "confirmed", "confirmed"])
        #expect(messages.map(\.topic) == ["way/0", "way/1", "way/2"])
        #expect(messages.map(\.payload.count) == [0, size, 2 * size])
        #expect(messages.map(\.qos) == MQTTQoS.allCases)
        if version == .v5 {
          #expect(messages.map { $0.userProperty("n") } == ["0", "1", "2"])
        }
        broker.loop.wait { client.value?.close() }
      }
    }
  }

  @Test(
    "Messages without confirmation wait for room, and all are written",
    arguments: PrivateBroker.Way.allCases)
  func unconfirmedMessagesWait(_ way: PrivateBroker.Way) async {
    await withBroker(isSecure: way == .secure || way == .secureWebSocket) { broker in
      let client = broker.client(way)
      let receipts = EventLog<MQTTReceipt>()
      broker.loop.execute {
        for _ in 0..<500 {
          client.value?.publish(MQTTMessage("load", [UInt8](repeating: 1, count: 10_000))).observe(
            succeeded: { receipts.add($0) }, failed: { Issue.record("\($0)") })
        }
        client.value?.publish(MQTTMessage("load", qos: .exactlyOnce)).observe(
          succeeded: { receipts.add($0) }, failed: { Issue.record("\($0)") })
      }
      let all = receipts.wait(for: 501)
      #expect(all.dropLast().allSatisfy { $0 == .sent } && all.last != .sent)
      #expect(broker.loop.wait { client.value?.counts.waiting } == 0)
    }
  }

  @Test("A stranger's certificate is not accepted")
  func certificateIsChecked() async {
    await withBroker(isSecure: true) { broker in
      let log = EventLog<MQTTClient.State>()
      let url = broker.url(.secure)
      broker.loop.wait {
        do {
          let client = try MQTTClient(url, on: broker.loop)
          client.state.filter { $0 != .connecting }.take(1).observeNext {
            log.add($0)
            client.close()
          }
        } catch {
          Issue.record("\(error)")
        }
      }
      guard case .offline(_, .connection(let error))? = log.wait(for: 1).first,
        case .security = error.cause
      else {
        Issue.record("\(log.all)")
        return
      }
    }
  }

  @Test("Logins, topics and subscriptions are refused with typed errors")
  func refusalsAreTyped() async {
    await withBroker(
      """
      allow_anonymous false
      password_file FOLDER/passwords
      acl_file FOLDER/rights
      """,
      files: { folder in
        folder.write("rights", "user jim\ntopic readwrite open/#\n")
        withProcessHere(
          ["/usr/bin/mosquitto_passwd", "-c", "-b", folder["passwords"], "jim", "a:b/c"]
        ) { #expect($0.wait() == .exit(0)) }
      }
    ) { broker in
      let states = EventLog<MQTTClient.State>()
      let stranger = broker.client(login: "jim:wrong@")
      broker.loop.execute { stranger.value?.state.observeNext { states.add($0) } }
      states.wait {
        $0.contains {
          if case .offline(_, .refused(.notAuthorized, _)) = $0 { true } else { false }
        }
      }
      let client = broker.client(login: "jim:a%3Ab%2Fc@")
      broker.waitUntilOnline(client)
      let results = EventLog<String>()
      broker.loop.execute {
        client.value?.publish(MQTTMessage("closed/a", qos: .atLeastOnce)).observe(
          succeeded: { results.add("\($0)") }, failed: { results.add("\($0)") })
        client.value?.publish(MQTTMessage("open/a", qos: .atLeastOnce)).observe(
          succeeded: { results.add("\($0)") }, failed: { results.add("\($0)") })
      }
      let refusal = MQTTError.refusedMessage(topic: "closed/a", .notAuthorized, text: nil)
      #expect(results.wait(for: 2) == [refusal.description, "withoutSubscribers"])
    }
  }

  @Test func interoperatesWithCommands() async {
    await withBroker { broker in
      let client = broker.client()
      let received = EventLog<String>()
      let isReady = EventLog<Void>()
      broker.loop.execute {
        client.value?.subscribe(to: "to/runnel/#", confirmed: { isReady.add(()) }).observe(
          next: {
            received.add("\($0.topic) \($0.text) \($0.userProperty("k") ?? "-") \($0.qos)")
          })
        client.value?.subscribe(to: "ask", confirmed: { isReady.add(()) }).observe(next: {
          request in
          guard let topic = request.responseTopic else { return }
          var answer = MQTTMessage(topic, text: "answer to \(request.text)")
          answer.correlationData = request.correlationData
          try? client.value?.send(answer)
        })
      }
      isReady.wait(for: 2)
      _ = broker.run(
        "mosquitto_pub", "-V", "5", "-q", "1", "-t", "to/runnel/é", "-m", "häßlich", "-D",
        "publish",
        "user-property", "k", "v")
      _ = broker.run("mosquitto_pub", "-V", "311", "-q", "2", "-t", "to/runnel", "-m", "old")
      #expect(
        received.wait(for: 2) == [
          "to/runnel/é häßlich v atLeastOnce", "to/runnel old - atLeastOnce",
        ])
      let answer = broker.run("mosquitto_rr", "-t", "ask", "-e", "answers", "-m", "question")
      #expect(answer == ["answer to question"])
      let receipts = EventLog<MQTTReceipt>()
      broker.loop.execute {
        var message = MQTTMessage(
          "from/runnel", text: "kept", qos: .exactlyOnce, isRetained: true)
        message.contentType = "text/plain"
        client.value?.publish(message).observe(succeeded: { receipts.add($0) })
      }
      receipts.wait(for: 1)
      for version in ["5", "311"] {
        let lines = broker.run(
          "mosquitto_sub", "-V", version, "-q", "2", "-t", "from/#", "-C", "1", "-F", "%t %q %r %p")
        #expect(lines == ["from/runnel 2 1 kept"])
      }
    }
  }

  @Test("What nobody has subscribed to is known")
  func missingSubscribersAreKnown() async {
    await withBroker { broker in
      let client = broker.client()
      let receipts = EventLog<MQTTReceipt>()
      broker.loop.execute {
        client.value?.publish(MQTTMessage("nobody", qos: .atLeastOnce)).observe(
          succeeded: { receipts.add($0) })
      }
      #expect(receipts.wait(for: 1) == [.withoutSubscribers])
    }
  }

  @Test("The last will is published when a client vanishes, and not when it closes")
  func lastWill() async {
    await withBroker { broker in
      let watcher = broker.client()
      let received = EventLog<String>()
      let isReady = EventLog<Void>()
      broker.loop.execute {
        watcher.value?.subscribe(to: "will/#", confirmed: { isReady.add(()) }).observe(
          next: { received.add($0.topic) })
      }
      isReady.wait(for: 1)
      let closed = broker.client {
        $0.will = MQTTWill(MQTTMessage("will/closed"))
      }
      broker.waitUntilOnline(closed)
      broker.loop.wait { closed.value?.close() }
      let lost = EventLog<Void>()
      let port = broker.port
      broker.loop.execute { [loop = broker.loop] in
        // The connection of the second client passes this program, which resets it.
        do {
          let listener = try Listener(.tcp("127.0.0.1", port: 0), on: loop)
          guard let relayPort = listener.address.port else { return }
          listener.connections.take(1).observeNext { inner in
            Connection.connect(to: .tcp("127.0.0.1", port: port), on: loop).observe(
              succeeded: { outer in
                inner.bytes.bind(to: outer.writer)
                outer.bytes.observe(
                  next: { bytes in
                    _ = inner.write(bytes)
                    outer.reset()
                    inner.reset()
                    lost.add(())
                  }, failed: { _ in })
              }, failed: { Issue.record("\($0)") })
          }
          let options = MQTTOptions {
            $0.backoff = Backoff(initial: .seconds(600), maximum: .seconds(600))
            $0.will = MQTTWill(MQTTMessage("will/killed", text: "gone"))
          }
          let client = try MQTTClient("mqtt://127.0.0.1:\(relayPort)", options: options, on: loop)
          watcher.value?.subscribe(to: "will/killed").take(1).observe(
            next: { _ in client.close() }, failed: { _ in })
        } catch {
          Issue.record("\(error)")
        }
      }
      lost.wait(for: 1)
      #expect(received.wait(for: 1) == ["will/killed"])
    }
  }

  @Test("Messages that arrive while the client is away wait in its session")
  func sessionsKeepMessages() async {
    await withBroker { broker in
      let received = EventLog<String>()
      @Sendable func listen(_ texts: Int) {
        let client = broker.client {
          $0.clientID = "sleeper"
        } begin: {
          $0.subscribe(to: "sleep/#").observe(next: { received.add($0.text) })
        }
        broker.waitUntilOnline(client)
        received.wait(for: texts)
        broker.loop.wait { client.value?.close() }
      }
      listen(0)
      for number in 1...3 {
        _ = broker.run("mosquitto_pub", "-q", "1", "-t", "sleep/\(number)", "-m", "\(number)")
      }
      listen(3)
      #expect(received.all == ["1", "2", "3"])
    }
  }

  @Test(
    "A killed broker loses nothing that is not confirmed",
    arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
  func killedBroker(_ qos: MQTTQoS) async {
    await withBroker { broker in
      let client = broker.client {
        $0.clientID = "survivor"
        $0.inFlight = 20
      }
      let (received, confirmed) = (EventLog<Int>(), EventLog<Int>())
      let losses = EventLog<MQTTError>()
      broker.waitUntilOnline(client)
      broker.loop.execute {
        client.value?.state.observeNext { state in
          if case .offline(_, let reason) = state { losses.add(reason) }
        }
        client.value?.subscribe(to: MQTTSubscription("load", qos: qos)).observe(
          next: { received.add(Int($0.text) ?? -1) })
      }
      @Sendable func publish(_ numbers: Range<Int>) {
        broker.loop.execute {
          for number in numbers {
            client.value?.publish(MQTTMessage("load", text: "\(number)", qos: qos)).observe(
              succeeded: { _ in confirmed.add(number) }, failed: { Issue.record("\($0)") })
          }
        }
      }
      func run(_ round: Int, _ broker: PrivateBroker) {
        let numbers = round * 5_000..<(round + 1) * 5_000
        publish(numbers)
        confirmed.wait(for: numbers.lowerBound + 500)
        if round == 3 {
          let all = confirmed.wait(for: numbers.upperBound)
          #expect(Set(all).count == all.count)
          return
        }
        let earlier = losses.count
        #expect(broker.kill())
        // Confirmations may have been on their way.
        losses.wait(for: earlier + 1)
        let waiting = broker.loop.wait { client.value?.counts.waiting ?? 0 }
        #expect(waiting > 0, "No message was on its way when the broker died.")
        let before = Set(confirmed.all)
        let missing = numbers.filter { !before.contains($0) }
        #expect(!missing.isEmpty)
        broker.withSuccessor { next in
          confirmed.wait(for: numbers.upperBound)
          // The subscription was made before the messages were sent again.
          let last = missing[missing.count - 1]
          let all = received.wait { $0.suffix(1_000).contains(last) }
          #expect(Set(missing).subtracting(all).sorted() == [])
          run(round + 1, next)
        }
      }
      run(0, broker)
      let connections = broker.loop.wait { client.value?.counts.connections }
      #expect(connections == 4)
    }
  }

  @Test("A stopped broker is noticed, and nothing that waits meanwhile is lost")
  func stoppedBroker() async {
    await withBroker { broker in
      let client = broker.client { $0.keepAlive = .seconds(1) }
      let states = EventLog<MQTTClient.State>()
      let received = EventLog<String>()
      broker.loop.execute {
        client.value?.state.observeNext { states.add($0) }
        client.value?.subscribe(to: "a/#").observe(next: { received.add($0.text) })
      }
      states.wait { $0.contains(.online) }
      broker.process.send(Signal(rawValue: 19))
      broker.loop.execute {
        for number in 1...3 {
          try? client.value?.send(MQTTMessage("a/\(number)", text: "\(number)", qos: .atLeastOnce))
        }
      }
      states.wait {
        $0.contains { if case .offline(_, .keepAliveTimedOut) = $0 { true } else { false } }
      }
      broker.loop.execute {
        client.value?.subscribe(to: "b").observe(next: { received.add($0.text) })
        try? client.value?.send(MQTTMessage("b", text: "4", qos: .exactlyOnce))
      }
      broker.process.send(Signal(rawValue: 18))
      states.wait { $0.last == .online }
      // The broker may have received the first ones before it was stopped, or not confirmed them.
      let all = received.wait { Set($0).count == 4 }
      #expect(all.count { $0 == "4" } == 1)
    }
  }
}
