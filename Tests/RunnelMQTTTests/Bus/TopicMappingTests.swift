import RunnelBus
import RunnelStreams
import Testing

@testable import RunnelMQTT

@Suite struct TopicMappingTests {
  @Test(arguments: [
    ("orders.eu.created", "orders/eu/created"), ("a", "a"), ("größe.x-y_z", "größe/x-y_z"),
    ("a b", "a b"),
  ])
  func topicsMapBothWays(_ topic: String, _ mapped: String) {
    #expect(TopicMapping.problem(ofTopic: topic) == nil)
    #expect(TopicMapping.topic(topic) == mapped)
    #expect(TopicMapping.busTopic(mapped) == topic)
  }

  @Test(arguments: [
    ("orders.eu.*", "orders/eu/+"), ("#", "#"), ("*.#", "+/#"), ("a.*.c", "a/+/c"), ("a", "a"),
  ])
  func patternsBecomeFilters(_ pattern: String, _ filter: String) {
    #expect(TopicMapping.problem(ofPattern: pattern) == nil)
    #expect(TopicMapping.filter(pattern) == filter)
  }

  @Test(arguments: [
    "a/b", "a+b", "+", "$SYS.a", "a\0b", "a.\u{308}b", "a/\u{308}b", "a#\u{308}",
    String(repeating: "x", count: 65_536),
  ])
  func otherNamesHaveNoTranslation(_ name: String) {
    #expect(TopicMapping.problem(ofTopic: name) != nil)
    #expect(TopicMapping.problem(ofPattern: name) != nil)
  }

  @Test(arguments: ["a.b/c", "/a", "a/", "a//b", "runnel//peers/shop/x", "$SYS/a", "a/\u{308}b"])
  func foreignTopicsHaveNoTranslation(_ topic: String) {
    #expect(TopicMapping.busTopic(topic) == nil)
  }

  @Test("A filter matches the translations of the topics that its pattern matches")
  func mappingKeepsMatches() {
    let topics = ["a", "a.b", "a.c", "a.b.c", "ab", "b.a"]
    let patterns = ["a", "*", "a.*", "*.b", "a.#", "#", "*.*.#", "a.*.c"]
    let bus = EventBus()
    for pattern in patterns {
      var matched: [String] = []
      let observation = try? bus.messages(on: pattern).observeNext { matched.append($0.topic) }
      for topic in topics { try? bus.publish(bytes: [], on: topic) }
      observation?.dispose()
      let filter = TopicMapping.filter(pattern)
      #expect(matched == topics.filter { TopicRules.matches(TopicMapping.topic($0), filter) })
    }
  }
}

@Suite struct WireHeaderTests {
  private static let stamp = EventStamp(origin: .max, number: 1 << 61, previous: 7, hops: 3)

  @Test(
    "Messages of a bus survive the translation in both versions",
    arguments: [MQTTVersion.v5, .v311], [MessageKind.event, .sticky, .cleared])
  func messagesSurvive(_ version: MQTTVersion, _ kind: MessageKind) throws {
    for stamp in [Self.stamp, nil] {
      for isRepeated in [false, true] {
        let payload = kind == .cleared ? [] : Array("runnel event\n\n\0".utf8)
        let message = TransportMessage(
          topic: "a.b", kind: kind, payload: payload, stamp: stamp, isAcknowledged: true,
          isRepeated: isRepeated)
        let wire = message.wireMessages(version)
        #expect(try TransportMessage(#require(wire.first), version) == message)
        // A removal is retained as a message without payload.
        let last = try #require(wire.last)
        #expect(last.isRetained == (kind != .event))
        #expect((kind == .cleared) == last.payload.isEmpty)
        #expect(version == .v5 || !last.needsVersion5)
      }
    }
  }

  @Test func foreignMessagesHaveTheirKind() {
    func kind(_ payload: String, isRetained: Bool, _ version: MQTTVersion) -> MessageKind? {
      TransportMessage(MQTTMessage("a", text: payload, isRetained: isRetained), version)?.kind
    }
    for version in [MQTTVersion.v5, .v311] {
      #expect(kind("1", isRetained: false, version) == .event)
      #expect(kind("1", isRetained: true, version) == .sticky)
    }
    #expect(kind("", isRetained: true, .v5) == .cleared)
    #expect(kind("", isRetained: false, .v5) == .event)
    #expect(kind("", isRetained: false, .v311) == nil)
  }

  @Test(arguments: ["", "hello", "event x", "event 1-2", "request", "answer 1", "event 1-1-1-1"])
  func strangeHeadersDoNoHarm(_ header: String) {
    var message = MQTTMessage("a", text: "1")
    message.userProperties = [.init("runnel", header)]
    let read = TransportMessage(message, .v5)
    #expect(read?.stamp == nil)
    let old = TransportMessage(MQTTMessage("a", text: "runnel \(header)\n1"), .v311)
    #expect(old?.stamp == nil)
    #expect((read == nil) == (header == "request" || header == "answer 1"))
  }

  @Test(arguments: [MQTTVersion.v5, .v311])
  func requestsSurvive(_ version: MQTTVersion) throws {
    let request = WireRequest(
      payload: [1, 10, 2], answerTopic: "runnel//answers/x", id: UInt64.max.bytes)
    let read = try #require(WireRequest(request.message(on: "a", version), version))
    #expect(read.payload == request.payload)
    #expect(read.answerTopic == request.answerTopic && read.id == request.id)
    #expect(TransportMessage(request.message(on: "a", version), version) == nil)
    let results: [Result<[UInt8], AskFailure>] = [
      .success([]), .success([10, 0]), .failure(.nobodyAnswers),
      .failure(.failed(RemoteFailure("no\nway"))),
    ]
    for result in results {
      let answer = try #require(WireRequest.result(of: read.answer(result, version), version))
      #expect(answer.id == request.id)
      #expect("\(answer.1)" == "\(result)")
    }
  }
}

@Suite struct TransportErrorTests {
  @Test func errorsOfClientsAreTranslated() {
    let cases: [(MQTTError, (TransportError) -> Bool)] = [
      (.keepAliveTimedOut, { if case .unreachable = $0 { true } else { false } }),
      (.disconnected(nil, text: nil), { if case .unreachable = $0 { true } else { false } }),
      (
        .disconnected(.serverShuttingDown, text: nil),
        { if case .unreachable = $0 { true } else { false } }
      ),
      (
        .refused(.badUserNameOrPassword, text: nil),
        { if case .refusedLogin = $0 { true } else { false } }
      ),
      (.refused(.serverBusy, text: nil), { if case .overloaded = $0 { true } else { false } }),
      (
        .brokenProtocol(.malformedPacket, detail: "x"),
        { if case .brokenProtocol = $0 { true } else { false } }
      ),
      (
        .refusedMessage(topic: "a/b", .notAuthorized, text: nil),
        { if case .refusedTopic("a.b", _) = $0 { true } else { false } }
      ),
      (
        .refusedMessage(topic: "a/b", .quotaExceeded, text: nil),
        { if case .overloaded = $0 { true } else { false } }
      ),
      (.tooLarge(limit: 7), { $0 == .tooLarge(limit: 7) }), (.closed, { $0 == .closed }),
    ]
    for (error, isExpected) in cases {
      let translated = TransportError(error)
      #expect(isExpected(translated), "\(error): \(translated)")
    }
  }
}
