import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Buses that are joined over several brokers in any way.
@Suite struct TopologyTests {
  private struct Party {
    let bus: EventBus
    /// The index of the bus around it.
    let parent: Int?
    let log = Log()

    final class Log {
      /// The events of each topic, in the order of their arrival.
      var events: [String: [Int]] = [:]
    }
  }

  /// Buses, brokers, and the links between them.
  private final class Network {
    let scheduler = TestScheduler()
    private let seed: UInt64
    var brokers: [TestBroker] = []
    var parties: [Party] = []
    /// The pairs of a bus and a broker. A pair may occur twice.
    var links: [(party: Int, broker: Int, link: BusLink, client: TestBrokerClient)] = []

    init(seed: UInt64) {
      self.seed = seed
    }

    func add(brokers count: Int) {
      for index in 0..<count {
        brokers.append(
          TestBroker(on: scheduler, name: "memory://\(index)", seed: seed &+ UInt64(index)))
      }
    }

    func addBus(within parent: Int? = nil) throws {
      let name = "bus \(parties.count)"
      let bus =
        parent.map { EventBus(name: name, within: parties[$0].bus) }
        ?? EventBus(name: name, coder: .json, on: scheduler, seed: seed)
      let party = Party(bus: bus, parent: parent)
      parties.append(party)
      try bus.messages(on: "#").observeNext { [log = party.log] message in
        let text = (try? String(decoding: message.bytes, as: UTF8.self)) ?? ""
        log.events[message.topic, default: []].append(Int(text) ?? -1)
      }
    }

    func join(_ party: Int, _ broker: Int, _ queue: LinkQueue = LinkQueue()) throws {
      let client = brokers[broker].client("client \(links.count)")
      let link = try parties[party].bus.join(
        client, exporting: ["#"], importing: ["#"], queue: queue)
      links.append((party, broker, link, client))
    }

    /// The buses that an event of a bus reaches.
    func reached(from party: Int) -> Set<Int> {
      var buses: Set<Int> = []
      var reachedBrokers: Set<Int> = []
      func visit(_ bus: Int) {
        guard buses.insert(bus).inserted else { return }
        if let parent = parties[bus].parent { visit(parent) }
        for link in links where link.party == bus {
          guard reachedBrokers.insert(link.broker).inserted else { continue }
          for other in links where other.broker == link.broker { visit(other.party) }
        }
      }
      visit(party)
      return buses
    }

    func settle() {
      for broker in brokers { broker.start() }
      for link in links { link.client.heal() }
      scheduler.advance(by: .seconds(120))
    }
  }

  /// Publishes on all buses and checks that each event arrives once on each bus that it reaches.
  private func check(
    _ network: Network, random: inout SeededGenerator, faults: Bool, _ name: String
  )
    throws
  {
    network.settle()
    #expect(network.links.allSatisfy { $0.link.state.value == .online }, "\(name)")
    var expected = network.parties.map { _ in [String: Set<Int>]() }
    for number in 0..<60 {
      let party = Int.random(in: 0..<network.parties.count, using: &random)
      let topic = ["a", "b"][Int.random(in: 0...1, using: &random)]
      for other in network.reached(from: party) {
        expected[other][topic, default: []].insert(number)
      }
      try network.parties[party].bus.publish(number, on: topic)
      if let link = network.links.randomElement(using: &random), faults {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: link.client.cut()
        case 2, 3, 4: link.client.heal()
        case 5: network.brokers[link.broker].stop()
        case 6: network.brokers[link.broker].start()
        default: break
        }
      }
      network.scheduler.advance(by: .milliseconds(Int.random(in: 0...100, using: &random)))
    }
    network.settle()
    for (party, expected) in zip(network.parties, expected) {
      let events = party.log.events
      #expect(
        events.mapValues { $0.sorted() } == expected.mapValues { $0.sorted() },
        "\(name): \(party.bus.name)")
    }
    #expect(network.links.allSatisfy { $0.link.counts.waiting == 0 }, "\(name)")
  }

  @Test(arguments: [false, true]) func knownShapesDeliverOnce(_ faults: Bool) throws {
    var random = SeededGenerator(seed: 1)
    let shapes: [(name: String, buses: Int, brokers: Int, links: [(Int, Int)])] = [
      ("pair", 2, 1, [(0, 0), (1, 0)]),
      ("two links of a pair", 2, 2, [(0, 0), (1, 0), (0, 1), (1, 1)]),
      ("two links to one broker", 2, 1, [(0, 0), (0, 0), (1, 0), (1, 0)]),
      ("triangle", 3, 3, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (0, 2)]),
      ("ring", 4, 4, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (0, 3)]),
      ("star", 5, 4, [(0, 0), (1, 0), (0, 1), (2, 1), (0, 2), (3, 2), (0, 3), (4, 3)]),
      ("mesh", 4, 3, (0..<4).flatMap { bus in (0..<3).map { (bus, $0) } }),
      ("itself", 1, 2, [(0, 0), (0, 0), (0, 1), (0, 1)]),
      ("line", 4, 3, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)]),
    ]
    for shape in shapes {
      let network = Network(seed: 7)
      network.add(brokers: shape.brokers)
      for broker in network.brokers { broker.delay = .milliseconds(1) ... .milliseconds(80) }
      for _ in 0..<shape.buses { try network.addBus() }
      for (bus, broker) in shape.links { try network.join(bus, broker) }
      try check(network, random: &random, faults: faults, shape.name)
    }
  }

  @Test(arguments: seeds(60)) func randomTopologiesDeliverOnce(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let network = Network(seed: UInt64(seed))
    network.add(brokers: Int.random(in: 1...4, using: &random))
    for broker in network.brokers {
      broker.delay = .zero ... .milliseconds(Int.random(in: 0...200, using: &random))
      broker.lossOfConfirmations = [0, 0.3][Int.random(in: 0...1, using: &random)]
    }
    for index in 0..<Int.random(in: 1...6, using: &random) {
      let isInner = index > 0 && Int.random(in: 0..<4, using: &random) == 0
      try network.addBus(within: isInner ? Int.random(in: 0..<index, using: &random) : nil)
    }
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      try network.join(
        Int.random(in: 0..<network.parties.count, using: &random),
        Int.random(in: 0..<network.brokers.count, using: &random))
    }
    try check(network, random: &random, faults: seed.isMultiple(of: 2), "seed \(seed)")
  }

  /// The events of a topic stay in order where one way leads from bus to bus.
  @Test(arguments: seeds(20)) func treesKeepOrder(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let network = Network(seed: UInt64(seed))
    let count = Int.random(in: 2...6, using: &random)
    network.add(brokers: count - 1)
    for broker in network.brokers { broker.delay = .zero ... .milliseconds(100) }
    for index in 0..<count {
      try network.addBus()
      guard index > 0 else { continue }
      try network.join(index, index - 1)
      try network.join(Int.random(in: 0..<index, using: &random), index - 1)
    }
    network.settle()
    for number in 0..<100 {
      try network.parties[number % count].bus.publish(number, on: "t\(number % count)")
      if let link = network.links.randomElement(using: &random) {
        if Bool.random(using: &random) { link.client.heal() } else { link.client.cut() }
      }
      network.scheduler.advance(by: .milliseconds(Int.random(in: 0...100, using: &random)))
    }
    network.settle()
    for party in network.parties {
      for index in 0..<count {
        let expected = (0..<100).filter { $0 % count == index }
        #expect(party.log.events["t\(index)"] == expected, "seed \(seed): \(party.bus.name)")
      }
    }
  }

  /// After any sticky events, removals and faults, all buses and brokers have the same ones.
  @Test(arguments: seeds(60)) func stickyEventsConverge(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let network = Network(seed: UInt64(seed))
    let count = Int.random(in: 2...5, using: &random)
    network.add(brokers: Int.random(in: 1...3, using: &random))
    for broker in network.brokers { broker.delay = .zero ... .milliseconds(100) }
    for index in 0..<count {
      try network.addBus()
      let queue = LinkQueue(
        count: seed % 3 == 0 ? 2 : 10_000,
        rule: Bool.random(using: &random) ? .dropOldest : .dropNewest)
      try network.join(index, Int.random(in: 0..<network.brokers.count, using: &random), queue)
    }
    for broker in network.brokers.indices { try network.join(0, broker) }
    if !seed.isMultiple(of: 2) { try addConsumers(network) }
    network.settle()
    for number in 0..<40 {
      let bus = network.parties[Int.random(in: 0..<count, using: &random)].bus
      let topic = ["a", "b"][Int.random(in: 0...1, using: &random)]
      if Int.random(in: 0..<4, using: &random) == 0 {
        bus.removeSticky(on: topic)
      } else {
        try bus.publish(number, on: topic, sticky: true)
      }
      for _ in 0..<3 where seed % 3 == 0 { try bus.publish(number, on: topic + ".other") }
      if let link = network.links.randomElement(using: &random) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: link.client.cut()
        case 1, 2: link.client.heal()
        default: break
        }
      }
      network.scheduler.advance(by: .milliseconds(Int.random(in: 0...100, using: &random)))
    }
    network.settle()
    let kept = try network.parties.map { party in
      var kept: [String: [UInt8]] = [:]
      try party.bus.messages(on: "#").observeNext { kept[$0.topic] = try? $0.bytes }.dispose()
      return kept
    }
    for other in kept { #expect(other == kept[0], "seed \(seed)") }
    for broker in network.brokers {
      #expect(broker.retainedMessages.mapValues(\.payload) == kept[0], "seed \(seed)")
    }
    let sent = network.links.map(\.link.counts.sent).reduce(0, +)
    let publications = 40 * (seed % 3 == 0 ? 4 : 1) * (seed.isMultiple(of: 2) ? 1 : 2)
    #expect(
      sent < 3 * publications * network.links.count, "seed \(seed): conflicts multiply messages")
  }

  /// Observers that remove some of the events that they receive.
  private func addConsumers(_ network: Network) throws {
    for (index, party) in network.parties.enumerated() {
      for topic in ["a", "b"] {
        try party.bus.messages(on: topic).observeNext { [unowned bus = party.bus] message in
          let number = Int(String(decoding: (try? message.bytes) ?? [], as: UTF8.self)) ?? 0
          if number % 5 == index { bus.removeSticky(on: topic) }
        }
      }
    }
  }
}
