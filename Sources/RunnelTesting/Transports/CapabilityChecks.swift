import RunnelBus
import RunnelStreams

/// The checks of what only some transports can do.
extension TransportBattery {
  func checkAcknowledged(_ isolation: isolated (any Actor)?) async {
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

  func checkRetained(_ isolation: isolated (any Actor)?) async {
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
    if live.received.contains(where: \.isStored) || !retained.allSatisfy(\.isStored) {
      report("stored messages are marked as stored, and no others are")
    }
    send("", on: "a", by: sender, kind: .cleared)
    send("", on: "c", by: sender, kind: .cleared)
    await expect("removals were lost", isolation) {
      later.received.suffix(2).allSatisfy { $0.kind == .cleared }
    }
    let last = makePeer()
    subscribe(last, to: "*")
    await begin([last], subscribed: [last], isolation)
    send("end", on: "end", by: sender)
    await expect("a message was lost", isolation) { last.payloads.contains("end") }
    if last.received.count > 1 { report("a removed message came to a later subscriber") }
  }

  func checkRequests(_ isolation: isolated (any Actor)?) async {
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
    var finishLate: ((Result<[UInt8], AskFailure>) -> Void)?
    let answer = answering.answer(on: topic("a")) { payload in
      switch String(decoding: payload, as: UTF8.self) {
      case "fail": .failed(.failed(RemoteFailure("no")))
      case "wait":
        Single { _ in
          waitCount += 1
          isDisposed = false
          return Disposable { isDisposed = true }
        }
      case "late":
        Single { finish in
          finishLate = finish
          return .none
        }
      default: .just(payload + [0x21])
      }
    }
    connections.append(answer)
    // The transport may tell the peer about the answer later.
    for attempt in 0..<1_000 where outcomes.last != "ready!" {
      _ = ask("ready", on: "a")
      await expect("a request did not end", isolation) { outcomes.count == attempt + 2 }
      if outcomes.count != attempt + 2 { return }
    }
    await expectOutcome("ready!", isolation)
    _ = ask("fail", on: "a")
    await expectOutcome("failed: no", isolation)
    let waiting = ask("wait", on: "a")
    waiting.dispose()
    _ = ask("2", on: "a")
    await expectOutcome("2!", isolation)
    let count = outcomes.count
    _ = ask("late", on: "a")
    await expect("a request did not arrive", isolation) { finishLate != nil }
    fixture.interrupt(server.transport)
    await expect("it did not go offline", isolation) { !server.isOnline }
    finishLate?(.success([]))
    fixture.repair(server.transport)
    await expect("it did not come back online", isolation) { server.isOnline }
    // With the answer, or with a failure.
    await expect("a request was lost with the connection of its answerer", isolation) {
      outcomes.count == count + 1
    }
    let before = outcomes.count
    for attempt in 0..<1_000 where outcomes.last != "again!" {
      _ = ask("again", on: "a")
      await expect("a request did not end", isolation) { outcomes.count == before + attempt + 1 }
      if outcomes.count != before + attempt + 1 { return }
    }
    await expectOutcome("again!", isolation)
    let earlier = waitCount
    let open = ask("wait", on: "a")
    await expect("a request did not arrive", isolation) { waitCount > earlier }
    answer.dispose()
    await expect("the end of an answer did not dispose its work", isolation) { isDisposed }
    await expectOutcome("nobody", isolation)
    open.dispose()
    fixture.interrupt(client.transport)
    await expect("it did not go offline", isolation) { !client.isOnline }
    _ = ask("3", on: "a")
    await expectOutcome("transport", isolation)
    fixture.repair(client.transport)
  }

  func checkPresence(_ isolation: isolated (any Actor)?) async {
    let first = makePeer()
    guard let present = first.transport as? any PresenceTransport else { return }
    await begin([first], subscribed: [], isolation)
    // The programs of the other checks may not have left yet.
    _ = await fixture.wait(until: { present.peers.value.isEmpty }, isolation: isolation)
    // Others may come and go. The name of the second program is one that was not there before.
    let before = Set(present.peers.value)
    let second = makePeer()
    var appeared: Set<String> = []
    await expect("another program did not appear", isolation) {
      appeared = Set(present.peers.value).subtracting(before)
      return !appeared.isEmpty
    }
    fixture.interrupt(second.transport)
    var left: Set<String> = []
    await expect("another program did not disappear", isolation) {
      left = appeared.subtracting(present.peers.value)
      return !left.isEmpty
    }
    fixture.repair(second.transport)
    await expect("another program did not appear again", isolation) {
      !left.isDisjoint(with: present.peers.value)
    }
    if present.peers.value != present.peers.value.sorted() { report("the names are not sorted") }
    fixture.interrupt(first.transport)
    await expect("it has peers while it is offline", isolation) { present.peers.value.isEmpty }
    fixture.repair(first.transport)
  }
}
