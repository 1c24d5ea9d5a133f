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
    let identifier = bench.session.subscribe("a/#")
    bench.connect()
    #expect(!bench.session.isSettled)
    #expect(bench.sent().brief == ["subscribe 1 a/#"])
    #expect(!bench.session.isSettled)
    bench.receive(grant(1))
    #expect(bench.session.isSettled && bench.session.isConfirmed(ExactText("a/#")))
    #expect(bench.answers == [.confirmed(ExactText("a/#"), identifier: identifier)])
    bench.session.unsubscribe(ExactText("a/#"))
    #expect(bench.sent().brief == ["unsubscribe 2 a/#"])
    bench.receive(removal(2))
    #expect(bench.session.isSettled)
  }

  @Test("A resumed session gets what has changed while offline")
  func resumedSessionGetsChanges() {
    var bench = SessionBench()
    bench.connect()
    for filter in ["a", "b", "c"] { _ = bench.session.subscribe(MQTTSubscription(filter)) }
    _ = bench.sent()
    bench.receive(grant(1), grant(2))
    bench.session.lose()
    bench.session.unsubscribe(ExactText("a"))
    _ = bench.session.subscribe("d")
    _ = bench.session.subscribe("e")
    bench.session.unsubscribe(ExactText("e"))
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
    for filter in ["a", "b"] { _ = bench.session.subscribe(MQTTSubscription(filter)) }
    _ = bench.sent()
    bench.receive(grant(1), grant(2))
    bench.session.unsubscribe(ExactText("a"))
    bench.session.lose()
    bench.connect(isSessionPresent: false)
    #expect(!bench.session.isConfirmed(ExactText("b")))
    #expect(bench.sent().brief == ["subscribe 3 b"])
    bench.receive(grant(3))
    #expect(bench.session.isSettled)
  }

  @Test("An unsubscription that was not confirmed is repeated")
  func unconfirmedRemovalIsRepeated() {
    var bench = SessionBench()
    bench.connect()
    _ = bench.session.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1))
    bench.session.unsubscribe(ExactText("a"))
    _ = bench.sent()
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
    _ = bench.session.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 1 a"])
    bench.session.unsubscribe(ExactText("a"))
    #expect(bench.sent().brief == ["unsubscribe 2 a"])
    let last = bench.session.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 3 a"])
    bench.receive(grant(1), removal(2), grant(3))
    #expect(bench.answers == [.confirmed(ExactText("a"), identifier: last)])
    #expect(bench.session.isSettled && bench.session.isConfirmed(ExactText("a")))
    // Nothing is sent for a change that is taken back before it is sent.
    bench.session.unsubscribe(ExactText("a"))
    _ = bench.session.subscribe("a")
    #expect(bench.sent().brief == ["subscribe 4 a"])
  }

  @Test func refusalIsReported() {
    var bench = SessionBench()
    bench.connect()
    let identifier = bench.session.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1, .notAuthorized))
    #expect(
      bench.answers == [
        .refused(
          ExactText("a"), identifier: identifier,
          .refusedSubscription(filter: "a", .notAuthorized, text: nil))
      ])
    #expect(bench.session.isSettled)
    bench.session.lose()
    bench.connect(isSessionPresent: false)
    #expect(bench.sent().isEmpty)
  }

  @Test("A subscription ends at the broker if it refuses a change")
  func refusedChangeEndsSubscription() {
    var bench = SessionBench()
    bench.connect()
    _ = bench.session.subscribe("a")
    _ = bench.sent()
    bench.receive(grant(1))
    _ = bench.session.subscribe(MQTTSubscription("a", qos: .exactlyOnce))
    _ = bench.sent()
    bench.receive(grant(2, .notAuthorized))
    #expect(bench.answers.count == 2)
    #expect(bench.sent().brief == ["unsubscribe 3 a"])
    bench.receive(removal(3))
    #expect(bench.session.isSettled)
  }

  @Test func largeFilterIsRefused() {
    var bench = SessionBench()
    bench.connect { $0.packetSize = 20 }
    _ = bench.session.subscribe(MQTTSubscription(String(repeating: "x", count: 30)))
    #expect(bench.sent().isEmpty)
    #expect(bench.answers.count == 1 && bench.session.isSettled)
  }

  @Test func wrongAnswersAreViolations() {
    var bench = SessionBench()
    bench.connect()
    _ = bench.session.subscribe("a")
    _ = bench.sent()
    #expect(bench.receive(removal(1)) == .protocolError)
    _ = bench.session.subscribe("b")
    _ = bench.sent()
    #expect(
      bench.receive(.suback(.init(id: 2, reasons: [.success, .success]))) == .protocolError)
    #expect(bench.receive(grant(9)) == .protocolError)
  }

  @Test func canonicallyEqualFiltersAreTwo() {
    var bench = SessionBench()
    bench.connect()
    _ = bench.session.subscribe("caf\u{E9}")
    _ = bench.session.subscribe("cafe\u{301}")
    #expect(bench.sent().count == 2)
  }
}
