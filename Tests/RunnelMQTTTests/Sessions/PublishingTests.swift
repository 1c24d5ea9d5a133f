import RunnelStreams
import Testing

@testable import RunnelMQTT

@Suite struct PublishingTests {
  @Test func messagesLeaveInOrder() {
    var bench = SessionBench()
    bench.publish("a", "1")
    bench.publish("a", "2", .atLeastOnce)
    bench.publish("a", "3", .exactlyOnce)
    bench.publish("a", "4")
    #expect(bench.sent().isEmpty)
    bench.connect()
    #expect(
      bench.sent().brief == ["publish 0 a 1", "publish 1 a 2", "publish 2 a 3", "publish 0 a 4"])
    #expect(bench.results == ["1 sent", "4 sent"])
    bench.receive(
      .puback(.init(id: 1)), .pubrec(.init(id: 2, reason: .noMatchingSubscribers)))
    #expect(bench.sent().brief == ["pubrel 2"])
    bench.receive(.pubcomp(.init(id: 2)))
    #expect(bench.results.suffix(2) == ["2 confirmed", "3 withoutSubscribers"])
    #expect(bench.session.outgoing.count == 0 && bench.session.outgoing.bytes == 0)
  }

  @Test("The receive maximum of the broker is kept, and the order behind it")
  func receiveMaximumIsKept() {
    var bench = SessionBench()
    bench.connect { $0.receiveMaximum = 2 }
    for number in 1...4 { bench.publish("a", "\(number)", .atLeastOnce) }
    bench.publish("a", "5")
    #expect(bench.sent().brief == ["publish 1 a 1", "publish 2 a 2"])
    bench.receive(.puback(.init(id: 2)))
    #expect(bench.sent().brief == ["publish 3 a 3"])
    bench.receive(.puback(.init(id: 1)), .puback(.init(id: 3)))
    #expect(bench.sent().brief == ["publish 4 a 4", "publish 0 a 5"])
  }

  @Test("Forgotten messages are not sent again, and their identifiers are free")
  func messagesAreForgotten() {
    var bench = SessionBench()
    // More than there are identifiers.
    for _ in 0..<1_100 {
      bench.connect()
      for number in 1...64 { bench.publish("a", "\(number)", .atLeastOnce) }
      let sentCount = bench.sent().count
      #expect(sentCount == 64)
      bench.session.lose()
      bench.session.forgetMessages()
    }
    #expect(bench.results.isEmpty)
  }

  @Test("A message that the broker may have counts until it is forgotten")
  func releasedMessagesCount() {
    var bench = SessionBench()
    bench.connect { $0.receiveMaximum = 1 }
    bench.publish("a", "1", .exactlyOnce)
    bench.publish("a", "2", .exactlyOnce)
    #expect(bench.sent().brief == ["publish 1 a 1"])
    bench.receive(.pubrec(.init(id: 1)))
    #expect(bench.sent().brief == ["pubrel 1"])
    bench.receive(.pubcomp(.init(id: 1)))
    #expect(bench.sent().brief == ["publish 2 a 2"])
    bench.receive(.pubrec(.init(id: 2, reason: .quotaExceeded)))
    #expect(bench.sent().isEmpty)
    #expect(bench.results.count == 2 && bench.session.outgoing.count == 0)
  }

  @Test func refusalsAreErrors() {
    var bench = SessionBench()
    bench.connect {
      $0.maximumQoS = .atLeastOnce
      $0.retainsMessages = false
      $0.packetSize = 20
    }
    bench.publish("a", "1", .exactlyOnce)
    bench.publish(MQTTMessage("a", isRetained: true), named: "2")
    bench.publish("a", String(repeating: "3", count: 20), .atLeastOnce)
    bench.publish("a", "4", .atLeastOnce)
    #expect(bench.sent().brief.map { $0.suffix(1) } == ["4"])
    bench.receive(.puback(.init(id: 3, reason: .notAuthorized)))
    #expect(bench.receive(.puback(.init(id: 3))) == .protocolError)
    let results = bench.results
    guard results.count == 4 else {
      Issue.record("\(results)")
      return
    }
    #expect(results[0].contains("qos not supported"))
    #expect(results[1].contains("retain not supported"))
    #expect(results[2].contains("at most 20 bytes"))
    #expect(results[3].contains("not authorized"))
  }

  @Test("A message that MQTT 3.1.1 cannot carry is refused")
  func oldVersionRefuses() {
    var bench = SessionBench()
    bench.version = .v311
    bench.connect()
    bench.publish("a", "1", .atLeastOnce)
    var message = MQTTMessage("a", text: "2")
    message.responseTopic = "b"
    bench.publish(message, named: "2")
    #expect(bench.sent().brief == ["publish 1 a 1"])
    #expect(bench.results == ["2 \(MQTTError.unsupported(.unsupportedProtocolVersion))"])
  }

  @Test func fullQueueRefuses() {
    var bench = SessionBench(.init(queueBytes: 500))
    #expect(bench.publish("a", String(repeating: "x", count: 9_000)) == nil)
    #expect(bench.publish("a", "2") == .queueFull(limit: 500))
    bench.connect()
    _ = bench.sent()
    for number in 1...3 { #expect(bench.publish("a", "\(number)", .atLeastOnce) == nil) }
    #expect(bench.publish("a", "4") == .queueFull(limit: 500))
    _ = bench.sent()
    // Unconfirmed messages need memory, too.
    #expect(bench.publish("a", "5") == .queueFull(limit: 500))
    bench.receive(.puback(.init(id: 1)))
    #expect(bench.publish("a", "6") == nil)
  }

  @Test("A new connection to the same session repeats what is not confirmed")
  func sessionIsResumed() {
    var bench = SessionBench()
    bench.connect()
    for number in 1...5 {
      bench.publish("a", "\(number)", number.isMultiple(of: 2) ? .exactlyOnce : .atLeastOnce)
    }
    _ = bench.sent()
    bench.receive(.pubrec(.init(id: 2)), .puback(.init(id: 3)))
    bench.session.lose()
    bench.publish("a", "6", .atLeastOnce)
    bench.connect(isSessionPresent: true) { $0.receiveMaximum = 2 }
    #expect(bench.sent().brief == ["pubrel 2", "publish! 1 a 1", "publish! 4 a 4"])
    bench.receive(.puback(.init(id: 1)), .pubcomp(.init(id: 2)))
    #expect(bench.sent().brief == ["publish! 5 a 5"])
    bench.receive(.puback(.init(id: 5)))
    #expect(bench.sent().brief == ["publish 6 a 6"])
    bench.receive(.pubrec(.init(id: 4)), .pubcomp(.init(id: 4)), .puback(.init(id: 6)))
    #expect(
      bench.results == ["3", "1", "2", "5", "4", "6"].map { "\($0) confirmed" })
    #expect(bench.session.outgoing.openCount == 0)
  }

  @Test("A broker that has lost the session gets messages again, without marks")
  func lostSessionBeginsAgain() {
    var bench = SessionBench()
    bench.connect()
    for number in 1...3 { bench.publish("a", "\(number)", .exactlyOnce) }
    _ = bench.sent()
    bench.receive(.pubrec(.init(id: 1)))
    bench.session.lose()
    bench.connect(isSessionPresent: false)
    // The broker had the first one, and may have lost it with the session.
    #expect(bench.sent().brief == ["publish 1 a 1", "publish 2 a 2", "publish 3 a 3"])
    bench.receive(.pubrec(.init(id: 1)))
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().brief == ["pubrel 1", "publish! 2 a 2", "publish! 3 a 3"])
    #expect(bench.results.isEmpty)
  }

  @Test("Aliases are set when a packet is written, and forgotten with the connection")
  func aliasesBelongToConnection() {
    var bench = SessionBench()
    bench.connect { $0.topicAliasMaximum = 1 }
    bench.publish("long/topic", "1", .atLeastOnce)
    bench.publish("long/topic", "2", .atLeastOnce)
    bench.publish("other/topic", "3")
    #expect(
      bench.sent().brief == [
        "publish 1 long/topic=1 1", "publish 2 =1 2", "publish 0 other/topic 3",
      ])
    bench.session.lose()
    bench.connect(isSessionPresent: true) { $0.topicAliasMaximum = 1 }
    #expect(bench.sent().brief == ["publish! 1 long/topic=1 1", "publish! 2 =1 2"])
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().brief == ["publish! 1 long/topic 1", "publish! 2 long/topic 2"])
  }

  @Test("A packet that is refused for its size sets no alias")
  func refusedPacketSetsNoAlias() {
    var bench = SessionBench()
    bench.connect {
      $0.topicAliasMaximum = 4
      $0.packetSize = 30
    }
    bench.publish("long/topic", String(repeating: "x", count: 40))
    bench.publish("long/topic", "2")
    #expect(bench.sent().brief == ["publish 0 long/topic=1 2"])
  }

  @Test("Canonically equal topics are two topics")
  func aliasesCompareBytes() {
    var bench = SessionBench()
    bench.connect { $0.topicAliasMaximum = 4 }
    for topic in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"] { bench.publish(topic, "x") }
    let aliases = bench.sent().map { packet -> UInt32? in
      guard case .publish(let publish) = packet else { return nil }
      return publish.properties[number: .topicAlias]
    }
    #expect(aliases == [1, 2, 1])
  }

  @Test func cancelledMessagesAreNotSent() throws {
    var bench = SessionBench()
    var numbers: [UInt64] = []
    for text in ["1", "2", "3"] {
      numbers.append(try bench.session.publish(MQTTMessage("a", text: text), at: .zero) { _ in })
    }
    bench.session.cancel(numbers[0])
    bench.session.cancel(numbers[2])
    bench.connect()
    #expect(bench.sent().count == 1)
    bench.session.cancel(numbers[1])
    #expect(bench.session.outgoing.bytes == 0)
  }

  @Test("The broker forgets messages in the order of its answers, also beyond its limit")
  func releasesAreInOrderOfAnswers() {
    var bench = SessionBench()
    bench.connect()
    for number in 1...4 { bench.publish("a", "\(number)", .exactlyOnce) }
    _ = bench.sent()
    bench.receive(.pubrec(.init(id: 3)), .pubrec(.init(id: 1)), .pubrec(.init(id: 2)))
    bench.receive(.pubcomp(.init(id: 1)))
    bench.session.lose()
    bench.connect(isSessionPresent: true) { $0.receiveMaximum = 1 }
    #expect(bench.sent().brief == ["pubrel 3", "pubrel 2", "publish! 4 a 4"])
  }

  @Test("A message that could not be written is sent on the next connection")
  func unwrittenMessageStays() {
    var bench = SessionBench()
    bench.connect()
    bench.publish("a", "1")
    #expect(bench.session.nextBytes(at: .zero) != nil)
    bench.session.lose()
    bench.handleEvents()
    #expect(bench.results.isEmpty && bench.session.outgoing.count == 1)
    bench.connect()
    #expect(bench.sent().brief == ["publish 0 a 1"])
    #expect(bench.results == ["1 sent"])
  }

  @Test("The time of a message runs while it waits")
  func waitingMessagesExpire() {
    var bench = SessionBench()
    for (text, seconds) in [("1", 10), ("2", 11), ("3", 20)] {
      var message = MQTTMessage("a", text: text, qos: text == "3" ? .atLeastOnce : .atMostOnce)
      message.expiry = .seconds(seconds)
      bench.publish(message, named: text)
    }
    bench.now = .milliseconds(10_000)
    bench.connect()
    func expiries(_ packets: [Packet]) -> [UInt32?] {
      packets.map { packet in
        guard case .publish(let packet) = packet else { return nil }
        return packet.properties[number: .messageExpiry]
      }
    }
    #expect(expiries(bench.sent()) == [1, 10])
    #expect(bench.results == ["1 \(MQTTError.expired)", "2 sent"])
    bench.session.lose()
    // The broker may have it already, so it is sent again.
    bench.now = .seconds(25)
    bench.connect(isSessionPresent: true)
    #expect(expiries(bench.sent()) == [1])
  }

  @Test("Messages that come and go while nothing is sent need no memory")
  func cancelledMessagesNeedNoMemory() throws {
    var bench = SessionBench()
    bench.publish("a", "first")
    for _ in 0..<1_000 {
      let number = try bench.session.publish(MQTTMessage("a"), at: .zero) { _ in }
      bench.session.cancel(number)
    }
    bench.publish("a", "last")
    #expect(bench.session.outgoing.orderCount < 20)
    bench.connect()
    #expect(bench.sent().brief == ["publish 0 a first", "publish 0 a last"])
  }

  @Test("Answers that fit no message are violations")
  func wrongAnswersAreViolations() {
    func violation(_ qos: MQTTQoS, _ answers: Packet...) -> MQTTReason? {
      var bench = SessionBench()
      bench.connect()
      bench.publish("a", "1", qos)
      _ = bench.sent()
      for answer in answers {
        if let reason = bench.receive(answer) { return reason }
      }
      return nil
    }
    #expect(violation(.exactlyOnce, .puback(.init(id: 1))) == .protocolError)
    #expect(violation(.atLeastOnce, .pubrec(.init(id: 1))) == .protocolError)
    #expect(violation(.atLeastOnce, .puback(.init(id: 2))) == .protocolError)
    #expect(violation(.exactlyOnce, .pubcomp(.init(id: 1))) == .protocolError)
    #expect(violation(.atLeastOnce, .connack(.init())) == .protocolError)
    #expect(violation(.atLeastOnce, .auth(.init())) == .protocolError)
    #expect(violation(.atLeastOnce, .pingreq) == .protocolError)
    #expect(violation(.atLeastOnce, .suback(.init(id: 1, reasons: [.success]))) == .protocolError)
    #expect(violation(.exactlyOnce, .pubrec(.init(id: 7))) == nil)
  }

  @Test("All packet identifiers are used before one is used again")
  func identifiersAreReused() {
    var ids = PacketIDs(after: 0)
    for number in 1...UInt16.max { #expect(ids.take() == number) }
    #expect(ids.take() == nil)
    ids.release(7)
    #expect(ids.take() == 7)
  }
}
