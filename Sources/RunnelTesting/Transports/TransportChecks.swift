import RunnelBus
import RunnelStreams

/// The checks of all transports.
extension TransportBattery {
  func checkState(_ isolation: isolated (any Actor)?) async {
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

  func checkDelivery(_ isolation: isolated (any Actor)?) async {
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

  func checkPatterns(_ isolation: isolated (any Actor)?) async {
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

  func checkOrder(_ isolation: isolated (any Actor)?) async {
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

  func checkUnsubscribing(_ isolation: isolated (any Actor)?) async {
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
    let confirmed = receiver.confirmations
    let short = subscribe(receiver, to: "c")
    await expect("the third subscription was not confirmed", isolation) {
      receiver.confirmations > confirmed
    }
    send("4", on: "c", by: sender)
    short.dispose()
    let received = receiver.payloads
    send("5", on: "b", by: sender)
    await expect("a message was lost", isolation) { receiver.payloads.contains("5") }
    if receiver.payloads != received + ["5"] {
      report("a message on the way arrived after the end of its subscription")
    }
  }

  func checkReconnection(_ isolation: isolated (any Actor)?) async {
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

  func checkPause(_ isolation: isolated (any Actor)?) async {
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
