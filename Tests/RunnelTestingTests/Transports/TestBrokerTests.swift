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
    (.confirmsOnce, "reconnection"), (.ignoresWildcard, "patterns"),
  ])
  func batteryFindsFault(_ fault: FaultyTransport.Fault, _ check: String) async {
    let scheduler = TestScheduler()
    let fixture = FaultyFixture(TestBroker(on: scheduler), scheduler, fault)
    let violations = await transportViolations(fixture)
    #expect(violations.contains { $0.hasPrefix(check) }, "\(violations)")
  }
}

/// A transport with a fault.
final class FaultyTransport: BusTransport {
  enum Fault {
    case neverOnline, loses, repeats, changesPayload, dropsStamp, swaps, finishesTwice, ignoresEnd
    case confirmsOnce, ignoresWildcard
  }

  let client: TestBrokerClient
  private let fault: Fault
  private var held: TransportMessage?
  private var sentCount = 0

  init(_ client: TestBrokerClient, _ fault: Fault) {
    self.client = client
    self.fault = fault
  }

  var name: String { client.name }
  var scheduler: any Scheduler { client.scheduler }
  var state: ReadOnlyProperty<LinkState> {
    fault == .neverOnline ? ReadOnlyProperty(constant: .connecting) : client.state
  }

  func check(topic: String) throws(TransportError) { try client.check(topic: topic) }
  func check(pattern: String) throws(TransportError) { try client.check(pattern: pattern) }
  func connect() -> Disposable { client.connect() }

  func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable {
    var hasConfirmed = false
    let own = TransportReceiver(
      confirmed: { [fault] in
        if fault == .confirmsOnce && hasConfirmed { return }
        hasConfirmed = true
        receiver.confirmed()
      },
      message: { [self] message in
        var message = message
        switch fault {
        case .changesPayload: message.payload.append(0)
        case .dropsStamp: message.stamp = nil
        case .swaps:
          guard let earlier = held else { return held = message }
          held = nil
          receiver.receive(message)
          return receiver.receive(earlier)
        default: break
        }
        receiver.receive(message)
        if fault == .repeats { receiver.receive(message) }
      })
    var patterns = patterns
    if fault == .ignoresWildcard {
      for index in patterns.indices {
        let prefix = patterns[index].pattern.prefix { $0 != "*" }
        if prefix != patterns[index].pattern { patterns[index].pattern = prefix + "#" }
      }
    }
    let subscription = client.subscribe(to: patterns, own)
    return fault == .ignoresEnd ? .none : subscription
  }

  func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    sentCount += 1
    if fault == .loses && sentCount.isMultiple(of: 3) { return finished(.success(())) }
    client.send(message) { [fault] result in
      finished(result)
      if fault == .finishesTwice { finished(result) }
    }
  }
}

private final class FaultyFixture: TransportFixture {
  private let base: TestBrokerFixture
  private let fault: FaultyTransport.Fault

  init(_ broker: TestBroker, _ scheduler: TestScheduler, _ fault: FaultyTransport.Fault) {
    base = TestBrokerFixture(broker, on: scheduler)
    self.fault = fault
  }

  func makeTransport() -> FaultyTransport { FaultyTransport(base.makeTransport(), fault) }
  func interrupt(_ transport: FaultyTransport) { transport.client.cut() }
  func repair(_ transport: FaultyTransport) { transport.client.heal() }
  func wait(until condition: () -> Bool, isolation: isolated (any Actor)?) async -> Bool {
    await base.wait(until: condition, isolation: isolation)
  }
}
