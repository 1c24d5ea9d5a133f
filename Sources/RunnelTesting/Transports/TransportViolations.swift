import RunnelBus
import RunnelStreams

/// Returns the rules of `BusTransport`, and of its other protocols, that a transport breaks.
///
///     let fixture = TestBrokerFixture(TestBroker(on: scheduler), on: scheduler)
///     let violations = await transportViolations(fixture)
///     #expect(violations.isEmpty)
///
/// Each check makes new transports of the fixture: it connects them, subscribes, sends messages of
/// many kinds, breaks connections, pauses receivers, and compares what arrives. Checks of what must
/// not arrive send a later message, and wait for that one.
///
/// Topics of the battery begin with `battery` and a number, so the peer may have other users.
public func transportViolations<Fixture: TransportFixture>(
  _ fixture: Fixture, isolation: isolated (any Actor)? = #isolation
) async -> [String] {
  let battery = TransportBattery(fixture)
  await battery.run(isolation: isolation)
  return battery.violations
}

/// The checks of ``transportViolations(_:isolation:)``.
final class TransportBattery<Fixture: TransportFixture> {
  let fixture: Fixture
  var connections: [Disposable] = []
  private var checkCount = 0
  private var check = ""
  private(set) var violations: [String] = []
  private let runNumber = UInt64.random(in: .min ... .max)

  init(_ fixture: Fixture) {
    self.fixture = fixture
  }

  func run(isolation: isolated (any Actor)?) async {
    await perform("state", isolation, checkState)
    await perform("delivery", isolation, checkDelivery)
    await perform("patterns", isolation, checkPatterns)
    await perform("order", isolation, checkOrder)
    await perform("end of a subscription", isolation, checkUnsubscribing)
    await perform("reconnection", isolation, checkReconnection)
    await perform("pause", isolation, checkPause)
    let example = fixture.makeTransport()
    if example is any AcknowledgingTransport {
      await perform("acknowledged", isolation, checkAcknowledged)
    }
    if example is any RetainingTransport { await perform("retained", isolation, checkRetained) }
    if example is any AskingTransport { await perform("requests", isolation, checkRequests) }
    if example is any PresenceTransport { await perform("presence", isolation, checkPresence) }
  }

  func perform(
    _ name: String, _ isolation: isolated (any Actor)?,
    _ body: (isolated (any Actor)?) async -> Void
  ) async {
    check = name
    checkCount += 1
    await body(isolation)
    for connection in connections.reversed() { connection.dispose() }
    connections = []
  }

  func report(_ message: String) { violations.append("\(check): \(message)") }

  func expect(
    _ message: String, _ isolation: isolated (any Actor)?, _ condition: () -> Bool
  ) async {
    if await !fixture.wait(until: condition, isolation: isolation) { report(message) }
  }

  // MARK: - Peers

  /// A transport, and the messages that it has received.
  final class Peer {
    let transport: Fixture.Transport
    var received: [TransportMessage] = []
    var confirmations = 0
    var receiver: TransportReceiver?
    var results: [Result<Void, TransportError>] = []

    init(_ transport: Fixture.Transport) {
      self.transport = transport
    }

    var payloads: [String] { received.map { String(decoding: $0.payload, as: UTF8.self) } }
    var isOnline: Bool { transport.state.value == .online }
  }

  func makePeer() -> Peer {
    let peer = Peer(fixture.makeTransport())
    connections.append(peer.transport.connect())
    return peer
  }

  @discardableResult
  func subscribe(_ peer: Peer, to patterns: String...) -> Disposable {
    let receiver = TransportReceiver(
      confirmed: { peer.confirmations += 1 },
      failed: { error in self.report("the subscription failed: \(error)") },
      message: { peer.received.append($0) })
    peer.receiver = receiver
    let isAcknowledged = peer.transport is any AcknowledgingTransport
    let subscription = peer.transport.subscribe(
      to: patterns.map { TransportPattern(topic($0), isAcknowledged: isAcknowledged) }, receiver)
    connections.append(subscription)
    return subscription
  }

  func topic(_ name: String) -> String { "battery.\(runNumber).\(checkCount).\(name)" }

  func send(
    _ payload: String, on name: String, by peer: Peer, kind: MessageKind = .event,
    isAcknowledged: Bool = false, stamp: EventStamp? = nil
  ) {
    peer.transport.send(
      TransportMessage(
        topic: topic(name), kind: kind, payload: Array(payload.utf8), stamp: stamp,
        isAcknowledged: isAcknowledged)
    ) { peer.results.append($0) }
  }

  /// Sends messages, of which at most 64 are unfinished at a time, as a link does.
  func sendAll(
    _ payloads: [String], on name: String, by peer: Peer, _ isolation: isolated (any Actor)?
  ) async {
    var sentCount = 0
    for payload in payloads {
      if sentCount - peer.results.count >= 64 {
        await expect("sent messages were not finished", isolation) {
          sentCount - peer.results.count < 64
        }
      }
      send(payload, on: name, by: peer)
      sentCount += 1
    }
  }

  /// Waits until peers are online and the given ones subscribed.
  func begin(
    _ peers: [Peer], subscribed: [Peer], _ isolation: isolated (any Actor)?
  ) async {
    await expect("a transport did not come online, or did not confirm a subscription", isolation) {
      peers.allSatisfy(\.isOnline) && subscribed.allSatisfy { $0.confirmations > 0 }
    }
  }
}
