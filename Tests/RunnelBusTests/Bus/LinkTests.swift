import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct LinkTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker

  init() {
    broker = TestBroker(on: scheduler)
  }

  /// A bus that records the messages on all topics.
  private final class Party {
    let bus = EventBus(coder: .json)
    var seen: [String] = []

    init() throws {
      try bus.messages(on: "#").observeNext { [unowned self] message in
        let text = (try? String(decoding: message.bytes, as: UTF8.self)) ?? "unreadable"
        seen.append("\(message.topic) \(text)")
      }
    }
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  // MARK: - Events

  @Test func eventsCrossByTopic() throws {
    let (shop, store) = (try Party(), try Party())
    let link = try shop.bus.join(
      broker.client("shop"), prefix: "x.y", exporting: ["orders.#", "*.eu"],
      importing: ["stock.*"])
    try store.bus.join(
      broker.client("store"), prefix: "x.y", exporting: ["stock.#"], importing: ["#"])
    pause()
    try shop.bus.publish(1, on: "orders.eu")
    try shop.bus.publish(2, on: "orders")
    try shop.bus.publish(3, on: "other")
    try store.bus.publish(4, on: "stock.a")
    try store.bus.publish(5, on: "stock.a.b")
    pause()
    #expect(shop.seen == ["orders.eu 1", "orders 2", "other 3", "stock.a 4"])
    #expect(store.seen == ["orders.eu 1", "orders 2", "stock.a 4", "stock.a.b 5"])
    #expect(link.counts.sent == 2 && link.counts.received == 1 && link.counts.waiting == 0)
  }

  @Test func typedEventsCross() throws {
    let (shop, store) = (EventBus(coder: .json), EventBus(coder: .json))
    try shop.join(broker.client("shop"), exporting: ["orders.#"])
    try store.join(broker.client("store"), importing: ["orders.#"])
    pause()
    var numbers: [Int] = []
    store.events(TopicEventTests.Created.self).observeNext { numbers.append($0.number) }
    shop.publish(TopicEventTests.Created(number: 1))
    try shop.publish(TopicEventTests.Created(number: 2), on: "orders.created")
    shop.publish(sticky: TopicEventTests.Created(number: 3))
    #expect(numbers == [1, 2, 3])
    #expect(store.sticky(TopicEventTests.Created.self)?.number == 3)
  }

  /// A program without Runnel sends no stamp.
  @Test func foreignMessagesArriveOnce() throws {
    let (shop, store) = (try Party(), try Party())
    try shop.bus.join(broker.client("shop"), exporting: ["#"], importing: ["#"])
    let other = TestBroker(on: scheduler, name: "memory://other")
    try shop.bus.join(other.client("shop"), exporting: ["#"], importing: ["#"])
    try store.bus.join(other.client("store"), exporting: ["#"], importing: ["#"])
    pause()
    broker.inject(TransportMessage(topic: "a", payload: Array("1".utf8)))
    broker.inject(TransportMessage(topic: "a", payload: Array("1".utf8)))
    broker.inject(TransportMessage(topic: "not..valid", payload: []))
    pause()
    #expect(shop.seen == ["a 1", "a 1"] && store.seen == ["a 1", "a 1"])
  }

  @Test func innerBusesReceiveEachEventOnce() throws {
    let app = try Party()
    let document = EventBus(name: "document", within: app.bus)
    var inner: [String] = []
    try document.messages(on: "#").observeNext { inner.append($0.topic) }
    let other = try Party()
    for bus in [app.bus, document] {
      try bus.join(broker.client("app"), exporting: ["#"], importing: ["#"])
    }
    try other.bus.join(broker.client("other"), exporting: ["#"], importing: ["#"])
    pause()
    try other.bus.publish(1, on: "a")
    try document.publish(2, on: "b")
    try app.bus.publish(3, on: "c")
    pause()
    #expect(app.seen == ["a 1", "b 2", "c 3"])
    #expect(inner == ["a", "b", "c"], "events of the parent come back by the broker")
    #expect(other.seen == ["a 1", "b 2", "c 3"])
  }

  // MARK: - Sticky events

  @Test func stickyEventsAreRetained() throws {
    let (shop, store, late) = (try Party(), try Party(), try Party())
    try shop.bus.publish(1, on: "p.a", sticky: true)
    try shop.bus.join(broker.client("shop"), exporting: ["p.#"], importing: ["p.#"])
    try store.bus.join(
      broker.client("store"), exporting: [.retained("p.#")], importing: [.retained("p.#")])
    pause()
    try shop.bus.publish(2, on: "p.b", sticky: true)
    try store.bus.publish(3, on: "p.c", sticky: true)
    try store.bus.publish(4, on: "p.c", sticky: true)
    pause()
    shop.bus.removeSticky(on: "p.b")
    pause()
    try late.bus.join(broker.client("late"), importing: ["#"])
    pause()
    #expect(late.seen == ["p.a 1", "p.c 4"])
    #expect(broker.retainedMessages.keys.sorted() == ["p.a", "p.c"])
    var kept: [String] = []
    try store.bus.messages(on: "#").observeNext { kept.append($0.topic) }
    #expect(kept == ["p.a", "p.c"], "the removal has crossed")
  }

  @Test func stickyEventsAreRefusedByTransportWithout() throws {
    let party = try Party()
    let link = try party.bus.join(
      broker.plainClient("plain"), exporting: ["a.#", .unretained("b.#")])
    pause()
    #expect(throws: TopicError.notRetained(topic: "a.x", transport: "memory://broker")) {
      try party.bus.publish(1, on: "a.x", sticky: true)
    }
    try party.bus.publish(2, on: "b.x", sticky: true)
    try party.bus.publish(3, on: "a.x")
    try party.bus.publish(4, on: "c", sticky: true)
    pause()
    #expect(party.seen == ["b.x 2", "a.x 3", "c 4"])
    #expect(link.counts.sent == 2 && link.counts.refused == 0)
    #expect(throws: JoinError.notRetained(topic: "c", transport: "memory://broker")) {
      try party.bus.join(broker.plainClient("plain"), exporting: ["c"])
    }
    // By another link such an event arrives, and is counted where it cannot go on.
    let other = TestBroker(on: scheduler, name: "memory://other")
    try party.bus.join(other.client("party"), importing: ["#"])
    pause()
    let log = LogRecorder {
      other.inject(TransportMessage(topic: "a.y", kind: .sticky, payload: Array("5".utf8)))
      pause()
    }
    #expect(party.seen.last == "a.y 5" && link.counts.refused == 1 && log.entries.count == 1)
  }

  @Test func refusedTypedStickyEventIsLogged() throws {
    let party = try Party()
    try party.bus.join(broker.plainClient("plain"), exporting: ["#"])
    let log = LogRecorder { party.bus.publish(sticky: TopicEventTests.Created(number: 1)) }
    let refusal = TopicError.notRetained(topic: "orders.created", transport: "memory://broker")
    #expect(log.entries.map(\.level) == [.error] && log.entries.first?.message == "\(refusal)")
    #expect(party.seen.isEmpty)
  }

  /// A sticky event waits while its program is offline, and another program publishes one meanwhile.
  @Test func allBusesAgreeOnStickyEvent() throws {
    let (one, two, late) = (try Party(), try Party(), try Party())
    for (name, party) in [("one", one), ("two", two)] {
      try party.bus.join(broker.client(name), exporting: ["#"], importing: ["#"])
    }
    pause()
    broker.client("one").cut()
    try one.bus.publish(1, on: "a", sticky: true)
    try two.bus.publish(2, on: "a", sticky: true)
    pause()
    broker.client("one").heal()
    pause()
    try late.bus.join(broker.client("late"), importing: ["#"])
    pause()
    #expect(late.seen.count == 1)
    #expect(one.seen.last == late.seen.last && two.seen.last == late.seen.last)
  }

  // MARK: - Names and capabilities

  @Test func joiningThrowsAtOnce() throws {
    let bus = EventBus(coder: .json)
    let plain = broker.plainClient("plain")
    let unknown: any BusTransport = plain
    #expect(throws: JoinError.invalidPattern("a..b", .emptyLevel(offset: 2))) {
      try bus.join(plain, exporting: ["a..b"])
    }
    #expect(throws: JoinError.invalidPattern("*", .wildcardInTopic(offset: 0))) {
      try bus.join(plain, prefix: "*", exporting: ["a"])
    }
    #expect(throws: JoinError.transport(.unmappable("a/b", reason: "It contains a slash."))) {
      try bus.join(plain, importing: ["a/b"])
    }
    #expect(throws: JoinError.noCoder) { try EventBus().join(plain, exporting: ["a"]) }
    #expect(throws: JoinError.lacks(.retained, transport: plain.name)) {
      try bus.join(untyped: unknown, exporting: [.retained("a")])
    }
    #expect(throws: JoinError.lacks(.acknowledged, transport: plain.name)) {
      try bus.join(untyped: unknown, exporting: [.acknowledged("a")])
    }
    #expect(throws: JoinError.lacks(.requests, transport: plain.name)) {
      try bus.join(untyped: unknown, exporting: [.requests("a")])
    }
    let link = try bus.join(untyped: unknown, exporting: ["a"])
    #expect(throws: JoinError.lacks(.presence, transport: plain.name)) { try link.peers() }
    let able: any BusTransport = broker.client("able")
    try bus.join(untyped: able, exporting: [.retained("a"), .acknowledged("b"), .requests("c")])
      .dispose()
  }

  @Test func unmappableTopicThrows() throws {
    let party = try Party()
    try party.bus.join(broker.client("a"), exporting: ["a.#"])
    try party.bus.publish(1, on: "b/c")
    #expect(
      throws: TopicError.unmappable(
        topic: "a.b/c", transport: "memory://broker",
        reason: "It contains a slash.")
    ) { try party.bus.publish(2, on: "a.b/c") }
    #expect(party.seen == ["b/c 1"])
  }

  // MARK: - States

  @Test func stateFollowsConnectionAndSubscription() throws {
    broker.delay = .milliseconds(100) ... .milliseconds(100)
    let bus = EventBus(coder: .json)
    let link = try bus.join(broker.client("a"), importing: ["#"])
    var states: [String] = []
    link.state.observeNext { state in states.append("\(scheduler.now): \(state)") }
    scheduler.advance(by: .seconds(1))
    broker.client("a").cut()
    scheduler.advance(by: .milliseconds(1500))
    broker.client("a").heal()
    scheduler.advance(by: .seconds(3))
    link.dispose()
    link.dispose()
    scheduler.advance(by: .seconds(3))
    let cut = "offline: The peer cannot be reached: The way to the broker was cut."
    let away = "offline: The peer cannot be reached: There is no way to the broker."
    #expect(
      states == [
        "0.0 seconds: connecting", "0.3 seconds: online", "1.0 seconds: \(cut)",
        "2.0 seconds: \(away)", "3.0 seconds: connecting", "3.3 seconds: online",
        "5.5 seconds: offline: The link was disposed, or its transport was closed.",
      ])
    #expect(broker.client("a").state.value != .online && scheduler.pending == 0)
  }

  @Test func refusedSubscriptionIsState() throws {
    broker.refusedPatterns = ["secret.#"]
    let bus = EventBus(coder: .json)
    let link = try bus.join(broker.client("a"), exporting: ["a"], importing: ["secret.#"])
    pause()
    guard case .offline(_, .refusedTopic("secret.#", _)) = link.state.value else {
      Issue.record("\(link.state.value)")
      return
    }
    try bus.publish(1, on: "a")
    #expect(link.counts.waiting == 1)
  }

  @Test func refusedTopicIsCountedAndLogged() throws {
    broker.refusedTopics = ["a"]
    let bus = EventBus(coder: .json)
    let link = try bus.join(broker.client("a"), exporting: ["#"])
    pause()
    let log = LogRecorder {
      try? bus.publish(1, on: "a")
      try? bus.publish(Double.nan, on: "b")
      pause()
    }
    #expect(link.counts.refused == 2 && link.counts.waiting == 0 && log.entries.count == 2)
  }

  // MARK: - Ends

  @Test func disposedLinkDropsAndDelivers() throws {
    let (one, two) = (try Party(), try Party())
    let link = try one.bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    try two.bus.join(broker.client("two"), exporting: ["#"], importing: ["#"])
    pause()
    broker.client("one").cut()
    for number in 1...3 { try one.bus.publish(number, on: "a") }
    #expect(link.counts.waiting == 3)
    link.dispose()
    broker.client("one").heal()
    try one.bus.publish(4, on: "a")
    try two.bus.publish(5, on: "b")
    pause()
    #expect(link.counts.dropped == 3 && link.counts.waiting == 0)
    #expect(two.seen == ["b 5"] && one.seen.last == "a 4")
  }

  @Test func leavingSendsWhatWaits() throws {
    let (one, two) = (try Party(), try Party())
    let link = try one.bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    try two.bus.join(broker.client("two"), exporting: ["#"], importing: ["#"])
    pause()
    broker.client("one").cut()
    for number in 1...3 { try one.bus.publish(number, on: "a") }
    var hasLeft = false
    link.leave().observe(completed: { hasLeft = true })
    try one.bus.publish(4, on: "a")
    pause()
    #expect(!hasLeft)
    broker.client("one").heal()
    pause()
    #expect(hasLeft && two.seen == ["a 1", "a 2", "a 3"] && link.counts.dropped == 0)
    let other = try one.bus.join(broker.client("one"), exporting: ["#"])
    broker.client("one").cut()
    try one.bus.publish(5, on: "a")
    other.leave().observe().dispose()
    #expect(other.counts.dropped == 1)
  }

  @Test func allObserversOfLeavingAreCompleted() throws {
    let bus = EventBus(coder: .json)
    let link = try bus.join(broker.client("a"), exporting: ["#"], importing: ["#"])
    pause()
    broker.client("a").cut()
    try bus.publish(1, on: "a")
    var count = 0
    for _ in 0..<2 { link.leave().observe(completed: { count += 1 }) }
    #expect(count == 0)
    link.dispose()
    #expect(count == 2)
    link.leave().observe(completed: { count += 1 })
    #expect(count == 3)
  }

  /// A refused subscription stops a link, but not one that leaves.
  @Test func leavingNeedsNoSubscription() throws {
    broker.refusedPatterns = ["#"]
    let (one, two) = (try Party(), try Party())
    try two.bus.join(broker.client("two"), importing: ["a"])
    let link = try one.bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    pause()
    try one.bus.publish(1, on: "a")
    pause()
    #expect(two.seen.isEmpty)
    var hasLeft = false
    link.leave().observe(completed: { hasLeft = true })
    pause()
    #expect(hasLeft && two.seen == ["a 1"])
  }

  @Test func releasedBusEndsItsLinks() throws {
    weak var released: BusLink?
    do {
      let bus = EventBus(coder: .json)
      released = try bus.join(broker.client("a"), exporting: ["#"], importing: ["#"])
      pause()
      #expect(broker.client("a").state.value == .online)
    }
    #expect(released == nil && broker.client("a").state.value != .online)
  }
}
