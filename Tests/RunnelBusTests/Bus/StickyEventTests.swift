import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Sticky events that cross between programs.
@Suite struct StickyEventTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker

  init() {
    broker = TestBroker(on: scheduler)
  }

  /// A bus that records the messages on all topics.
  private final class Party {
    let bus: EventBus
    var seen: [String] = []

    init(_ bus: EventBus) throws {
      self.bus = bus
      try bus.messages(on: "#").observeNext { [unowned self] message in
        seen.append(
          "\(message.topic) \((try? String(decoding: message.bytes, as: UTF8.self)) ?? "")")
      }
    }

    /// The sticky messages.
    var kept: [String] {
      var kept: [String] = []
      try? bus.messages(on: "#").observeNext { message in
        kept.append(
          "\(message.topic) \((try? String(decoding: message.bytes, as: UTF8.self)) ?? "")")
      }.dispose()
      return kept
    }
  }

  private func party(_ name: String) throws -> Party {
    try Party(EventBus(name: name, coder: .json, on: scheduler, seed: 1))
  }

  /// Returns a party that exports and imports all topics.
  private func joined(_ name: String) throws -> Party {
    let party = try party(name)
    try party.bus.join(broker.client(name), exporting: ["#"], importing: ["#"])
    pause()
    return party
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  /// The retained payloads of the broker.
  private var retained: [String: String] {
    broker.retainedMessages.mapValues { String(decoding: $0.payload, as: UTF8.self) }
  }

  // MARK: - Removals

  @Test func receivedRemovalIsCounted() throws {
    let one = try joined("one")
    let other = try party("other")
    let link = try other.bus.join(broker.client("other"), importing: ["a"])
    pause()
    try one.bus.publish("1", on: "a", sticky: true)
    pause()
    #expect(link.counts.received == 1 && link.counts.ignored == 0)
    one.bus.removeSticky(on: "a")
    pause()
    #expect(other.kept == [] && link.counts.received == 2 && link.counts.ignored == 0)
  }

  @Test(arguments: [true, false]) func observerRemovesItsEventEverywhere(_ isOwn: Bool) throws {
    let (one, two) = (try joined("one"), try joined("two"))
    try one.bus.events(Int.self, on: "a").observe(next: { _ in one.bus.removeSticky(on: "a") })
    try (isOwn ? one : two).bus.publish(1, on: "a", sticky: true)
    #expect(one.kept.isEmpty)
    pause()
    let late = try joined("late")
    #expect(retained.isEmpty && two.kept.isEmpty && late.seen.isEmpty && one.kept.isEmpty)
  }

  /// The removal overtakes no event, also if the link does not import the topic.
  @Test func exportingLinkRemovesEventOfOtherLink() throws {
    let other = TestBroker(on: scheduler, name: "memory://other")
    let (bridge, end) = (try party("bridge"), try party("end"))
    try bridge.bus.join(broker.client("bridge"), importing: ["#"])
    try bridge.bus.join(other.client("bridge"), exporting: ["#"])
    try end.bus.join(other.client("end"), importing: ["#"])
    let source = try joined("source")
    try bridge.bus.events(Int.self, on: "a").observe(next: { _ in
      bridge.bus.removeSticky(on: "a")
    })
    try source.bus.publish(1, on: "a", sticky: true)
    pause()
    #expect(end.kept.isEmpty && other.retainedMessages.isEmpty)
  }

  @Test func removalFollowsEventThatWaitsForDelivery() throws {
    let (one, two) = (try joined("one"), try joined("two"))
    try one.bus.events(Int.self, on: "start").observe(next: { _ in
      try? one.bus.publish(1, on: "a", sticky: true)
      one.bus.removeSticky(on: "a")
      one.bus.removeSticky(on: "b")
      try? one.bus.publish(2, on: "b", sticky: true)
    })
    try one.bus.publish(0, on: "start")
    pause()
    #expect(one.kept == ["b 2"] && two.kept == ["b 2"] && retained == ["b": "2"])
  }

  @Test func removalBetweenTwoLinksCrosses() throws {
    for imports in [["#"], []] as [[JoinPattern<TestBrokerClient>]] {
      let (one, two) = (try party("one"), try joined("two"))
      let link = try one.bus.join(broker.client("one"), exporting: ["#"], importing: imports)
      try one.bus.publish(1, on: "a", sticky: true)
      pause()
      link.dispose()
      one.bus.removeSticky(on: "a")
      try one.bus.join(broker.client("one"), exporting: ["#"], importing: imports)
      pause()
      #expect(one.kept.isEmpty && two.kept.isEmpty && retained.isEmpty)
    }
  }

  /// Other programs know only one sticky event of both buses.
  @Test func removalOfInnerBusReachesJoinedParent() throws {
    let (app, other) = (try joined("app"), try joined("other"))
    let document = EventBus(name: "document", within: app.bus)
    try document.join(broker.client("document"), exporting: ["#"], importing: ["#"])
    pause()
    try document.publish(1, on: "a", sticky: true)
    pause()
    #expect(app.kept == ["a 1"])
    document.removeSticky(on: "a")
    pause()
    #expect(app.kept.isEmpty && other.kept.isEmpty && retained.isEmpty)
  }

  // MARK: - The later event

  /// The first program has been quiet for a while, and does not know the event of the second one.
  @Test(arguments: [3_600, 30 * 86_400]) func laterEventStaysAfterQuietTime(_ quiet: Int) throws {
    broker.pauseBetweenAttempts = .seconds(quiet)
    let one = try joined("one")
    try one.bus.publish(0, on: "other", sticky: true)
    broker.client("one").cut()
    scheduler.advance(by: .seconds(quiet))
    let two = try joined("two")
    try two.bus.publish(1, on: "p", sticky: true)
    scheduler.advance(by: .seconds(quiet))
    try one.bus.publish(2, on: "p", sticky: true)
    broker.client("one").heal()
    scheduler.advance(by: .seconds(quiet))
    pause()
    #expect(one.kept.contains("p 2") && two.kept.contains("p 2") && retained["p"] == "2")
  }

  /// The second program restarts after a month in which the first one was quiet.
  @Test func answerToRestartedProgramStays() throws {
    let one = try joined("one")
    try one.bus.publish(0, on: "mode", sticky: true)
    scheduler.advance(by: .seconds(30 * 86_400))
    let two = try joined("two")
    try two.bus.publish(1, on: "mode", sticky: true)
    pause()
    try one.bus.publish(2, on: "mode", sticky: true)
    pause()
    #expect(one.kept == ["mode 2"] && two.kept == ["mode 2"])
  }

  /// A clock in 2099, or in 1970, lets no event win for ever.
  @Test(arguments: [2_300_000_000_000_000, 1] as [UInt64]) func wrongClockIsFollowed(
    _ time: UInt64
  ) throws {
    let now: UInt64 = 1_800_000_000_000_000
    var identity: UInt128 = 0
    func joined(_ name: String, at time: UInt64) throws -> Party {
      let party = try Party(
        EventBus(
          name: name, coder: .json,
          stamps: StampInputs(
            clock: { time },
            makeIdentity: {
              identity += 1
              return identity
            })))
      try party.bus.join(broker.client(name), exporting: ["#"], importing: ["#"])
      pause()
      return party
    }
    let (wrong, right) = (try joined("wrong", at: time), try joined("right", at: now))
    for number in 0..<10 {
      try (number.isMultiple(of: 2) ? wrong : right).bus.publish(number, on: "p", sticky: true)
      pause()
      #expect(wrong.kept == ["p \(number)"] && right.kept == ["p \(number)"])
    }
    wrong.bus.removeSticky(on: "p")
    pause()
    #expect(right.kept.isEmpty && retained.isEmpty)
  }

  @Test func hostileNumberIsIgnored() throws {
    let one = try party("one")
    let link = try one.bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    pause()
    let log = LogRecorder {
      broker.inject(
        TransportMessage(
          topic: "p", kind: .sticky, payload: [0x31],
          stamp: EventStamp(origin: 9, number: 1 << 62, previous: 0)))
    }
    #expect(one.seen.isEmpty && link.counts.ignored == 1 && log.entries.count == 1)
    try one.bus.publish(2, on: "p", sticky: true)
    pause()
    #expect(retained == ["p": "2"] && one.kept == ["p 2"])
  }

  /// A value from before the join has the time at which it was published.
  @Test func defaultFromBeforeJoinLosesToLaterValue() throws {
    let (one, two) = (try party("one"), try joined("two"))
    try one.bus.publish(1, on: "p", sticky: true)
    scheduler.advance(by: .seconds(60))
    try two.bus.publish(2, on: "p", sticky: true)
    try one.bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    pause()
    #expect(one.kept == ["p 2"] && two.kept == ["p 2"] && retained == ["p": "2"])
  }

  /// A link that only imports, and whose bus has replaced the event of the peer.
  @Test(arguments: [false, true]) func reconnectionKeepsLocalEvent(_ isForeign: Bool) throws {
    let two = try joined("two")
    let one = try party("one")
    try one.bus.join(broker.client("one"), importing: ["theme"])
    pause()
    if isForeign {
      broker.inject(TransportMessage(topic: "theme", kind: .sticky, payload: Array("1".utf8)))
    } else {
      try two.bus.publish(1, on: "theme", sticky: true)
    }
    pause()
    try one.bus.publish(2, on: "theme", sticky: true)
    broker.client("one").cut()
    broker.client("one").heal()
    pause()
    #expect(one.kept == ["theme 2"] && one.seen == ["theme 1", "theme 2"])
    one.bus.removeSticky(on: "theme")
    broker.client("one").cut()
    broker.client("one").heal()
    pause()
    #expect(one.kept.isEmpty && one.seen.count == 2)
  }

  /// The program of the event has ended, and each program that restores it ends, too.
  @Test func eventIsRestoredByManyPrograms() throws {
    let first = try party("first")
    let link = try first.bus.join(broker.client("first"), exporting: ["#"], importing: ["#"])
    scheduler.advance(by: .seconds(10))
    try first.bus.publish(1, on: "a", sticky: true)
    pause()
    var previous = (first, link)
    for number in 1...40 as ClosedRange<UInt64> {
      let next = try party("next \(number)")
      let link = try next.bus.join(
        broker.client("next \(number)"), exporting: ["#"], importing: ["#"])
      pause()
      previous.1.dispose()
      broker.inject(
        TransportMessage(
          topic: "a", kind: .sticky, payload: Array("0".utf8),
          stamp: EventStamp(origin: 3, number: number, previous: number - 1)))
      pause()
      #expect(retained == ["a": "1"] && next.kept == ["a 1"], "\(number)")
      previous = (next, link)
    }
  }

  @Test func messageWithTooManyHopsIsLogged() throws {
    let one = try party("one")
    let link = try one.bus.join(broker.client("one"), importing: ["#"])
    pause()
    func inject(hops: UInt8) {
      broker.inject(
        TransportMessage(
          topic: "a", payload: Array("1".utf8),
          stamp: EventStamp(origin: 3, number: UInt64(hops), previous: UInt64(hops) - 1, hops: hops)
        ))
    }
    let log = LogRecorder { for hops in [30, 31, 32, 200] as [UInt8] { inject(hops: hops) } }
    #expect(one.seen == ["a 1", "a 1"] && link.counts.ignored == 2 && log.entries.count == 2)
  }

  // MARK: - Programs without Runnel

  private func inject(_ payload: String) {
    broker.inject(TransportMessage(topic: "p", kind: .sticky, payload: Array(payload.utf8)))
  }

  /// An earlier event arrives from a program that was offline.
  @Test func foreignEventIsRestored() throws {
    let one = try joined("one")
    inject("1")
    pause()
    broker.inject(
      TransportMessage(
        topic: "p", kind: .sticky, payload: Array("0".utf8),
        stamp: EventStamp(origin: 3, number: 1, previous: 0)))
    #expect(retained == ["p": "0"])
    pause()
    #expect(retained == ["p": "1"] && one.kept == ["p 1"])
  }

  @Test func equalEventsOfForeignProgramAreDelivered() throws {
    let one = try joined("one")
    for _ in 0..<3 { inject("21.5") }
    pause()
    #expect(one.seen == ["p 21.5", "p 21.5", "p 21.5"])
    for _ in 0..<3 {
      broker.client("one").cut()
      broker.client("one").heal()
      pause()
    }
    #expect(one.seen.count == 3, "a new connection brings it again")
    broker.client("one").cut()
    inject("22")
    broker.client("one").heal()
    pause()
    #expect(one.seen.last == "p 22" && one.kept == ["p 22"])
  }

  /// The peer has a foreign event when the subscription is confirmed, and the later event of this
  /// program waits behind many others.
  @Test(arguments: [false, true], [false, true]) func waitingEventIsLaterThanStoredOne(
    _ isRemoval: Bool, _ isKnown: Bool
  ) throws {
    broker.delay = .milliseconds(10) ... .milliseconds(10)
    let (one, two) = (try joined("one"), try joined("two"))
    if isKnown { inject("1") }
    pause()
    broker.client("one").cut()
    if !isKnown { inject("1") }
    pause()
    for number in 0..<100 { try one.bus.publish(number, on: "b") }
    if isRemoval {
      one.bus.removeSticky(on: "p")
    } else {
      try one.bus.publish(2, on: "p", sticky: true)
    }
    broker.client("one").heal()
    pause()
    let expected = isRemoval ? [] : ["p 2"]
    #expect(one.kept == expected && two.kept == expected && retained.count == expected.count)
    #expect(one.seen.filter { $0 == "p 1" }.count == (isKnown ? 1 : 0))
  }
}
