import RunnelStreams
import Testing

@testable import RunnelMQTT

@Suite struct ReceivingTests {
  private func message(
    _ text: String, _ qos: MQTTQoS = .atMostOnce, id: UInt16 = 0, topic: String = "a",
    isDuplicate: Bool = false, alias: UInt32? = nil
  ) -> Packet {
    var packet = Packet.Publish(
      topic: topic, payload: Array(text.utf8), qos: qos, isDuplicate: isDuplicate, id: id)
    packet.properties[number: .topicAlias] = alias
    return .publish(packet)
  }

  @Test("A message is confirmed when it was delivered, in order")
  func confirmationsAreWithheld() {
    var bench = SessionBench()
    bench.connect()
    bench.receive(
      message("1", .atLeastOnce, id: 7), message("2"), message("3", .exactlyOnce, id: 8),
      message("4", .atLeastOnce, id: 9))
    #expect(bench.sent().isEmpty)
    bench.deliver(2)
    #expect(bench.sent().brief == ["puback 7"])
    bench.deliver()
    #expect(bench.sent().brief == ["pubrec 8", "puback 9"])
    #expect(bench.deliveredTexts == ["1", "2", "3", "4"])
    bench.receive(.pubrel(.init(id: 8)), .pubrel(.init(id: 8)))
    #expect(bench.sent().brief == ["pubcomp 8", "pubcomp 8 unknown"])
  }

  @Test func receiveMaximumIsEnforced() {
    var bench = SessionBench(.init(receiveMaximum: 2, queueBytes: 1))
    bench.connect()
    #expect(bench.receive(message("1", .atLeastOnce, id: 1)) == nil)
    #expect(bench.receive(message("2", .exactlyOnce, id: 2)) == nil)
    #expect(bench.receive(message("3")) == nil)
    bench.deliver()
    #expect(bench.receive(message("4", .atLeastOnce, id: 1)) == nil)
    #expect(bench.receive(message("5", .atLeastOnce, id: 3)) == .receiveMaximumExceeded)
  }

  @Test("A broker that exceeds the receive maximum is limited by bytes")
  func carelessBrokerIsLimitedByBytes() {
    var bench = SessionBench(.init(receiveMaximum: 2, queueBytes: 20_000))
    bench.connect()
    for id in 1...100 as ClosedRange<UInt16> {
      #expect(bench.receive(message("\(id)", .atLeastOnce, id: id)) == nil)
    }
    bench.deliver()
    #expect(bench.deliveredTexts == (1...100).map { "\($0)" })
    var reason: MQTTReason?
    for id in 101...1_000 as ClosedRange<UInt16> where reason == nil {
      reason = bench.receive(message("x", .atLeastOnce, id: id))
    }
    #expect(reason == .receiveMaximumExceeded)
    #expect(bench.session.inbox.bytes < 20_200)
  }

  @Test("A broker of MQTT 3.1.1 is limited by bytes")
  func oldBrokerIsLimitedByBytes() {
    var bench = SessionBench(.init(receiveMaximum: 2, queueBytes: 20_000))
    bench.version = .v311
    bench.connect()
    for id in 1...100 as ClosedRange<UInt16> {
      #expect(bench.receive(message("x", .atLeastOnce, id: id)) == nil)
    }
    bench.deliver()
    #expect(bench.sent().count == 100)
    var reason: MQTTReason?
    for id in 1...1_000 as ClosedRange<UInt16> where reason == nil {
      reason = bench.receive(message("x", .atLeastOnce, id: id))
    }
    #expect(reason == .receiveMaximumExceeded)
  }

  @Test("A message with exactly one delivery is not delivered again")
  func repeatedMessageIsDropped() {
    var bench = SessionBench()
    bench.connect()
    bench.receive(message("1", .exactlyOnce, id: 5))
    bench.deliver()
    #expect(bench.sent().brief == ["pubrec 5"])
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    bench.receive(message("1", .exactlyOnce, id: 5, isDuplicate: true))
    bench.deliver()
    #expect(bench.sent().brief == ["pubrec 5"])
    #expect(bench.deliveredTexts == ["1"])
    bench.receive(.pubrel(.init(id: 5)))
    bench.receive(message("2", .exactlyOnce, id: 5))
    bench.deliver()
    #expect(bench.deliveredTexts == ["1", "2"])
    bench.session.lose()
    // The broker has forgotten the session: the identifier means another message.
    bench.connect(isSessionPresent: false)
    bench.receive(message("3", .exactlyOnce, id: 5))
    bench.deliver()
    #expect(bench.deliveredTexts == ["1", "2", "3"])
  }

  @Test("Messages that were not delivered come again, once")
  func waitingMessagesAreDroppedWithConnection() {
    var bench = SessionBench()
    bench.connect()
    bench.receive(
      message("1", .atLeastOnce, id: 1), message("2", .exactlyOnce, id: 2), message("3"))
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    bench.receive(
      message("1", .atLeastOnce, id: 1, isDuplicate: true),
      message("2", .exactlyOnce, id: 2, isDuplicate: true))
    bench.deliver()
    #expect(bench.deliveredTexts == ["3", "1", "2"])
    #expect(bench.sent().brief == ["puback 1", "pubrec 2"])
  }

  @Test("Messages of a lost session are delivered and not confirmed")
  func waitingMessagesSurviveLostSession() {
    var bench = SessionBench(.init(receiveMaximum: 2))
    for round in 1...3 {
      bench.connect(isSessionPresent: false)
      bench.receive(
        message("\(round)a", .atLeastOnce, id: 1), message("\(round)b", .atLeastOnce, id: 2))
      bench.session.lose()
    }
    bench.connect(isSessionPresent: false)
    bench.deliver()
    // Their number is bounded.
    #expect(bench.deliveredTexts == ["1a", "1b"])
    #expect(bench.session.droppedCount == 4)
    #expect(bench.sent().isEmpty)
  }

  @Test("A delivery while offline is remembered")
  func deliveryWhileOffline() {
    var bench = SessionBench()
    bench.connect()
    bench.receive(message("1", .exactlyOnce, id: 1), message("2", .atLeastOnce, id: 2))
    bench.session.lose()
    bench.deliver()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().isEmpty)
    bench.receive(
      message("1", .exactlyOnce, id: 1, isDuplicate: true),
      message("2", .atLeastOnce, id: 2, isDuplicate: true))
    bench.deliver()
    #expect(bench.deliveredTexts == ["1", "2", "2"])
    #expect(bench.delivered.last?.isDuplicate == true)
    #expect(Set(bench.sent().brief) == ["pubrec 1", "puback 2"])
  }

  @Test func messagesWithoutRoomAreDropped() {
    var bench = SessionBench(.init(queueBytes: 1_000))
    bench.connect()
    for _ in 0..<100 { bench.receive(message("x")) }
    bench.receive(message("last", .atLeastOnce, id: 1))
    bench.deliver()
    #expect(bench.deliveredTexts.last == "last")
    #expect(bench.session.droppedCount + bench.delivered.count == 101)
    #expect(bench.session.droppedCount > 80)
  }

  @Test func aliasesOfBrokerAreResolved() {
    var bench = SessionBench(.init(topicAliasMaximum: 2))
    bench.connect()
    bench.receive(message("1", topic: "a/b", alias: 2), message("2", topic: "", alias: 2))
    bench.receive(message("3", topic: "c", alias: 2), message("4", topic: "", alias: 2))
    bench.deliver()
    #expect(bench.delivered.map(\.topic) == ["a/b", "a/b", "c", "c"])
    #expect(bench.receive(message("5", topic: "", alias: 1)) == .protocolError)
    #expect(bench.receive(message("6", topic: "a", alias: 3)) == .invalidTopicAlias)
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.receive(message("7", topic: "", alias: 2)) == .protocolError)
  }

  @Test("An identifier in use is a violation, unless an old broker repeats the message")
  func identifierInUse() {
    for version in [MQTTVersion.v5, .v311] {
      var bench = SessionBench()
      bench.version = version
      bench.connect()
      bench.receive(message("1", .exactlyOnce, id: 1))
      let repetition = message("1", .exactlyOnce, id: 1, isDuplicate: true)
      #expect(bench.receive(repetition) == (version == .v5 ? .protocolError : nil))
      #expect(bench.receive(message("2", .exactlyOnce, id: 1)) == .protocolError)
      bench.receive(message("3", .exactlyOnce, id: 2))
      let other = message("3", .atLeastOnce, id: 2, isDuplicate: true)
      #expect(bench.receive(other) == .protocolError)
      bench.deliver()
      #expect(bench.deliveredTexts == ["1", "3"])
    }
  }

  @Test("A broker that reads no answers is given up")
  func unreadAnswersAreBounded() {
    var bench = SessionBench()
    bench.connect()
    var reason: MQTTReason?
    for _ in 0..<200_000 where reason == nil { reason = bench.receive(.pubrel(.init(id: 1))) }
    #expect(reason == .quotaExceeded)
  }

  @Test func propertiesOfMessagesSurvive() {
    var sent = MQTTMessage("a", text: "text", qos: .atLeastOnce, isRetained: true)
    sent.expiry = .milliseconds(1_500)
    sent.contentType = "text/plain"
    sent.responseTopic = "b"
    sent.correlationData = [1, 2]
    sent.userProperties = [.init("n", "1"), .init("n", "2")]
    var bench = SessionBench()
    bench.connect()
    bench.publish(sent, named: "1")
    bench.receive(bench.sent()[0])
    bench.deliver()
    sent.expiry = .seconds(2)
    #expect(bench.delivered == [sent])
    #expect(bench.delivered[0].userProperty("n") == "1")
  }
}
