import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Observers and answers that change the links that call them.
@Suite struct LinkReentrancyTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let bus = EventBus(coder: .json)
  private let other = EventBus(coder: .json)

  init() {
    broker = TestBroker(on: scheduler)
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  private func joinBoth() throws -> (BusLink, BusLink) {
    let links = (
      try bus.join(broker.client("one"), exporting: ["#"], importing: ["#"]),
      try other.join(broker.client("two"), exporting: ["#"], importing: ["#"])
    )
    pause()
    return links
  }

  /// The link is disposed at each of its states.
  @Test(arguments: 1...5) func disposingInStateObserverIsFinal(_ call: Int) throws {
    let link = try bus.join(broker.client("one"), exporting: ["#"], importing: ["#"])
    try bus.publish(1, on: "a")
    var states: [LinkState] = []
    link.state.observeNext { state in
      states.append(state)
      if states.count == call { link.dispose() }
    }
    pause()
    broker.client("one").cut()
    broker.client("one").heal()
    pause()
    guard case .offline(_, .closed)? = states.last else {
      Issue.record("\(states)")
      return
    }
    #expect(states.count == call + 1 && broker.client("one").state.value != .online)
    try bus.publish(2, on: "a")
    pause()
    #expect(link.counts.waiting == 0 && scheduler.pending == 0)
  }

  @Test func disposingInMessageObserverStopsDelivery() throws {
    let (link, _) = try joinBoth()
    var seen: [Int] = []
    try bus.events(Int.self, on: "#").observe(next: { number in
      seen.append(number)
      if number == 2 { link.dispose() }
    })
    for number in 1...4 { try other.publish(number, on: "a") }
    pause()
    #expect(seen == [1, 2])
    // The observer of an own event runs before the event is sent.
    let second = try bus.join(broker.client("one"), exporting: ["#"])
    var arrived: [Int] = []
    try other.events(Int.self, on: "b").observe(next: { arrived.append($0) })
    try bus.events(Int.self, on: "b").observe(next: { if $0 == 6 { second.dispose() } })
    pause()
    for number in 5...7 { try bus.publish(number, on: "b") }
    pause()
    #expect(arrived == [5])
  }

  /// The observers of a lost connection publish, before all links of the transport know about it.
  @Test func publishingInStateObserverWaitsForConnection() throws {
    let (link, _) = try joinBoth()
    let second = try bus.join(
      broker.client("one"), prefix: "p", exporting: ["#"], importing: ["#"])
    var arrived: [Int] = []
    try other.events(Int.self, on: "a").observe(next: { arrived.append($0) })
    pause()
    var number = 0
    for link in [link, second] {
      link.state.observeNext { state in
        if case .offline = state {
          number += 1
          try? bus.publish(number, on: "a")
        }
      }
    }
    for _ in 0..<3 {
      broker.client("one").cut()
      broker.client("one").heal()
      pause()
    }
    #expect(arrived == arrived.sorted() && Set(arrived) == Set(1...6))
    #expect(link.counts.waiting == 0 && second.counts.waiting == 0)
  }

  /// An observer cuts the connection that brings the event, and its messages come again.
  @Test func cuttingInMessageObserverLosesNothing() throws {
    _ = try joinBoth()
    var seen: [Int] = []
    try bus.events(Int.self, on: "#").observe(next: { number in
      seen.append(number)
      broker.client("one").cut()
      broker.client("one").heal()
    })
    for number in 1...5 { try other.publish(number, on: "a") }
    pause()
    pause()
    #expect(seen == [1, 2, 3, 4, 5])
  }

  @Test func joiningInMessageObserverSkipsItsEvent() throws {
    try other.join(broker.client("two"), importing: ["#"])
    var arrived: [Int] = []
    try other.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    try bus.events(Int.self, on: "#").observe(next: { number in
      if number == 1 { _ = try? bus.join(broker.client("one"), exporting: ["#"]) }
    })
    pause()
    try bus.publish(1, on: "a")
    try bus.publish(2, on: "a")
    pause()
    #expect(arrived == [2])
  }

  @Test func endingLinksInRequestsEndsThem() throws {
    let client = try bus.join(broker.client("one"), exporting: [.requests("#")])
    let server = try other.join(broker.client("two"), importing: [.requests("#")])
    pause()
    var outcomes: [String] = []
    func ask() {
      bus.ask(Price(title: "Emma")).observe(
        succeeded: { outcomes.append("\($0)") },
        failed: { error in
          outcomes.append("failed")
          client.dispose()
        })
    }
    var calls = 0
    let answering = other.answer(Price.self) { _ in
      calls += 1
      if calls == 2 { server.dispose() }
      return calls
    }
    for _ in 0..<3 { ask() }
    pause()
    #expect(outcomes.first == "1" && outcomes.count == 3, "\(outcomes)")
    answering.dispose()
    client.dispose()
    #expect(broker.client("one").state.value != .online && scheduler.pending == 0)
  }

  /// The observers of an event run before the links send it.
  @Test func leavingInMessageObserverTakesNoEvent() throws {
    let (link, _) = try joinBoth()
    var arrived: [Int] = []
    try other.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    var left = 0
    try bus.events(Int.self, on: "#").observe(next: { number in
      guard number == 2 else { return }
      link.leave().observe(completed: {
        left += 1
        link.leave().observe(completed: { left += 1 })
        link.dispose()
      })
    })
    for number in 1...3 { try bus.publish(number, on: "a") }
    pause()
    #expect(arrived == [1] && left == 2)
  }
}
