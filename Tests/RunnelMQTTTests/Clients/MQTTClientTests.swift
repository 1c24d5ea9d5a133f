import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTLS
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// The client at a broker in virtual time.
@Suite struct MQTTClientTests {
  private let broker = ScriptedBroker()

  @Test func connectsWithLimits() throws {
    let client = try broker.client {
      $0.user = "jim"
      $0.password = "secret"
      $0.packetSize = 5_000
      $0.will = MQTTWill(MQTTMessage("gone", text: "x", isRetained: true), delay: .seconds(3))
    }
    var states: [MQTTClient.State] = []
    client.state.observeNext { states.append($0) }
    broker.settle()
    #expect(states == [.connecting, .online])
    let connect = try #require(broker.peer.connect)
    #expect(connect.clientID == "test" && connect.keepAlive == 60 && !connect.startsClean)
    #expect(connect.user == "jim" && connect.password == Array("secret".utf8))
    #expect(connect.properties[number: .maximumPacketSize] == 5_000)
    #expect(connect.properties[number: .receiveMaximum] == 64)
    #expect(connect.properties[number: .topicAliasMaximum] == 32)
    #expect(connect.properties[number: .sessionExpiry] == 300)
    #expect(connect.will?.publish.topic == "gone" && connect.will?.publish.isRetained == true)
    #expect(connect.will?.properties[number: .willDelay] == 3)
    client.close()
    broker.settle()
    #expect(states.last == .closed)
    #expect(broker.peer.packets.last == .disconnect(.init()))
    #expect(broker.peer.hasEnded)
  }

  @Test("A random name is clean at first, and its session ends with the client")
  func randomNameLeavesNoSession() throws {
    let client = try broker.client { $0.clientID = nil }
    broker.settle()
    #expect(broker.peer.connect?.startsClean == true)
    broker.crash()
    broker.advance(.seconds(1))
    #expect(broker.peers.count == 2 && broker.peer.connect?.startsClean == false)
    #expect(broker.peer.connect?.clientID == broker.peers[0].connect?.clientID)
    client.close()
    broker.settle()
    var end = Packet.Reason()
    end.properties[number: .sessionExpiry] = 0
    #expect(broker.peer.packets.last == .disconnect(end))
  }

  @Test func publishesAndSubscribes() throws {
    let client = try broker.client()
    var received: [String] = []
    var confirmations = 0
    let observation = client.subscribe(to: "a/#", confirmed: { confirmations += 1 }).observe(
      next: { received.append($0.text) })
    var receipts: [MQTTReceipt] = []
    for qos in MQTTQoS.allCases {
      client.publish(MQTTMessage("b", qos: qos)).observe(
        succeeded: { receipts.append($0) })
    }
    broker.settle()
    #expect(client.state.value == .online && confirmations == 1)
    #expect(receipts == [.sent, .confirmed, .confirmed])
    broker.peer.publish("a/b", "1")
    broker.peer.publish("c", "2", .atLeastOnce, id: 1)
    broker.settle()
    #expect(received == ["1"])
    // A message that nobody wants is confirmed nevertheless.
    #expect(broker.peer.brief.last == "puback 1" && client.counts.unmatched == 1)
    observation.dispose()
    broker.settle()
    #expect(broker.peer.brief.last == "unsubscribe 4 a/#")
  }

  @Test("It is online when the broker has confirmed the subscriptions")
  func onlineMeansSubscribed() throws {
    broker.answers = false
    let client = try broker.client()
    client.subscribe(to: "a").observe()
    broker.settle()
    #expect(client.state.value == .connecting)
    broker.peer.send(.suback(.init(id: 1, reasons: [.success])))
    broker.settle()
    #expect(client.state.value == .online)
    broker.crash()
    broker.advance(.seconds(1))
    #expect(client.state.value == .connecting && broker.peer.brief == ["subscribe 2 a"])
    broker.peer.send(.suback(.init(id: 2, reasons: [.success])))
    broker.settle()
    #expect(client.state.value == .online)
  }

  @Test("A session that the broker has kept needs no subscription, and is confirmed")
  func resumedSessionIsConfirmed() throws {
    var isPresent = false
    broker.connack = { _ in Packet.Connack(isSessionPresent: isPresent) }
    let client = try broker.client()
    var confirmations = 0
    client.subscribe(to: "a", confirmed: { confirmations += 1 }).observe()
    let other = client.subscribe(to: "b").observe()
    broker.settle()
    isPresent = true
    broker.crash()
    other.dispose()
    client.subscribe(to: "c").observe()
    broker.advance(.seconds(1))
    #expect(broker.peer.brief == ["unsubscribe 3 b", "subscribe 4 c"])
    #expect(client.state.value == .online && confirmations == 2)
  }

  @Test("Back-off grows, and begins again after a connection that has held")
  func backoffGrows() throws {
    broker.connack = { _ in Packet.Connack(reason: .serverUnavailable) }
    let client = try broker.client()
    broker.settle()
    let reason = MQTTError.refused(.serverUnavailable, text: nil)
    #expect(client.state.value == .offline(since: .zero, reason: reason))
    for (count, delay) in zip(2..., [1, 2, 4, 8]) {
      broker.advance(.seconds(delay) - .milliseconds(1))
      #expect(broker.peers.count == count - 1)
      broker.advance(.milliseconds(1))
      #expect(broker.peers.count == count)
    }
    broker.connack = { _ in Packet.Connack() }
    broker.advance(.seconds(16))
    #expect(client.state.value == .online)
    // Ended at once: the delay grows further.
    broker.crash()
    broker.advance(.seconds(31))
    #expect(client.state.value != .online)
    broker.advance(.seconds(1))
    #expect(client.state.value == .online)
    broker.advance(.seconds(60))
    broker.crash()
    broker.advance(.seconds(1))
    #expect(client.state.value == .online)
  }

  @Test func typedStatesOfFailures() throws {
    func reason(_ script: (ScriptedBroker) -> Void) throws -> MQTTError? {
      let broker = ScriptedBroker()
      script(broker)
      let client = try broker.client()
      broker.settle()
      broker.advance(.seconds(30))
      defer { client.close() }
      guard case .offline(_, let reason) = client.state.value else { return nil }
      return reason
    }
    #expect(
      try reason { $0.connack = { _ in .init(reason: .badUserNameOrPassword) } }
        == .refused(.badUserNameOrPassword, text: nil))
    #expect(try reason { $0.connack = { _ in nil } } == .connectTimedOut)
    let refused = try reason { $0.network.setAddresses([IPAddress(10, 9, 9, 9)], of: "broker") }
    guard case .connection(let error)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(error.cause == .refused)
  }

  @Test("The broker is told why the connection ends, and the state knows")
  func violationsEndConnection() throws {
    let client = try broker.client()
    broker.settle()
    broker.peer.send(raw: [0x30, 4, 0, 1, 0x23, 0])
    broker.settle()
    #expect(broker.peer.packets.last == .disconnect(.init(reason: .invalidTopicName)))
    guard case .offline(_, .brokenProtocol(.invalidTopicName, _)) = client.state.value else {
      Issue.record("\(client.state.value)")
      return
    }
    broker.advance(.seconds(1))
    broker.peer.send(.disconnect(.init(reason: .sessionTakenOver)))
    broker.settle()
    #expect(
      client.state.value
        == .offline(since: .seconds(1), reason: .disconnected(.sessionTakenOver, text: nil)))
    broker.connack = { _ in nil }
    broker.advance(.seconds(2))
    broker.peer.send(.pingresp)
    broker.settle()
    guard case .offline(_, .brokenProtocol(.protocolError, _)) = client.state.value else {
      Issue.record("\(client.state.value)")
      return
    }
  }

  @Test("A broker that has another version is asked again at once")
  func fallsBack() throws {
    broker.connack = { connect in
      connect.version == .v5
        ? Packet.Connack(reason: .unsupportedProtocolVersion) : Packet.Connack()
    }
    let client = try broker.client()
    var received: [String] = []
    client.subscribe(to: "a", "#").observe(next: { received.append($0.text) })
    broker.settle()
    #expect(broker.peers.count == 2 && broker.peer.connect?.version == .v311)
    #expect(client.state.value == .online)
    broker.peer.publish("a", "1", .atLeastOnce, id: 3)
    broker.settle()
    #expect(received == ["1"] && broker.peer.brief.last == "puback 3")
    broker.crash()
    broker.advance(.seconds(1))
    #expect(broker.peer.connect?.version == .v311)
    let strict = try broker.client { $0.version = .v5 }
    broker.settle()
    guard case .offline(_, .refused(.unsupportedProtocolVersion, _)) = strict.state.value else {
      Issue.record("\(strict.state.value)")
      return
    }
  }

  @Test func invalidArgumentsFailAtOnce() throws {
    let client = try broker.client()
    var errors: [MQTTError] = []
    client.publish(MQTTMessage("a/#")).observe(failed: { errors.append($0) })
    client.subscribe(to: "a", "b#").observe(failed: { errors.append($0) })
    #expect(errors.count == 2)
    #expect(throws: MQTTError.self) { try client.send(MQTTMessage("")) }
    #expect(throws: MQTTError.self) { try broker.client { $0.inFlight = 0 } }
    #expect(throws: MQTTError.self) { try broker.client { $0.clientID = "a\u{0}" } }
    #expect(throws: MQTTError.self) {
      try broker.client {
        $0.will = MQTTWill(MQTTMessage("a", [UInt8](repeating: 0, count: 70_000)))
      }
    }
    client.close()
    client.publish(MQTTMessage("a")).observe(failed: { errors.append($0) })
    client.subscribe(to: "a").observe(failed: { errors.append($0) })
    #expect(errors.suffix(2) == [.closed, .closed])
  }

  @Test(
    "A broker without wildcards or shared subscriptions is not asked for them",
    arguments: [
      (PropertyID.wildcardsAvailable, "a/#", MQTTReason.wildcardSubscriptionsNotSupported),
      (.sharingAvailable, "$share/g/a", .sharedSubscriptionsNotSupported),
    ])
  func absentAbilitiesAreErrors(_ id: PropertyID, _ filter: String, _ reason: MQTTReason) throws {
    broker.connack = { _ in
      var packet = Packet.Connack()
      packet.properties[number: id] = 0
      return packet
    }
    let client = try broker.client()
    var errors: [MQTTError] = []
    client.subscribe(to: MQTTSubscription(filter)).observe(failed: { errors.append($0) })
    client.subscribe(to: "b").observe(failed: { errors.append($0) })
    broker.settle()
    #expect(errors == [.unsupported(reason)])
    #expect(client.state.value == .online && broker.peer.brief.count == 1)
  }

  @Test func aStreamHasAFilter() throws {
    let client = try broker.client()
    var errors: [MQTTError] = []
    client.subscribe(to: []).observe(failed: { errors.append($0) })
    #expect(errors == [.invalidFilter("", reason: "there is no filter")])
  }

  @Test("Without the packet the broker would publish the last will")
  func closingBeforeTheAnswerSendsDisconnect() throws {
    broker.connack = { _ in nil }
    let client = try broker.client { $0.will = MQTTWill(MQTTMessage("gone")) }
    broker.settle()
    client.close()
    broker.settle()
    #expect(broker.peer.packets.last == .disconnect(.init()))
  }

  @Test("The time of the loss stays while attempts fail")
  func offlineSinceTheLoss() throws {
    let client = try broker.client()
    broker.advance(.seconds(5))
    broker.connack = { _ in Packet.Connack(reason: .serverUnavailable) }
    broker.crash()
    broker.advance(.seconds(60))
    guard case .offline(since: .seconds(5), reason: .refused) = client.state.value else {
      Issue.record("\(client.state.value)")
      return
    }
    #expect(broker.peers.count > 3)
  }

  @Test("Leaving does not wait for a cancelled message")
  func cancellingTheLastMessageEndsLeaving() throws {
    let client = try broker.client()
    broker.settle()
    broker.connack = { _ in nil }
    broker.crash()
    let publishing = client.publish(MQTTMessage("a", qos: .atLeastOnce)).observe()
    var hasLeft = false
    client.leave().observe(completed: { hasLeft = true })
    #expect(!hasLeft)
    publishing.dispose()
    #expect(hasLeft)
  }

  @Test func dangerousOptionsAreErrors() throws {
    let context = try TLSClientContext()
    let faulty: [(String, MQTTOptions)] = [
      ("mqtt://broker", MQTTOptions { $0.clientID = "" }),
      ("ws://broker/?token=1", MQTTOptions { $0.tls = context }),
    ]
    for (url, options) in faulty {
      let error = #expect(throws: MQTTError.self) {
        try MQTTClient(url, options: options, on: broker.network)
      }
      guard case .invalidOption(let text)? = error else {
        Issue.record("\(url): \(error as Any)")
        continue
      }
      #expect(!text.contains("token"))
    }
  }

  @Test func refusedSubscriptionFailsItsStream() throws {
    broker.answers = false
    let client = try broker.client()
    var error: MQTTError?
    client.subscribe(to: "a", "b").observe(failed: { error = $0 })
    broker.settle()
    broker.peer.send(
      .suback(.init(id: 1, reasons: [.success])), .suback(.init(id: 2, reasons: [.notAuthorized])))
    broker.settle()
    #expect(error == .refusedSubscription(filter: "b", .notAuthorized, text: nil))
    // The other filter of the stream is not needed any more.
    #expect(broker.peer.brief.last == "unsubscribe 3 a")
  }

  @Test("Closing ends everything once, and keeps a named session")
  func closingEndsEverything() throws {
    let client = try broker.client()
    var events: [String] = []
    client.subscribe(to: "a").observe(completed: { events.append("completed") })
    broker.settle()
    broker.answers = false
    client.publish(MQTTMessage("a", qos: .atLeastOnce)).observe(
      failed: { events.append("\($0)") })
    broker.settle()
    client.close()
    client.close()
    broker.settle()
    #expect(events == [MQTTError.closed.description, "completed"])
    #expect(broker.peer.brief.last == "\(Packet.disconnect(.init()))")
    #expect(!broker.peer.brief.contains { $0.hasPrefix("unsubscribe") })
    broker.advance(.seconds(100))
    #expect(broker.peers.count == 1)
  }

  @Test("Leaving waits for the confirmation of messages")
  func leavingWaits() throws {
    let client = try broker.client()
    broker.answers = false
    for _ in 0..<3 { try client.send(MQTTMessage("a", qos: .atLeastOnce)) }
    var hasLeft = false
    client.leave().observe(completed: { hasLeft = true })
    broker.settle()
    for id in 1...3 as ClosedRange<UInt16> {
      #expect(!hasLeft)
      broker.peer.send(.puback(.init(id: id)))
      broker.settle()
    }
    #expect(hasLeft && client.state.value == .closed)
  }

  @Test func releaseClosesConnection() throws {
    var client: MQTTClient? = try broker.client()
    broker.settle()
    weak let core = client?.core
    client = nil
    broker.settle()
    #expect(broker.peer.hasEnded && core == nil)
    client = try broker.client()
    var observation: Disposable? = client?.subscribe(to: "a").observe()
    client = nil
    broker.settle()
    #expect(!broker.peer.hasEnded)
    observation?.dispose()
    observation = nil
    broker.settle()
    #expect(broker.peer.hasEnded)
  }
}
