import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Retained sticky events and removals in the queue of a link.
@Suite struct StickyQueueTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let bus = EventBus(coder: .json)

  init() {
    broker = TestBroker(on: scheduler)
  }

  private func pause() { scheduler.advance(by: .seconds(100)) }

  private var retained: [String: String] {
    broker.retainedMessages.mapValues { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test(arguments: [LinkQueue.Rule.dropOldest, .dropNewest, .refuse])
  func joiningSendsAllStickyEvents(_ rule: LinkQueue.Rule) throws {
    for number in 0..<200 { try bus.publish(number, on: "p.\(number)", sticky: true) }
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"], queue: LinkQueue(count: 10, rule: rule))
    pause()
    #expect(retained.count == 200 && link.counts.dropped == 0 && link.counts.sent == 200)
  }

  /// Events fill the queue while the link is offline, and drop no state.
  @Test(arguments: [LinkQueue.Rule.dropOldest, .dropNewest, .refuse])
  func fullQueueKeepsLatestStickyEvents(_ rule: LinkQueue.Rule) throws {
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"], queue: LinkQueue(count: 10, rule: rule))
    for topic in ["kept", "removed"] { try bus.publish(1, on: topic, sticky: true) }
    pause()
    broker.client("bus").cut()
    pause()
    for number in 0..<100 { try? bus.publish(number, on: "b") }
    for number in 2..<300 { try bus.publish(number, on: "kept", sticky: true) }
    bus.removeSticky(on: "removed")
    for number in 0..<100 { try? bus.publish(number, on: "b") }
    #expect(link.counts.waiting == 12, "of each topic the latest one waits")
    broker.client("bus").heal()
    pause()
    #expect(retained == ["kept": "299"] && link.counts.waiting == 0)
  }

  /// Random states and outages, compared with the last value of each topic.
  @Test(arguments: seeds(20)) func randomStatesMatchModel(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let broker = TestBroker(on: scheduler, seed: UInt64(seed))
    broker.delay = .milliseconds(1) ... .milliseconds(50)
    let memory = MemoryStore()
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"],
      queue: LinkQueue(
        count: 5, rule: [.dropOldest, .dropNewest][seed % 2], store: memory))
    var model: [String: String] = [:]
    for number in 0..<400 {
      let topic = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: broker.client("bus").cut()
      case 1: broker.client("bus").heal()
      case 2: scheduler.advance(by: .milliseconds(Int.random(in: 0...2_000, using: &random)))
      case 3: broker.overloads = Int.random(in: 0...2, using: &random)
      case 4:
        bus.removeSticky(on: topic)
        model[topic] = nil
      case 5, 6: try bus.publish(number, on: topic)
      default:
        try bus.publish(number, on: topic, sticky: true)
        model[topic] = "\(number)"
      }
      #expect(Set(memory.messages.map(\.number)).count == link.counts.waiting, "seed \(seed)")
      #expect(link.counts.waiting <= 5 + 64 + 6, "seed \(seed)")
    }
    broker.client("bus").heal()
    scheduler.advance(by: .seconds(600))
    #expect(
      broker.retainedMessages.mapValues { String(decoding: $0.payload, as: UTF8.self) } == model,
      "seed \(seed)")
    #expect(link.counts.waiting == 0 && memory.messages.isEmpty, "seed \(seed)")
  }

  /// The peer has no room for a while. Everything is sent later.
  @Test func overloadedPeerGetsMessagesLater() throws {
    let store = EventBus(coder: .json)
    var arrived: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    let link = try bus.join(broker.client("bus"), exporting: ["#"])
    pause()
    broker.overloads = 3
    let log = LogRecorder {
      for number in 0..<10 { try? bus.publish(number, on: "a") }
      #expect(link.counts.waiting == 10 && arrived.isEmpty)
      scheduler.advance(by: .milliseconds(6_999))
      #expect(arrived.isEmpty, "it waits for 1, 2 and 4 seconds")
      scheduler.advance(by: .milliseconds(1))
    }
    #expect(arrived == Array(0..<10) && link.counts.refused == 0 && log.entries.count == 3)
    broker.overloads = 1
    try bus.publish(10, on: "a")
    link.dispose()
    scheduler.advance(by: .seconds(100))
    #expect(arrived.count == 10 && scheduler.pending == 0)
  }
}
