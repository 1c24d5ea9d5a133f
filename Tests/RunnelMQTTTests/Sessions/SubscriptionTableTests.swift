import RunnelStreams
import Testing

@testable import RunnelMQTT

@Suite struct SubscriptionTableTests {
  private func grant(_ id: UInt16, _ reason: MQTTReason = .grantedAtLeastOnce) -> Packet {
    .suback(.init(id: id, reasons: [reason]))
  }

  private func removal(_ id: UInt16) -> Packet { .unsuback(.init(id: id, reasons: [.success])) }

  @Test func subscribesAndUnsubscribes() {
    var bench = SessionBench()
    let observer = bench.subscribe("a/#")
    bench.connect()
    #expect(!bench.session.isSettled)
    #expect(bench.sent().brief == ["subscribe 1 a/#"])
    #expect(!bench.session.isSettled)
    bench.receive(grant(1))
    #expect(bench.session.isSettled && bench.session.isConfirmed(ExactText("a/#")))
    #expect(bench.answers == ["a/# confirmed"])
    bench.session.remove(observer)
    #expect(bench.sent().brief == ["unsubscribe 2 a/#"])
    bench.receive(removal(2))
    #expect(bench.session.isSettled)
  }

  @Test("A resumed session gets what has changed while offline")
  func resumedSessionGetsChanges() {
    var bench = SessionBench()
    bench.connect()
    let first = bench.subscribe("a")
    for filter in ["b", "c"] { bench.subscribe(MQTTSubscription(filter)) }
    _ = bench.sent()
    bench.receive(grant(1), grant(2))
    bench.session.lose()
    bench.session.remove(first)
    bench.subscribe("d")
    bench.session.remove(bench.subscribe("e"))
    bench.connect(isSessionPresent: true)
    // The broker has not confirmed c, and b is unchanged.
    #expect(bench.sent().brief == ["unsubscribe 4 a", "subscribe 5 c", "subscribe 6 d"])
    #expect(!bench.session.isSettled)
    bench.receive(removal(4), grant(5), grant(6))
    #expect(bench.session.isSettled)
    for filter in ["b", "c", "d"] { #expect(bench.session.isConfirmed(ExactText(filter))) }
  }

  @Test("A lost session gets all subscriptions again")
  func lostSessionGetsAll() {
    var bench = SessionBench()
    bench.connect()
    let first = bench.subscribe("a")
    bench.subscribe("b")
    _ = bench.sent()
    bench.receive(grant(1), grant(2))
    bench.session.remove(first)
    bench.session.lose()
    bench.connect(isSessionPresent: false)
    #expect(!bench.session.isConfirmed(ExactText("b")))
    #expect(bench.sent().brief == ["subscribe 3 b"])
    bench.receive(grant(3))
    #expect(bench.session.isSettled)
  }

  /// A connected session that has sent an unsubscription from the filter `a`, with the identifier 2.
  private func benchWithRemoval() -> SessionBench {
    var bench = SessionBench()
    bench.connect()
    let observer = bench.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1))
    bench.session.remove(observer)
    _ = bench.sent()
    return bench
  }

  @Test("An unsubscription that was not confirmed is repeated")
  func unconfirmedRemovalIsRepeated() {
    var bench = benchWithRemoval()
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().brief == ["unsubscribe 3 a"])
    bench.receive(removal(3))
    #expect(bench.session.isSettled)
  }

  @Test("Quick changes end as the last one says")
  func quickChangesEndWithLast() {
    var bench = SessionBench()
    bench.connect()
    let first = bench.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 1 a"])
    bench.session.remove(first)
    #expect(bench.sent().brief == ["unsubscribe 2 a"])
    let last = bench.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 3 a"])
    bench.receive(grant(1), removal(2), grant(3))
    #expect(bench.answers == ["a confirmed"])
    #expect(bench.session.isSettled && bench.session.isConfirmed(ExactText("a")))
    // Nothing is sent for a change that is taken back before it is sent.
    bench.session.remove(last)
    bench.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 4 a"])
  }

  @Test func refusalIsReported() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe("a")
    bench.subscribe("b", "a")
    #expect(bench.sent().brief == ["subscribe 1 a", "subscribe 2 b"])
    bench.receive(grant(1, .notAuthorized))
    let error = MQTTError.refusedSubscription(filter: "a", .notAuthorized, text: nil)
    #expect(bench.answers == ["[\"a\"] \(error)", "[\"b\", \"a\"] \(error)"])
    // Nobody needs the other filter any more.
    #expect(bench.sent().brief == ["unsubscribe 3 b"])
    bench.receive(grant(2), removal(3))
    #expect(bench.session.isSettled)
    bench.session.lose()
    bench.connect(isSessionPresent: false)
    #expect(bench.sent().isEmpty)
  }

  @Test("A subscription ends at the broker if it refuses a change")
  func refusedChangeEndsSubscription() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1))
    bench.subscribe(MQTTSubscription("a", qos: .exactlyOnce))
    _ = bench.sent()
    bench.receive(grant(2, .notAuthorized))
    #expect(bench.answers.count == 3)
    #expect(bench.sent().brief == ["unsubscribe 3 a"])
    bench.receive(removal(3))
    #expect(bench.session.isSettled)
  }

  @Test func largeFilterIsRefused() {
    var bench = SessionBench()
    bench.connect { $0.packetSize = 20 }
    bench.subscribe(MQTTSubscription(String(repeating: "x", count: 30)))
    #expect(bench.sent().isEmpty)
    #expect(bench.answers.count == 1 && bench.session.isSettled)
  }

  @Test func wrongAnswersAreViolations() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe("a")
    _ = bench.sent()
    #expect(bench.receive(removal(1)) == .protocolError)
    bench.subscribe("b")
    _ = bench.sent()
    #expect(
      bench.receive(.suback(.init(id: 2, reasons: [.success, .success]))) == .protocolError)
    #expect(bench.receive(grant(9)) == .protocolError)
  }

  @Test("A broker may grant less than was asked for, and not more")
  func weakerGrantIsReported() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe(MQTTSubscription("a", qos: .exactlyOnce))
    bench.subscribe("b")
    _ = bench.sent()
    bench.receive(grant(1, .success))
    #expect(bench.answers == ["a atMostOnce"])
    #expect(bench.receive(grant(2, .grantedExactlyOnce)) == .protocolError)
  }

  @Test func refusedEndIsReported() {
    var bench = benchWithRemoval()
    #expect(bench.receive(.unsuback(.init(id: 2, reasons: [.success, .success]))) != nil)
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    _ = bench.sent()
    bench.receive(.unsuback(.init(id: 3, reasons: [.notAuthorized])))
    #expect(bench.answers.last == "a remains: notAuthorized" && bench.session.isSettled)
  }

  @Test("Observers that come and go while nothing is written need no memory")
  func changesAreBounded() {
    var bench = SessionBench()
    bench.subscribe("kept")
    for number in 0..<1_000 {
      bench.session.remove(bench.subscribe(MQTTSubscription("a/\(number % 500)")))
    }
    #expect(bench.session.changeCount < 20)
    bench.connect()
    #expect(bench.sent().brief == ["subscribe 1 kept"])
    for number in 0..<1_000 {
      bench.session.remove(bench.subscribe(MQTTSubscription("a/\(number % 500)")))
    }
    #expect(bench.session.changeCount < 20)
    bench.subscribe("last")
    #expect(bench.sent().brief.map { $0.suffix(4) } == ["last"])
  }

  @Test("Retained messages are asked for again if the answer was lost")
  func lostAnswerAsksAgain() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1))
    bench.subscribe(MQTTSubscription("a", qos: .exactlyOnce, retained: .none))
    let second = bench.subscribe("a")
    let options = bench.sent().options
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().options == options && options == [0x02])
    bench.session.remove(second)
    bench.session.lose()
    bench.connect(isSessionPresent: true)
    #expect(bench.sent().options == [0x22])
  }

  @Test func canonicallyEqualFiltersAreTwo() {
    var bench = SessionBench()
    bench.connect()
    bench.subscribe("caf\u{E9}")
    bench.subscribe("cafe\u{301}")
    #expect(bench.sent().count == 2)
  }
}

extension [Packet] {
  /// The options of the first filter of each subscription.
  fileprivate var options: [UInt8] {
    compactMap { if case .subscribe(let packet) = $0 { packet.filters[0].options } else { nil } }
  }
}
