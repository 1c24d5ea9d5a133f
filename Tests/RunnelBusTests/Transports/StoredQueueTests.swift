import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Messages that an earlier run has left in a store.
@Suite struct StoredQueueTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let memory = MemoryStore()

  init() {
    broker = TestBroker(on: scheduler)
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  /// Publishes on a bus that never comes online, and ends it.
  private func run(_ publish: (EventBus) throws -> Void) throws {
    let bus = EventBus(coder: .json)
    broker.client("first").cut()
    try bus.join(
      broker.client("first"), exporting: ["#"], importing: ["#"], queue: LinkQueue(store: memory))
    try publish(bus)
  }

  /// The next run uses a transport without capabilities, which traps for other messages.
  @Test func storedMessagesFitOtherTransport() throws {
    try run { bus in
      try bus.publish(1, on: "a", sticky: true)
      bus.removeSticky(on: "b")
      try bus.publish(2, on: "c")
    }
    #expect(memory.messages.count == 3)
    let store = EventBus(coder: .json)
    var arrived: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    let link = try EventBus(coder: .json).joinAndKeep(
      broker.plainClient("second"), LinkQueue(store: memory))
    pause()
    #expect(arrived == [1, 2] && link.link.counts.refused == 1 && memory.messages.isEmpty)
  }

  /// The topic of a stored message must be one of the present transport.
  @Test func unmappableStoredTopicIsRefused() throws {
    memory.messages = [
      (7, TransportMessage(topic: "a/b", payload: [])),
      (8, TransportMessage(topic: "a", payload: [])),
    ]
    let kept = try EventBus(coder: .json).joinAndKeep(
      broker.client("bus"), LinkQueue(store: memory))
    pause()
    #expect(kept.link.counts.refused == 1 && kept.link.counts.sent == 1)
    #expect(memory.messages.isEmpty)
  }

  /// The observers of the earlier run have handled the events. State is not an event.
  @Test func nextRunDoesNotHandleOwnEventsAgain() throws {
    try run { bus in
      try bus.publish(1, on: "orders")
      try bus.publish(2, on: "mode", sticky: true)
    }
    let (bus, other) = (EventBus(coder: .json), EventBus(coder: .json))
    var (seen, others) = ([Int](), [Int]())
    try bus.events(Int.self, on: "#").observe(next: { seen.append($0) })
    try other.events(Int.self, on: "#").observe(next: { others.append($0) })
    try other.join(broker.client("other"), importing: ["#"])
    // The subscription exists before the stored events are sent.
    try bus.join(broker.client("second"), importing: ["#"])
    pause()
    try bus.join(broker.client("second"), exporting: ["#"], queue: LinkQueue(store: memory))
    pause()
    #expect(seen == [2] && others == [1, 2])
  }

  @Test func secondLinkOfStoreIsRefused() throws {
    let bus = EventBus(coder: .json)
    let queue = LinkQueue(store: memory)
    let link = try bus.join(broker.client("one"), exporting: ["#"], queue: queue)
    #expect(throws: JoinError.store(reason: "\(MessageStoreInUse())")) {
      try bus.join(broker.client("two"), exporting: ["#"], queue: queue)
    }
    link.dispose()
    try bus.join(broker.client("two"), exporting: ["#"], queue: queue)
  }

  /// More messages than the limit were stored. A new event drops one of them at most.
  @Test func storedMessagesMayExceedLimits() throws {
    try run { bus in for number in 0..<100 { try bus.publish(number, on: "a") } }
    broker.client("second").cut()
    let kept = try EventBus(coder: .json).joinAndKeep(
      broker.client("second"), LinkQueue(count: 10, store: memory))
    for number in 100..<105 { try kept.bus.publish(number, on: "a") }
    #expect(kept.link.counts.dropped == 5 && kept.link.counts.waiting == 100)
    broker.client("second").heal()
    pause()
    broker.client("second").cut()
    for number in 0..<30 { try kept.bus.publish(number, on: "a") }
    #expect(kept.link.counts.waiting == 10, "the limit holds again")
  }
}

extension EventBus {
  /// Joins the bus, and returns both.
  fileprivate func joinAndKeep<Transport: BusTransport>(
    _ transport: Transport, _ queue: LinkQueue
  ) throws -> (bus: EventBus, link: BusLink) {
    (self, try join(transport, exporting: ["#"], queue: queue))
  }
}
