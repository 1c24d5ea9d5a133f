import RunnelBus
import RunnelStreams
import RunnelTesting

/// A transport with a fault.
final class FaultyTransport: RetainingTransport, AcknowledgingTransport {
  enum Fault {
    case neverOnline, loses, repeats, changesPayload, dropsStamp, swaps, finishesTwice, ignoresEnd
    case confirmsOnce, ignoresWildcard, ignoresPause, finishesEarly, forgetsSubscriber
    case retainsFirst, ignoresRemoval, hidesStored, answersForEver, losesRequests
    case listsItself, listsNobody, none
  }

  /// The first sticky messages that were sent on topics.
  final class Firsts {
    var payloads: [String: [UInt8]] = [:]
  }

  let client: TestBrokerClient
  fileprivate let fault: Fault
  private var held: TransportMessage?
  private var sentCount = 0
  private let firsts: Firsts

  init(_ client: TestBrokerClient, _ fault: Fault, _ firsts: Firsts) {
    self.client = client
    self.fault = fault
    self.firsts = firsts
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
        case .hidesStored: message.isStored = false
        case .retainsFirst:
          if message.isStored { message.payload = firsts.payloads[message.topic] ?? [] }
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
    if fault == .forgetsSubscriber {
      for index in patterns.indices { patterns[index].isAcknowledged = false }
    }
    let subscription = client.subscribe(to: patterns, own)
    if fault == .ignoresEnd { return .none }
    var isPaused = false
    let pausing = receiver.isPaused.observeNext { [fault] pauses in
      if fault == .ignoresPause || pauses == isPaused { return }
      isPaused = pauses
      if pauses { own.pause() } else { own.resume() }
    }
    return Disposable {
      pausing.dispose()
      subscription.dispose()
    }
  }

  func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    sentCount += 1
    if fault == .loses && sentCount.isMultiple(of: 3) { return finished(.success(())) }
    if fault == .ignoresRemoval && message.kind == .cleared { return finished(.success(())) }
    if message.kind == .sticky && firsts.payloads[message.topic] == nil {
      firsts.payloads[message.topic] = message.payload
    }
    if fault == .finishesEarly && message.isAcknowledged {
      finished(client.state.value == .online ? .success(()) : .failure(.unreachable(reason: "")))
      return client.send(message) { _ in }
    }
    client.send(message) { [fault] result in
      finished(result)
      if fault == .finishesTwice { finished(result) }
    }
  }
}

extension FaultyTransport: AskingTransport, PresenceTransport {
  func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    fault == .losesRequests ? Single { _ in .none } : client.ask(payload, on: topic)
  }

  func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    let answer = client.answer(on: topic, with: body)
    return fault == .answersForEver ? .none : answer
  }

  var peers: ReadOnlyProperty<[String]> {
    switch fault {
    case .listsNobody: ReadOnlyProperty(constant: [])
    case .listsItself: client.peers.map { ($0 + [self.client.clientName]).sorted() }
    default: client.peers
    }
  }
}

final class FaultyFixture: TransportFixture {
  private let base: TestBrokerFixture
  private let fault: FaultyTransport.Fault
  private let firsts = FaultyTransport.Firsts()

  init(_ broker: TestBroker, _ scheduler: TestScheduler, _ fault: FaultyTransport.Fault) {
    base = TestBrokerFixture(broker, on: scheduler)
    self.fault = fault
  }

  func makeTransport() -> FaultyTransport { FaultyTransport(base.makeTransport(), fault, firsts) }
  func interrupt(_ transport: FaultyTransport) { transport.client.cut() }
  func repair(_ transport: FaultyTransport) { transport.client.heal() }
  func wait(until condition: () -> Bool, isolation: isolated (any Actor)?) async -> Bool {
    await base.wait(until: condition, isolation: isolation)
  }
}
