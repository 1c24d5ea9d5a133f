import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TestBrokerTests {
  @Test(arguments: seeds(5)) func clientKeepsRulesOfTransports(_ seed: Int) async {
    let scheduler = TestScheduler()
    let broker = TestBroker(on: scheduler, seed: UInt64(seed))
    if seed > 0 { broker.delay = .milliseconds(1) ... .milliseconds(20 * seed) }
    let violations = await transportViolations(TestBrokerFixture(broker, on: scheduler))
    #expect(violations == [])
  }

  /// Each fault is found by a check of its own.
  @Test(arguments: [
    (FaultyTransport.Fault.neverOnline, "state"), (.loses, "delivery"), (.repeats, "delivery"),
    (.changesPayload, "delivery"), (.dropsStamp, "delivery"), (.swaps, "order"),
    (.finishesTwice, "order"), (.ignoresEnd, "end of a subscription"),
    (.confirmsOnce, "reconnection"), (.ignoresWildcard, "patterns"), (.ignoresPause, "pause"),
    (.finishesEarly, "acknowledged"), (.forgetsSubscriber, "acknowledged"),
    (.retainsFirst, "retained"), (.ignoresRemoval, "retained"), (.hidesStored, "retained"),
    (.answersForEver, "requests"), (.losesRequests, "requests"), (.listsItself, "presence"),
    (.listsNobody, "presence"),
  ])
  func batteryFindsFault(_ fault: FaultyTransport.Fault, _ check: String) async {
    let scheduler = TestScheduler()
    let broker = TestBroker(on: scheduler)
    broker.delay = .milliseconds(1) ... .milliseconds(5)
    let fixture = FaultyFixture(broker, scheduler, fault)
    let violations = await transportViolations(fixture)
    #expect(violations.contains { $0.hasPrefix(check) }, "\(violations)")
  }

  /// The transport of the faults has none without them.
  @Test func batteryFindsNothingWithoutFault() async {
    let scheduler = TestScheduler()
    let broker = TestBroker(on: scheduler)
    broker.delay = .milliseconds(1) ... .milliseconds(5)
    let violations = await transportViolations(FaultyFixture(broker, scheduler, .none))
    #expect(violations == [])
  }
}
