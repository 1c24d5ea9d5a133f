import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// The rules of links that share a bus or a peer.
@Suite struct LinkRuleTests {
  private struct OtherPrice: TopicRequest {
    typealias Reply = String
    static let topic = "prices.of"
  }

  private struct Stock: TopicRequest {
    typealias Reply = Int
    static let topic = "stock.of"
  }

  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let bus = EventBus(coder: .json)
  private let other = EventBus(coder: .json)

  init() {
    broker = TestBroker(on: scheduler)
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  private func topics(of bus: EventBus) throws -> Recorder<String, Never> {
    try bus.messages(on: "#").map { $0.topic }.record()
  }

  /// An event passes both links of one bus, and gets one prefix only.
  @Test func overlappingPrefixesCopyNoEventForEver() throws {
    let third = EventBus(coder: .json)
    let (seen, thirds) = (try topics(of: bus), try topics(of: third))
    try bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    try bus.join(broker.client("one"), prefix: "p", exporting: ["#"], importing: ["#"])
    try other.join(broker.client("two"), exporting: ["#"], importing: ["#"])
    try third.join(broker.client("three"), importing: ["#"])
    pause()
    try other.publish(1, on: "a")
    try other.publish(2, on: "p.b")
    try other.publish(3, on: "pq")
    pause()
    #expect(seen.elements.sorted() == ["a", "b", "pq"])
    #expect(thirds.elements.sorted() == ["a", "b", "p.a", "p.b", "p.pq", "pq"])
  }

  /// An event that has arrived during a delivery waits for its end, and for the link.
  @Test func disposingDropsEventThatWaitsForDelivery() throws {
    let seen = try topics(of: bus)
    let link = try bus.join(broker.client("one"), importing: ["#"])
    let second = try bus.join(broker.client("one"), prefix: "q", importing: ["#"])
    try other.join(broker.client("two"), exporting: ["#"])
    pause()
    try bus.events(Int.self, on: "start").observe(next: { _ in
      try? other.publish(1, on: "a")
      try? other.publish(2, on: "q.b")
      link.dispose()
    })
    try bus.publish(0, on: "start")
    pause()
    #expect(seen.elements == ["start", "b"])
    #expect(link.counts.received == 0 && second.counts.received == 1)
  }

  /// An event without confirmation never arrives twice, and is lost if it was on the way.
  @Test func unacknowledgedEventsAreSentOnce() throws {
    let seen = try topics(of: other)
    try other.join(broker.client("two"), importing: ["#"])
    let link = try bus.join(broker.client("one"), exporting: [.unacknowledged("#")])
    pause()
    broker.delay = .milliseconds(100) ... .milliseconds(100)
    for (topic, milliseconds) in [("lost", 50), ("once", 150)] {
      try bus.publish(1, on: topic)
      scheduler.advance(by: .milliseconds(milliseconds))
      broker.client("one").cut()
      broker.client("one").heal()
      pause()
    }
    broker.client("one").cut()
    try bus.publish(1, on: "waiting")
    broker.client("one").heal()
    pause()
    #expect(seen.elements == ["once", "waiting"] && link.counts.sent == 3)
  }

  /// The event of a program without Runnel comes again after its confirmation was lost, and says so.
  @Test func eventAfterLostConfirmationIsMarked() throws {
    var marks: [String] = []
    try bus.messages(on: "#").observeNext { marks.append("\($0.topic) \($0.isRepeated)") }
    let link = try bus.join(broker.client("one"), importing: ["#"])
    pause()
    broker.lossOfConfirmations = 1
    let stamp = EventStamp(origin: 3, number: 1, previous: 0)
    broker.inject(TransportMessage(topic: "a", payload: [], isAcknowledged: true))
    broker.inject(TransportMessage(topic: "b", payload: [], stamp: stamp, isAcknowledged: true))
    pause()
    #expect(marks == ["a false", "a true", "b false"])
    #expect(link.counts.received == 3 && link.counts.ignored == 1)
  }

  @Test func requestsUseLinkThatIsOnline() throws {
    let second = TestBroker(on: scheduler, name: "memory://second")
    try bus.join(broker.client("one"), exporting: [.requests("#")])
    try bus.join(second.client("one"), exporting: [.requests("#")])
    try other.join(second.client("two"), importing: [.requests("#")])
    other.answer(Price.self) { _ in 7 }
    broker.client("one").cut()
    pause()
    var reply: Int?
    bus.ask(Price(title: "Emma")).observe(succeeded: { reply = $0 }, failed: { _ in })
    pause()
    #expect(reply == 7)
  }

  /// The end of an answer is code of the user, which may dispose the link.
  @Test func disposingInEndOfAnswerAnswersNothingMore() throws {
    let server = try other.join(broker.client("two"), importing: [.requests("#")])
    // The transport stays online.
    try other.join(broker.client("two"), importing: ["a"])
    try bus.join(broker.client("one"), exporting: [.requests("#")])
    let answering = other.answer(Price.self) { _ in
      Single<Int, Never> { _ in Disposable { server.dispose() } }
    }
    pause()
    let asking = bus.ask(Price(title: "Emma")).observe(failed: { _ in })
    pause()
    other.answer(Stock.self) { _ in 7 }
    answering.dispose()
    var failures = 0
    bus.ask(Stock()).observe(failed: { _ in failures += 1 })
    pause()
    #expect(failures == 1)
    asking.dispose()
  }

  @Test func requestsNeedCoder() throws {
    #expect(throws: JoinError.noCoder) {
      try EventBus().join(broker.client("one"), exporting: [.requests("#")])
    }
    #expect(throws: JoinError.noCoder) {
      try EventBus().join(broker.client("one"), importing: [.requests("#")])
    }
  }

  @Test func mistakesTrap() async {
    await #expect(processExitsWith: .failure) {
      var queue = LinkQueue()
      queue.count = 0
    }
    await #expect(processExitsWith: .failure) {
      var queue = LinkQueue()
      queue.bytes = 0
    }
    await #expect(processExitsWith: .failure) {
      let bus = EventBus(coder: .json)
      bus.answer(Price.self) { _ in 1 }
      bus.answer(OtherPrice.self) { _ in "2" }
    }
  }

  /// A broker, its clients and what they have received end with the buses that use them.
  @Test func brokerIsReleasedWithItsUsers() throws {
    weak var released: TestBroker?
    do {
      let broker = TestBroker(on: scheduler)
      released = broker
      let bus = EventBus(coder: .json)
      try bus.join(
        broker.client("one"), exporting: ["#"], importing: ["#", .requests("#")])
      bus.answer(Price.self) { _ in 7 }
      pause()
      try bus.publish(1, on: "a", sticky: true)
      broker.client("one").cut()
      #expect(broker.client("one").state.value != .online)
      pause()
    }
    #expect(released == nil)
  }

  @Test func seededBusesRepeatTheirStamps() throws {
    func stamps(_ name: String, _ seed: UInt64) throws -> [EventStamp?] {
      let scheduler = TestScheduler()
      let broker = TestBroker(on: scheduler)
      let bus = EventBus(name: name, coder: .json, on: scheduler, seed: seed)
      try bus.join(broker.client("one"), exporting: ["#"])
      for topic in ["a", "b"] {
        scheduler.advance(by: .seconds(1))
        try bus.publish(1, on: topic, sticky: true)
      }
      pause()
      return broker.retainedMessages.sorted { $0.key < $1.key }.map(\.value.stamp)
    }
    let stamps1 = try stamps("one", 1)
    #expect(
      try stamps1 == stamps("one", 1) && stamps1.map { $0?.number } == [1_000_000, 2_000_000])
    #expect(try Set([stamps1, stamps("two", 1), stamps("one", 2)]).count == 3)
  }
}
