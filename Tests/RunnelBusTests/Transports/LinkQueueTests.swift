import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct LinkQueueTests {
  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let bus = EventBus(coder: .json)
  private let store = EventBus(coder: .json)

  init() {
    broker = TestBroker(on: scheduler)
  }

  private func pause() { scheduler.advance(by: .seconds(10)) }

  /// Publishes ten numbers while the link is offline. Returns those that arrive later.
  private func numbersAfterOutage(_ queue: LinkQueue) throws -> (arrived: [Int], link: BusLink) {
    var arrived: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    let link = try bus.join(broker.client("bus"), exporting: ["#"], queue: queue)
    pause()
    broker.client("bus").cut()
    for number in 0..<10 {
      do throws(TopicError) {
        try bus.publish(number, on: "a")
      } catch {
        #expect(error == .queueFull(topic: "a", transport: "memory://broker"))
        #expect(queue.rule == .refuse)
      }
    }
    broker.client("bus").heal()
    pause()
    return (arrived, link)
  }

  @Test(arguments: [
    (LinkQueue.Rule.dropOldest, 4, [6, 7, 8, 9], 6), (.dropNewest, 4, [0, 1, 2, 3], 6),
    (.refuse, 4, [0, 1, 2, 3], 0), (.dropOldest, 10, Array(0..<10), 0),
    (.dropOldest, 1, [9], 9), (.dropNewest, 1, [0], 9),
  ])
  func ruleDecidesWhatIsDropped(
    _ rule: LinkQueue.Rule, _ count: Int, _ expected: [Int], _ dropped: Int
  ) throws {
    let (arrived, link) = try numbersAfterOutage(LinkQueue(count: count, rule: rule))
    #expect(arrived == expected)
    #expect(link.counts.dropped == dropped && link.counts.sent == expected.count)
  }

  @Test func bytesAreLimited() throws {
    let (arrived, link) = try numbersAfterOutage(LinkQueue(bytes: 400, rule: .dropNewest))
    #expect(arrived == [0, 1, 2, 3] && link.counts.dropped == 6)
  }

  /// An event that is larger than the queue does not drop the others.
  @Test func largeEventCrosses() throws {
    var sizes: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.messages(on: "#").observeNext { sizes.append((try? $0.bytes.count) ?? -1) }
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"], queue: LinkQueue(bytes: 1_000))
    pause()
    try bus.publish(bytes: [UInt8](repeating: 0, count: 2_000), on: "a")
    broker.client("bus").cut()
    try bus.publish(bytes: [0], on: "a")
    try bus.publish(bytes: [UInt8](repeating: 0, count: 3_000), on: "a")
    broker.client("bus").heal()
    pause()
    #expect(sizes == [2_000, 1, 3_000] && link.counts.dropped == 0)
  }

  /// Messages on the way cannot be dropped, and the latest one is kept.
  @Test func latestEventIsKeptWhileOthersAreOnTheWay() throws {
    broker.delay = .milliseconds(100) ... .milliseconds(100)
    var arrived: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    let link = try bus.join(broker.client("bus"), exporting: ["#"], queue: LinkQueue(count: 1))
    pause()
    for number in 0..<5 { try bus.publish(number, on: "a") }
    pause()
    #expect(arrived == [0, 4] && link.counts.dropped == 3)
  }

  /// An event that was accepted is sent, even if others fill the queue before its turn.
  @Test func eventsPublishedByObserversAreNotDropped() throws {
    try bus.events(Int.self, on: "a").observe(next: { number in
      guard number < 10 else { return }
      for other in 1...3 { try? self.bus.publish(number * 10 + other * 100, on: "a") }
    })
    let (arrived, link) = try numbersAfterOutage(LinkQueue(count: 4, rule: .refuse))
    #expect(arrived.prefix(4) == [0, 100, 200, 300] && arrived.count < 10)
    #expect(link.counts.dropped == 0 && link.counts.sent == arrived.count)
  }

  @Test func refusedEventIsPublishedNowhere() throws {
    var seen: [Int] = []
    try bus.events(Int.self, on: "#").observe(next: { seen.append($0) })
    _ = try numbersAfterOutage(LinkQueue(count: 4, rule: .refuse))
    #expect(seen == [0, 1, 2, 3])
  }

  /// While the transport is online and slow, a source that can pause waits instead of losing events.
  @Test func fullQueuePausesSourceWhileOnline() throws {
    broker.delay = .milliseconds(10) ... .milliseconds(10)
    let other = TestBroker(on: scheduler, name: "memory://other")
    other.delay = .milliseconds(100) ... .milliseconds(100)
    let sender = EventBus(coder: .json)
    try sender.join(broker.client("sender"), exporting: ["#"])
    try bus.join(broker.client("bus"), exporting: ["#"], importing: ["#"])
    let link = try bus.join(
      other.client("bus"), exporting: ["#"], queue: LinkQueue(count: 10, rule: .dropNewest))
    var arrived: [Int] = []
    try store.join(other.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    pause()
    for number in 0..<400 { try sender.publish(number, on: "a") }
    scheduler.advance(by: .milliseconds(50))
    #expect(link.counts.waiting >= 10 && link.counts.waiting <= 20)
    // The other direction of the paused transport goes on.
    let reverse = EventBus(coder: .json)
    var back: [Int] = []
    try reverse.join(broker.client("reverse"), importing: ["back"])
    try reverse.events(Int.self, on: "back").observe(next: { back.append($0) })
    scheduler.advance(by: .milliseconds(50))
    try bus.publish(1_000, on: "back")
    scheduler.advance(by: .milliseconds(50))
    #expect(back == [1_000] && arrived.count < 100)
    scheduler.advance(by: .seconds(100))
    #expect(link.counts.dropped == 1, "the number that no source waited for")
    #expect(arrived.filter { $0 < 1_000 } == Array(0..<400))
  }

  /// Random outages: what was accepted arrives once and in order.
  @Test(arguments: seeds(40)) func randomOutagesLoseNothing(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let broker = TestBroker(on: scheduler, seed: UInt64(seed))
    broker.delay = .milliseconds(1) ... .milliseconds(50)
    broker.lossOfConfirmations = 0.2
    var arrived: [String: [Int]] = [:]
    try store.join(broker.client("store"), importing: ["#"])
    try store.messages(on: "#").observeNext { message in
      let text = (try? String(decoding: message.bytes, as: UTF8.self)) ?? ""
      arrived[message.topic, default: []].append(Int(text) ?? -1)
    }
    let memory = MemoryStore()
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"], queue: LinkQueue(store: memory))
    pause()
    var sent: [String: [Int]] = [:]
    for number in 0..<300 {
      let topic = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
      try bus.publish(number, on: topic)
      sent[topic, default: []].append(number)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: broker.client("bus").cut()
      case 1: broker.client("store").cut()
      case 2: broker.client("bus").heal()
      case 3: broker.client("store").heal()
      case 4: broker.stop()
      case 5: broker.start()
      default: scheduler.advance(by: .milliseconds(Int.random(in: 0...200, using: &random)))
      }
    }
    broker.start()
    broker.client("bus").heal()
    broker.client("store").heal()
    scheduler.advance(by: .seconds(60))
    #expect(arrived == sent, "seed \(seed)")
    #expect(link.counts.sent == 300 && link.counts.waiting == 0, "seed \(seed)")
    #expect(memory.messages.isEmpty, "seed \(seed)")
  }

  /// A process that ended left messages, of which some were sent.
  @Test func storedMessagesAreSentByNextRun() throws {
    let memory = MemoryStore()
    var arrived: [Int] = []
    try store.join(broker.client("store"), importing: ["#"])
    try store.events(Int.self, on: "#").observe(next: { arrived.append($0) })
    do {
      let first = EventBus(coder: .json)
      try first.join(broker.client("bus"), exporting: ["#"], queue: LinkQueue(store: memory))
      pause()
      try first.publish(1, on: "a")
      pause()
      broker.client("bus").cut()
      try first.publish(2, on: "a")
      try first.publish(3, on: "a")
    }
    #expect(memory.messages.map(\.number) == [2, 3])
    broker.client("bus").heal()
    let link = try bus.join(
      broker.client("bus"), exporting: ["#"], queue: LinkQueue(store: memory))
    try bus.publish(4, on: "a")
    pause()
    #expect(arrived == [1, 2, 3, 4] && memory.messages.isEmpty && link.counts.sent == 3)
  }

  @Test func failingStoreIsLoggedOnce() throws {
    let memory = MemoryStore()
    try bus.join(broker.client("bus"), exporting: ["#"], queue: LinkQueue(store: memory))
    memory.fails = true
    let log = LogRecorder { for number in 0..<3 { try? bus.publish(number, on: "a") } }
    // A full disk may have room for removals. These do not mean that messages are stored again.
    memory.removes = true
    let later = LogRecorder {
      pause()
      for number in 0..<3 { try? bus.publish(number, on: "a") }
    }
    #expect(log.entries.count == 1 && later.entries.isEmpty)
    #expect(throws: JoinError.store(reason: "full")) {
      try bus.join(broker.client("bus"), exporting: ["#"], queue: LinkQueue(store: memory))
    }
  }
}

/// A store that a test can let fail.
final class MemoryStore: MessageStore {
  struct Full: Error, CustomStringConvertible {
    let description = "full"
  }

  var messages: [(number: UInt64, message: TransportMessage)] = []
  var fails = false
  /// A full disk has room for removals, which are small.
  var removes = false
  private(set) var isUsed = false

  func load() throws -> [(number: UInt64, message: TransportMessage)] {
    if fails { throw Full() }
    if isUsed { throw MessageStoreInUse() }
    isUsed = true
    return messages
  }

  func close() { isUsed = false }

  func append(_ message: TransportMessage, number: UInt64) throws {
    if fails { throw Full() }
    messages.append((number, message))
  }

  func remove(number: UInt64) throws {
    if fails && !removes { throw Full() }
    messages.removeAll { $0.number == number }
  }
}
