import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The rules of transports, at a real broker.
@Suite struct TransportBatteryTests {
  @Test func transportKeepsRulesOfTransports() async {
    await withBroker { broker in
      let violations = runBattery(on: broker.loop) {
        RelayFixture(broker, version: .v5) { $0 }
      }
      #expect(violations == [])
    }
  }

  @Test("It keeps the rules with MQTT 3.1.1, too, where nobody says that nobody answers")
  func oldVersionKeepsRulesOfTransports() async {
    await withBroker { broker in
      let violations = runBattery(on: broker.loop) {
        RelayFixture(broker, version: .v311) { WithoutRequests($0) }
      }
      #expect(violations == [])
    }
  }
}

private func runBattery<Fixture: TransportFixture & SendableMetatype>(
  on loop: EventLoop, _ makeFixture: @escaping @Sendable () -> Fixture
) -> [String] {
  let results = EventLog<[String]>()
  let home = Home(loop)
  Task { results.add(await home.run(makeFixture)) }
  return results.wait(for: 1).first ?? ["The battery did not end."]
}

/// Runs the battery on a loop.
private actor Home {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func run<Fixture: TransportFixture & SendableMetatype>(
    _ makeFixture: @Sendable () -> Fixture
  ) async -> [String] {
    await transportViolations(makeFixture(), isolation: self)
  }
}

/// Transports of a broker, each on a way of its own.
private final class RelayFixture<Transport: BusTransport>: TransportFixture {
  private let broker: PrivateBroker
  private let version: MQTTVersion
  private let wrap: (MQTTTransport) -> Transport
  private var relays: [ObjectIdentifier: BrokerRelay] = [:]
  private var count = 0

  init(
    _ broker: PrivateBroker, version: MQTTVersion, _ wrap: @escaping (MQTTTransport) -> Transport
  ) {
    self.broker = broker
    self.version = version
    self.wrap = wrap
  }

  func makeTransport() -> Transport {
    count += 1
    let options = MQTTOptions {
      $0.version = version
      // A broker of MQTT 3.1.1 keeps no session of a random name.
      if version == .v311 { $0.clientID = "client-\(count)" }
      $0.backoff = Backoff(initial: .milliseconds(10), maximum: .milliseconds(20))
    }
    do {
      let relay = try BrokerRelay(to: broker.port, on: broker.loop)
      let transport = wrap(
        try MQTTTransport("mqtt://127.0.0.1:\(relay.port)", options: options, on: broker.loop))
      relays[ObjectIdentifier(transport)] = relay
      return transport
    } catch {
      fatalError("\(error)")
    }
  }

  func interrupt(_ transport: Transport) { relays[ObjectIdentifier(transport)]?.cut() }

  func repair(_ transport: Transport) { relays[ObjectIdentifier(transport)]?.heal() }

  func wait(until condition: () -> Bool, isolation: isolated (any Actor)?) async -> Bool {
    let limit = broker.loop.now + longestWait
    while !condition() {
      if broker.loop.now > limit { return false }
      await withCheckedContinuation { continuation in
        _ = broker.loop.schedule(after: .milliseconds(1)) { continuation.resume() }
      }
    }
    return true
  }
}

/// A transport that carries events, and no requests.
private final class WithoutRequests: RetainingTransport, AcknowledgingTransport, PresenceTransport {
  private let transport: MQTTTransport

  init(_ transport: MQTTTransport) {
    self.transport = transport
  }

  var name: String { transport.name }
  var scheduler: any Scheduler { transport.scheduler }
  var state: ReadOnlyProperty<LinkState> { transport.state }
  var peers: ReadOnlyProperty<[String]> { transport.peers }
  func check(topic: String) throws(TransportError) { try transport.check(topic: topic) }
  func check(pattern: String) throws(TransportError) { try transport.check(pattern: pattern) }
  func connect() -> Disposable { transport.connect() }

  func subscribe(to patterns: [TransportPattern], _ receiver: TransportReceiver) -> Disposable {
    transport.subscribe(to: patterns, receiver)
  }

  func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) { transport.send(message, finished) }
}
