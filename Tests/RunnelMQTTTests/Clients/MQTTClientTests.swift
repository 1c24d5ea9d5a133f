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
    var end = Packet.ReasonBody()
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
    broker.advance(.seconds(60))
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
    // The broker may have a newer version after the loss.
    broker.crash()
    broker.advance(.seconds(1))
    #expect(broker.peers.map { $0.connect?.version } == [.v5, .v311, .v5, .v311])
    broker.connack = { _ in Packet.Connack() }
    broker.crash()
    broker.advance(.seconds(4))
    #expect(client.state.value == .online && broker.peer.connect?.version == .v5)
    broker.connack = { _ in Packet.Connack(reason: .unsupportedProtocolVersion) }
    let strict = try broker.client { $0.version = .v5 }
    broker.settle()
    guard case .offline(_, .refused(.unsupportedProtocolVersion, _)) = strict.state.value else {
      Issue.record("\(strict.state.value)")
      return
    }
  }

  @Test(
    "A broker that does not know MQTT 5 may answer in its own form",
    arguments: [[0x20, 2, 0, 0x84], [0x20, 2, 0, 0], [0x20, 2, 0, 1]] as [[UInt8]])
  func fallsBackAfterOldAnswers(_ answer: [UInt8]) throws {
    broker.connack = { $0.version == .v5 ? nil : Packet.Connack() }
    let client = try broker.client()
    broker.settle()
    broker.peer.send(raw: answer)
    broker.settle()
    #expect(client.state.value == .online && broker.peer.connect?.version == .v311)
  }

  @Test("An answer that no version has is tried twice and reported")
  func brokenAnswerIsReported() throws {
    broker.connack = { _ in nil }
    let client = try broker.client()
    broker.settle()
    for _ in 0..<2 {
      broker.peer.send(raw: [0x20, 2, 2, 0])
      broker.settle()
    }
    #expect(broker.peers.count == 2)
    guard case .offline(_, .brokenProtocol(.malformedPacket, _)) = client.state.value else {
      Issue.record("\(client.state.value)")
      return
    }
  }

  @Test("An answer with what was not asked for is a violation")
  func unaskedPropertiesAreViolations() throws {
    for id in [PropertyID.authenticationMethod, .responseInformation] {
      let broker = ScriptedBroker()
      broker.connack = { _ in
        var packet = Packet.Connack()
        packet.properties[text: id] = "x"
        return packet
      }
      let client = try broker.client()
      broker.settle()
      guard case .offline(_, .brokenProtocol(.protocolError, _)) = client.state.value else {
        Issue.record("\(client.state.value)")
        continue
      }
    }
  }

  @Test(
    "What MQTT 3.1.1 would drop is an error",
    arguments: [
      { $0.userProperties = [.init("a", "b")] },
      { $0.will = MQTTWill(MQTTMessage("gone"), delay: .seconds(1)) },
      {
        var message = MQTTMessage("gone")
        message.contentType = "text/plain"
        $0.will = MQTTWill(message)
      },
    ] as [@Sendable (inout MQTTOptions) -> Void])
  func optionsOfVersion5(_ change: @Sendable (inout MQTTOptions) -> Void) throws {
    broker.connack = { _ in Packet.Connack(reason: .unsupportedProtocolVersion) }
    let client = try broker.client(change)
    broker.settle()
    let reason = MQTTError.unsupported(.unsupportedProtocolVersion)
    #expect(client.state.value == .offline(since: .zero, reason: reason))
    #expect(broker.peers.count == 1)
    #expect(throws: MQTTError.self) {
      try broker.client {
        change(&$0)
        $0.version = .v311
      }
    }
  }

  @Test("After a refusal that only a person can end, the client waits for the longest delay")
  func lastingRefusals() throws {
    broker.connack = { _ in Packet.Connack(reason: .badUserNameOrPassword) }
    let client = try broker.client()
    broker.advance(.seconds(59))
    #expect(broker.peers.count == 1)
    broker.connack = { _ in Packet.Connack() }
    broker.advance(.seconds(1))
    #expect(client.state.value == .online)
    // Two clients with one name do not end each other each second.
    broker.peer.send(.disconnect(.init(reason: .sessionTakenOver)))
    broker.advance(.seconds(59))
    #expect(broker.peers.count == 2)
    broker.advance(.seconds(1))
    #expect(broker.peers.count == 3)
  }

  @Test("A message without confirmation that cannot be written is sent again")
  func unwrittenMessageIsNotSent() throws {
    let client = try broker.client()
    var receipts: [MQTTReceipt] = []
    broker.settle()
    broker.network.reset(broker.peer.connection)
    // The reset arrives behind this message. A large one is written at once.
    client.publish(MQTTMessage("a", [UInt8](repeating: 0, count: 8_000))).observe(
      succeeded: { receipts.append($0) })
    #expect(receipts.isEmpty && client.counts.sent == 0)
    broker.settle()
    guard case .offline(_, .connection(let error)) = client.state.value else {
      Issue.record("\(client.state.value)")
      return
    }
    #expect(error.cause == .reset)
    broker.advance(.seconds(1))
    #expect(receipts == [.sent])
    #expect(broker.peer.brief.count == 1)
  }

  @Test("A weaker guarantee than the one asked for is counted")
  func weakerGrantsAreCounted() throws {
    broker.maximumQoS = .atMostOnce
    let client = try broker.client()
    var confirmations = 0
    client.subscribe(
      to: MQTTSubscription("a", qos: .atMostOnce), "b", confirmed: { confirmations += 1 }
    ).observe()
    broker.settle()
    #expect(client.counts.weakened == 1 && confirmations == 1)
  }

  @Test("Leaving refuses further messages, and ends subscriptions before")
  func leavingClientTakesNothing() throws {
    let client = try broker.client()
    let observation = client.subscribe(to: "a").observe()
    broker.settle()
    broker.peer.publish("a", "1", .atLeastOnce, id: 7)
    broker.settle()
    broker.answers = false
    client.publish(MQTTMessage("b", qos: .atLeastOnce)).observe()
    var hasLeft = false
    client.leave().observe(completed: { hasLeft = true })
    var errors: [MQTTError] = []
    client.publish(MQTTMessage("c")).observe(failed: { errors.append($0) })
    #expect(errors == [.closed] && !hasLeft)
    broker.peer.send(.puback(.init(id: 2)))
    observation.dispose()
    broker.settle()
    #expect(hasLeft)
    #expect(
      broker.peer.brief == [
        "subscribe 1 a", "puback 7", "publish 2 b ", "unsubscribe 3 a",
        "\(Packet.disconnect(.init()))",
      ])
  }

  @Test("An observer that begins in the failure of another one is served")
  func retryInFailure() throws {
    broker.answers = false
    let client = try broker.client()
    var failures = 0
    var isConfirmed = false
    client.subscribe(to: "x").observe(failed: { _ in
      failures += 1
      client.subscribe(
        to: MQTTSubscription("x", retained: .none), confirmed: { isConfirmed = true }
      ).observe(failed: { _ in })
    })
    client.subscribe(to: "x").observe(failed: { _ in failures += 1 })
    broker.settle()
    broker.answers = true
    broker.peer.send(.suback(.init(id: 1, reasons: [.notAuthorized])))
    broker.settle()
    #expect(failures == 2 && isConfirmed)
    #expect(client.state.value == .online)
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
    let none = MQTTOptions()
    let addresses = [
      "mqtt://*", "mqtt://broker:0", "mqtt://broker#fragment", "mqtt+unix:/a%00b",
      "mqtt+unix:/%FF", "mqtt+unix:a", "mqtt://broker/path", "http://broker", "broker",
    ]
    for (url, options) in faulty + addresses.map({ ($0, none) }) {
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

  @Test("The URL has the login, and an empty user is none")
  func loginOfURL() throws {
    let logins = [
      ("jim:a%3Ab@", "jim", "a:b"), ("jim@", "jim", nil), (":x@", nil, "x"), ("@", nil, nil),
    ]
    for (login, user, password) in logins as [(String, String?, String?)] {
      let client = try MQTTClient("mqtt://\(login)broker", on: broker.network)
      broker.settle()
      #expect(broker.peer.connect?.user == user)
      #expect(broker.peer.connect?.password == password.map { Array($0.utf8) })
      client.close()
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
