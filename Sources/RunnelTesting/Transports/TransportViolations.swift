import RunnelBus
import RunnelStreams

/// Returns the rules of ``BusTransport``, and of its other protocols, that a transport breaks.
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
  private let fixture: Fixture
  private var connections: [Disposable] = []
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

  private func perform(
    _ name: String, _ isolation: isolated (any Actor)?,
    _ body: (isolated (any Actor)?) async -> Void
  ) async {
    check = name
    checkCount += 1
    await body(isolation)
    for connection in connections.reversed() { connection.dispose() }
    connections = []
  }

  private func report(_ message: String) { violations.append("\(check): \(message)") }

  private func expect(
    _ message: String, _ isolation: isolated (any Actor)?, _ condition: () -> Bool
  ) async {
    if await !fixture.wait(until: condition, isolation: isolation) { report(message) }
  }

  // MARK: - Peers

  /// A transport, and the messages that it has received.
  private final class Peer {
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

  private func makePeer() -> Peer {
    let peer = Peer(fixture.makeTransport())
    connections.append(peer.transport.connect())
    return peer
  }

  @discardableResult
  private func subscribe(_ peer: Peer, to patterns: String...) -> Disposable {
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

  private func topic(_ name: String) -> String { "battery.\(runNumber).\(checkCount).\(name)" }

  private func send(
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
  private func sendAll(
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
  private func begin(
    _ peers: [Peer], subscribed: [Peer], _ isolation: isolated (any Actor)?
  ) async {
    await expect("a transport did not come online, or did not confirm a subscription", isolation) {
      peers.allSatisfy(\.isOnline) && subscribed.allSatisfy { $0.confirmations > 0 }
    }
  }

  // MARK: - Checks of all transports

  private func checkState(_ isolation: isolated (any Actor)?) async {
    let transport = fixture.makeTransport()
    if transport.state.value == .online { report("it was online before connect()") }
    let first = transport.connect()
    let second = transport.connect()
    await expect("it did not come online", isolation) { transport.state.value == .online }
    first.dispose()
    if transport.state.value != .online { report("it went offline while it had a user") }
    second.dispose()
    await expect("it stayed online without users", isolation) {
      if case .offline = transport.state.value { true } else { false }
    }
    connections.append(transport.connect())
    await expect("it did not connect a second time", isolation) {
      transport.state.value == .online
    }
    do throws(TransportError) {
      try transport.check(topic: topic("a"))
      try transport.check(pattern: topic("*.a.#"))
    } catch {
      report("it refused an ordinary name: \(error)")
    }
  }

  private func checkDelivery(_ isolation: isolated (any Actor)?) async {
    let (sender, receiver) = (makePeer(), makePeer())
    subscribe(receiver, to: "#", "a.*", "a.b")
    await begin([sender, receiver], subscribed: [receiver], isolation)
    let stamp = EventStamp(origin: .max, number: 1 << 61, previous: 7, hops: 3)
    let payloads: [[UInt8]] = [
      [], Array(0...255), [UInt8](repeating: 0xFF, count: 65_536), Array("äöü".utf8),
    ]
    let topics = ["a.b", "größe.x-y_z", "a.b.c.d.e.f.g.h", "日本.語"].map(topic)
    var sent: [TransportMessage] = []
    for topic in topics {
      if (try? sender.transport.check(topic: topic)) == nil { continue }
      for (index, payload) in payloads.enumerated() {
        sent.append(
          TransportMessage(topic: topic, payload: payload, stamp: index == 0 ? nil : stamp))
      }
    }
    for message in sent { sender.transport.send(message) { sender.results.append($0) } }
    await expect("messages were lost", isolation) { receiver.received.count >= sent.count }
    await expect("sent messages were not finished", isolation) {
      sender.results.count >= sent.count
    }
    if receiver.received.count > sent.count {
      report("a message that matches several patterns arrived more than once")
    } else if receiver.received.contentByTopic != sent.contentByTopic {
      report("messages arrived changed or in another order")
    }
    if receiver.received.contains(where: \.isRepeated) {
      report("a message was marked as repeated without reason")
    }
    if sender.results.contains(where: { (try? $0.get()) == nil }) {
      report("messages were refused: \(sender.results)")
    }
  }

  private func checkPatterns(_ isolation: isolated (any Actor)?) async {
    let cases: [(pattern: String, matching: Set<String>)] = [
      ("a", ["a"]), ("a.b", ["a.b"]), ("a.*", ["a.b", "a.c"]), ("*.b", ["a.b"]),
      ("a.#", ["a", "a.b", "a.c", "a.b.c"]), ("#", ["a", "a.b", "a.c", "a.b.c", "ab"]),
      ("*", ["a", "ab"]), ("*.*.#", ["a.b", "a.c", "a.b.c"]), ("a.*.c", ["a.b.c"]),
    ]
    let sender = makePeer()
    let receivers = cases.map { _ in makePeer() }
    for (receiver, (pattern, _)) in zip(receivers, cases) {
      subscribe(receiver, to: pattern, "end")
    }
    await begin([sender] + receivers, subscribed: receivers, isolation)
    for name in ["a", "ab", "a.b", "a.c", "a.b.c", "end"] { send(name, on: name, by: sender) }
    for (receiver, (pattern, matching)) in zip(receivers, cases) {
      await expect("\(pattern) did not match all of \(matching.sorted())", isolation) {
        matching.union(["end"]).isSubset(of: receiver.payloads)
      }
      let names = Set(receiver.payloads).subtracting(["end"])
      if names != matching { report("\(pattern) matched \(names.sorted())") }
    }
  }

  private func checkOrder(_ isolation: isolated (any Actor)?) async {
    let (sender, receiver) = (makePeer(), makePeer())
    subscribe(receiver, to: "#")
    subscribe(sender, to: "echo")
    await begin([sender, receiver], subscribed: [sender, receiver], isolation)
    let numbers = (0..<500).map { "\($0)" }
    await sendAll(numbers, on: "a", by: sender, isolation)
    await expect("messages were lost", isolation) { receiver.received.count >= numbers.count }
    if receiver.payloads != numbers { report("messages of one sender on one topic changed places") }
    await expect("sent messages were not finished", isolation) {
      sender.results.count >= numbers.count
    }
    if sender.results.count != numbers.count { report("a message was finished more than once") }
  }

  private func checkUnsubscribing(_ isolation: isolated (any Actor)?) async {
    let (sender, receiver) = (makePeer(), makePeer())
    let subscription = subscribe(receiver, to: "a")
    await begin([sender, receiver], subscribed: [receiver], isolation)
    send("1", on: "a", by: sender)
    await expect("a message was lost", isolation) { receiver.received.count == 1 }
    subscription.dispose()
    let other = receiver.confirmations
    subscribe(receiver, to: "b")
    await expect("the second subscription was not confirmed", isolation) {
      receiver.confirmations > other
    }
    send("2", on: "a", by: sender)
    send("3", on: "b", by: sender)
    await expect("a message was lost", isolation) { receiver.payloads.contains("3") }
    if receiver.payloads != ["1", "3"] {
      report("a message arrived after the end of its subscription")
    }
  }

  private func checkReconnection(_ isolation: isolated (any Actor)?) async {
    let (sender, receiver) = (makePeer(), makePeer())
    subscribe(receiver, to: "#")
    await begin([sender, receiver], subscribed: [receiver], isolation)
    for round in 1...3 {
      let confirmations = receiver.confirmations
      fixture.interrupt(receiver.transport)
      await expect("it did not go offline when the connection was lost", isolation) {
        if case .offline = receiver.transport.state.value { true } else { false }
      }
      fixture.repair(receiver.transport)
      await expect("it did not confirm the subscription after a new connection", isolation) {
        receiver.isOnline && receiver.confirmations > confirmations
      }
      send("\(round)", on: "a", by: sender)
      await expect("it lost a message after a new connection", isolation) {
        receiver.payloads.last == "\(round)"
      }
    }
    if receiver.payloads != ["1", "2", "3"] {
      report("messages arrived twice or in another order")
    }
    fixture.interrupt(sender.transport)
    await expect("it did not go offline when the connection was lost", isolation) {
      !sender.isOnline
    }
    sender.results = []
    send("4", on: "a", by: sender)
    await expect("a message to a lost connection was not finished", isolation) {
      sender.results.count == 1
    }
    if case .failure(.unreachable)? = sender.results.first {
    } else {
      report("a message to a lost connection ended with \(sender.results)")
    }
    fixture.repair(sender.transport)
  }

  private func checkPause(_ isolation: isolated (any Actor)?) async {
    let (sender, slow, quick) = (makePeer(), makePeer(), makePeer())
    subscribe(slow, to: "a")
    subscribe(quick, to: "#")
    await begin([sender, slow, quick], subscribed: [slow, quick], isolation)
    guard let receiver = slow.receiver else { return }
    receiver.pause()
    let numbers = (0..<300).map { "\($0)" }
    await sendAll(numbers, on: "a", by: sender, isolation)
    await expect("a paused receiver stopped another one", isolation) {
      quick.received.count >= numbers.count
    }
    send("from slow", on: "b", by: slow)
    await expect("a paused receiver stopped the sending of its transport", isolation) {
      quick.payloads.contains("from slow") && slow.results.count == 1
    }
    if slow.received.count == numbers.count { report("all messages came to a paused receiver") }
    receiver.resume()
    await expect("messages were lost in a pause", isolation) {
      slow.received.count >= numbers.count
    }
    if slow.payloads != numbers { report("a pause changed the order") }
  }

  // MARK: - Checks of capabilities

  private func checkAcknowledged(_ isolation: isolated (any Actor)?) async {
    let (sender, receiver) = (makePeer(), makePeer())
    subscribe(receiver, to: "#")
    await begin([sender, receiver], subscribed: [receiver], isolation)
    var next = 0
    for round in 0..<6 {
      let end = next + 50
      var waiting = Array(next..<end)
      let broken = round.isMultiple(of: 2) ? sender : receiver
      var isBroken = false
      while !waiting.isEmpty {
        await expect("it did not come back online", isolation) { sender.isOnline }
        guard sender.isOnline else { return }
        sender.results = []
        let sent = waiting
        for number in sent { send("\(number)", on: "a", by: sender, isAcknowledged: true) }
        if !isBroken { fixture.interrupt(broken.transport) }
        isBroken = true
        await expect("acknowledged messages were not finished", isolation) {
          sender.results.count >= sent.count || broken === receiver
        }
        fixture.repair(broken.transport)
        await expect("acknowledged messages were not finished", isolation) {
          sender.results.count >= sent.count
        }
        guard sender.results.count == sent.count else { return }
        waiting = zip(sent, sender.results).filter { (try? $1.get()) == nil }.map(\.0)
      }
      next = end
    }
    await expect("confirmed messages were lost", isolation) {
      Set(receiver.payloads).count == next
    }
    var seen: Set<String> = []
    var firsts: [String] = []
    for payload in receiver.payloads where seen.insert(payload).inserted {
      firsts.append(payload)
    }
    if firsts != (0..<next).map({ "\($0)" }) { report("confirmed messages changed places") }
  }

  private func checkRetained(_ isolation: isolated (any Actor)?) async {
    let (sender, live) = (makePeer(), makePeer())
    subscribe(live, to: "#")
    await begin([sender, live], subscribed: [live], isolation)
    let stamp = EventStamp(origin: 5, number: 9, previous: 0)
    send("1", on: "a", by: sender, kind: .sticky, stamp: stamp)
    send("2", on: "b", by: sender, kind: .sticky)
    send("3", on: "a", by: sender, kind: .sticky, stamp: stamp)
    send("4", on: "a", by: sender)
    send("5", on: "c", by: sender, kind: .sticky)
    send("", on: "b", by: sender, kind: .cleared)
    await expect("sticky messages were lost", isolation) { live.received.count >= 6 }
    let kinds: [String: [MessageKind]] = [
      "a": [.sticky, .sticky, .event], "b": [.sticky, .cleared], "c": [.sticky],
    ]
    for (name, kinds) in kinds {
      let received = live.received.filter { $0.topic == topic(name) }.map(\.kind)
      if received != kinds { report("the kinds on one topic changed: \(received)") }
    }
    let later = makePeer()
    subscribe(later, to: "*")
    await begin([later], subscribed: [later], isolation)
    await expect("retained messages were lost", isolation) { later.received.count >= 2 }
    send("end", on: "end", by: sender)
    await expect("a message was lost", isolation) { later.payloads.contains("end") }
    let retained = later.received.filter { $0.topic != topic("end") }
      .sorted { $0.topic < $1.topic }
    if retained.map({ String(decoding: $0.payload, as: UTF8.self) }) != ["3", "5"]
      || !retained.allSatisfy({ $0.kind == .sticky }) || retained.first?.stamp != stamp
    {
      report("a later subscriber received \(later.received)")
    }
    send("", on: "a", by: sender, kind: .cleared)
    send("", on: "c", by: sender, kind: .cleared)
    await expect("removals were lost", isolation) {
      later.received.suffix(2).allSatisfy { $0.kind == .cleared }
    }
  }

  private func checkRequests(_ isolation: isolated (any Actor)?) async {
    let (client, server) = (makePeer(), makePeer())
    guard let asking = client.transport as? any AskingTransport,
      let answering = server.transport as? any AskingTransport
    else { return }
    await begin([client, server], subscribed: [], isolation)
    var outcomes: [String] = []
    func ask(_ payload: String, on name: String) -> Disposable {
      asking.ask(Array(payload.utf8), on: topic(name)).observe(
        succeeded: { outcomes.append(String(decoding: $0, as: UTF8.self)) },
        failed: { error in
          switch error {
          case .nobodyAnswers: outcomes.append("nobody")
          case .timedOut: outcomes.append("timed out")
          case .failed(let error as RemoteFailure): outcomes.append("failed: \(error)")
          case .failed(is TransportError): outcomes.append("transport")
          case .failed(let error): outcomes.append("unexpected: \(error)")
          }
        })
    }
    func expectOutcome(_ outcome: String, _ isolation: isolated (any Actor)?) async {
      await expect("a request did not end with \(outcome)", isolation) {
        outcomes.last == outcome
      }
    }
    _ = ask("1", on: "a")
    await expectOutcome("nobody", isolation)
    var waitCount = 0
    var isDisposed = false
    let answer = answering.answer(on: topic("a")) { payload in
      switch String(decoding: payload, as: UTF8.self) {
      case "fail": .failed(.failed(RemoteFailure("no")))
      case "wait":
        Single { _ in
          waitCount += 1
          isDisposed = false
          return Disposable { isDisposed = true }
        }
      default: .just(payload + [0x21])
      }
    }
    connections.append(answer)
    // The transport may tell the peer about the answer later.
    for attempt in 0..<1_000 where outcomes.last != "ready!" {
      _ = ask("ready", on: "a")
      await expect("a request did not end", isolation) { outcomes.count == attempt + 2 }
    }
    await expectOutcome("ready!", isolation)
    _ = ask("fail", on: "a")
    await expectOutcome("failed: no", isolation)
    let waiting = ask("wait", on: "a")
    waiting.dispose()
    _ = ask("2", on: "a")
    await expectOutcome("2!", isolation)
    fixture.interrupt(server.transport)
    await expect("it did not go offline", isolation) { !server.isOnline }
    fixture.repair(server.transport)
    await expect("it did not come back online", isolation) { server.isOnline }
    let before = outcomes.count
    for attempt in 0..<1_000 where outcomes.last != "again!" {
      _ = ask("again", on: "a")
      await expect("a request did not end", isolation) { outcomes.count == before + attempt + 1 }
    }
    await expectOutcome("again!", isolation)
    let earlier = waitCount
    let open = ask("wait", on: "a")
    await expect("a request did not arrive", isolation) { waitCount > earlier }
    answer.dispose()
    await expect("the end of an answer did not dispose its work", isolation) { isDisposed }
    open.dispose()
    fixture.interrupt(client.transport)
    await expect("it did not go offline", isolation) { !client.isOnline }
    _ = ask("3", on: "a")
    await expectOutcome("transport", isolation)
    fixture.repair(client.transport)
  }

  private func checkPresence(_ isolation: isolated (any Actor)?) async {
    let first = makePeer()
    guard let present = first.transport as? any PresenceTransport else { return }
    await begin([first], subscribed: [], isolation)
    // Those of the other checks may not have left yet.
    _ = await fixture.wait(until: { present.peers.value.isEmpty }, isolation: isolation)
    let before = present.peers.value.count
    let second = makePeer()
    await expect("another program did not appear", isolation) {
      present.peers.value.count == before + 1
    }
    fixture.interrupt(second.transport)
    await expect("another program did not disappear", isolation) {
      present.peers.value.count == before
    }
    fixture.repair(second.transport)
    await expect("another program did not appear again", isolation) {
      present.peers.value.count == before + 1
    }
    fixture.interrupt(first.transport)
    await expect("it has peers while it is offline", isolation) { present.peers.value.isEmpty }
    fixture.repair(first.transport)
  }
}

extension TransportMessage {
  /// The parts of a message that a transport must not change.
  fileprivate var content: TransportMessage {
    TransportMessage(topic: topic, kind: kind, payload: payload, stamp: stamp)
  }
}

extension [TransportMessage] {
  /// The contents of the messages on each topic, in their order. Messages on different topics may
  /// overtake each other.
  fileprivate var contentByTopic: [String: [TransportMessage]] {
    Dictionary(grouping: map(\.content), by: \.topic)
  }
}
