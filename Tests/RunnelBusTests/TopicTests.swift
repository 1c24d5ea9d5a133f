import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TopicTests {
  private struct Reading: Codable, Equatable {
    let celsius: Double
  }

  // MARK: - Matching

  @Test(arguments: [
    ("a.b.c", "a.b.c", true), ("a.b.c", "a.b", false), ("a.b", "a.b.c", false),
    ("a.*.c", "a.b.c", true), ("a.*.c", "a.c", false), ("*", "a", true), ("*", "a.b", false),
    ("#", "a", true), ("#", "a.b.c", true), ("a.#", "a", true), ("a.#", "a.b.c", true),
    ("a.#", "b", false), ("*.#", "a", true), ("a.*.#", "a", false), ("ä.*", "ä.ü", true),
  ])
  func matchesPattern(_ pattern: String, _ topic: String, _ expected: Bool) throws {
    let bus = EventBus()
    var count = 0
    try bus.messages(on: pattern).observeNext { _ in count += 1 }
    try bus.publish(1, on: topic)
    #expect(count == (expected ? 1 : 0))
  }

  /// The search for observers uses a stack frame for each level.
  @Test func topicsHaveAtMost128Levels() throws {
    func topic(_ count: Int) -> String {
      Array(repeating: "a", count: count).joined(separator: ".")
    }
    let bus = EventBus()
    var count = 0
    try bus.messages(on: topic(128)).observeNext { _ in count += 1 }
    try bus.publish(1, on: topic(128))
    #expect(count == 1)
    for levels in [129, 200_000] {
      #expect(throws: TopicError.tooManyLevels) { try bus.publish(1, on: topic(levels)) }
      #expect(throws: TopicError.tooManyLevels) { try bus.messages(on: topic(levels)) }
    }
  }

  /// Compares random topics and patterns with a matcher that works level by level.
  @Test(arguments: seeds(17)) func randomPatternsMatchModel(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func levels(_ names: [String]) -> [String] {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        names.randomElement(using: &random) ?? "a"
      }
    }
    func matchesPattern(_ pattern: ArraySlice<String>, _ topic: ArraySlice<String>) -> Bool {
      guard let first = pattern.first else { return topic.isEmpty }
      if first == "#" { return true }
      guard let name = topic.first, first == "*" || first == name else { return false }
      return matchesPattern(pattern.dropFirst(), topic.dropFirst())
    }
    let bus = EventBus()
    var patterns: [(id: Int, levels: [String], priority: Int, observation: Disposable)] = []
    var received: [Int] = []
    for id in 0..<200 {
      var pattern = levels(["a", "b", "c", "*"])
      if Int.random(in: 0..<4, using: &random) == 0 { pattern.append("#") }
      let priority = Int.random(in: -1...1, using: &random)
      let observation = try bus.messages(
        on: pattern.joined(separator: "."), priority: EventPriority(rawValue: priority)
      ).observeNext { _ in received.append(id) }
      patterns.append((id, pattern, priority, observation))
      if Int.random(in: 0..<3, using: &random) == 0 {
        patterns.remove(at: Int.random(in: 0..<patterns.count, using: &random)).observation
          .dispose()
      }
      let topic = levels(["a", "b", "c"])
      received = []
      try bus.publish(1, on: topic.joined(separator: "."))
      let expected = patterns.filter { matchesPattern($0.levels[...], topic[...]) }
        .sorted { ($1.priority, $0.id) < ($0.priority, $1.id) }
      #expect(received == expected.map(\.id), "seed \(seed): \(topic)")
    }
  }

  // MARK: - Payloads

  @Test func decodesPayloadAsOtherTypes() throws {
    let bus = EventBus(coder: .json)
    var readings: [Reading] = []
    var raw: [String] = []
    try bus.events(Reading.self, on: "home.#").observe(next: { readings.append($0) })
    try bus.events([String: Double].self, on: "home.*")
      .observe(next: { raw.append("\($0["celsius"] ?? 0)") })
    try bus.messages(on: "home.kitchen").observeNext { message in
      raw.append((try? String(decoding: message.bytes, as: UTF8.self)) ?? "none")
    }
    try bus.publish(Reading(celsius: 21.5), on: "home.kitchen")
    try bus.publish(bytes: Array(#"{"celsius":4}"#.utf8), on: "home.cellar")
    #expect(readings == [Reading(celsius: 21.5), Reading(celsius: 4)])
    #expect(raw == ["21.5", #"{"celsius":21.5}"#, "4.0"])
  }

  @Test func unreadablePayloadFailsOnlyItsObserver() throws {
    let bus = EventBus(coder: .json)
    var failures: [TopicError] = []
    var readings: [Reading] = []
    try bus.events(Int.self, on: "home.kitchen").observe(failed: { failures.append($0) })
    try bus.events(Reading.self, on: "home.kitchen").observe(next: { readings.append($0) })
    try bus.publish(Reading(celsius: 1), on: "home.kitchen")
    try bus.publish(Reading(celsius: 2), on: "home.kitchen")
    #expect(readings.count == 2 && failures.count == 1)
    guard case .unreadablePayload("home.kitchen", _)? = failures.first else {
      Issue.record("\(failures)")
      return
    }
  }

  @Test func unwritablePayloadFailsObserverOfBytes() throws {
    let bus = EventBus(coder: .json)
    var failures: [TopicError] = []
    var numbers: [Double] = []
    try bus.events([Double].self, on: "a").observe(failed: { failures.append($0) })
    try bus.events(Double.self, on: "a").observe(next: { numbers.append($0) })
    try bus.publish(Double.nan, on: "a")
    #expect(numbers.count == 1)
    guard case .unwritablePayload("a", _)? = failures.first else {
      Issue.record("\(failures)")
      return
    }
  }

  @Test func childBusInheritsCoder() throws {
    let editor = EventBus(name: "editor", within: EventBus(coder: .json))
    var numbers: [Int] = []
    try editor.events(Int.self, on: "a").observe(next: { numbers.append($0) })
    try editor.publish(bytes: Array("7".utf8), on: "a")
    #expect(numbers == [7])
  }

  @Test func withoutCoderOnlyPublishedTypeIsRead() throws {
    let bus = EventBus()
    var failures: [TopicError] = []
    var numbers: [Int] = []
    try bus.events(Int.self, on: "a").observe(next: { numbers.append($0) })
    try bus.events(Double.self, on: "a").observe(failed: { failures.append($0) })
    try bus.messages(on: "a").observeNext { message in
      #expect(throws: TopicError.noCoder(topic: "a")) { try message.bytes }
    }
    try bus.publish(1, on: "a")
    try bus.events(Int.self, on: "b").observe(failed: { failures.append($0) })
    try bus.publish(bytes: Array("7".utf8), on: "b")
    #expect(numbers == [1])
    #expect(failures == [.noCoder(topic: "a"), .noCoder(topic: "b")])
    #expect("\(TopicError.noCoder(topic: "a"))".contains("EventBus(coder: .json)"))
  }

  @Test func observerAddedInHandlerGetsNextMessage() throws {
    let bus = EventBus()
    var received: [Int] = []
    var isAdded = false
    try bus.messages(on: "a").observeNext { _ in
      if isAdded { return }
      isAdded = true
      _ = try? bus.events(Int.self, on: "#").observe(next: { received.append($0) })
    }
    for number in 1...3 { try bus.publish(number, on: "a") }
    #expect(received == [2, 3])
  }

  // MARK: - Retained payloads

  @Test func payloadIsRetainedOnlyIfSticky() throws {
    let bus = EventBus(coder: .json)
    try bus.publish(1, on: "a")
    try bus.publish(bytes: Array("2".utf8), on: "b")
    try bus.publish(3, on: "c", sticky: true)
    try bus.publish(bytes: Array("4".utf8), on: "d", sticky: true)
    var received: [Int] = []
    try bus.events(Int.self, on: "#").observe(next: { received.append($0) })
    #expect(received == [3, 4])
  }

  @Test func laterObserverGetsRetainedPayload() throws {
    let bus = EventBus()
    try bus.publish(1, on: "b.x", sticky: true)
    try bus.publish(2, on: "a.x", sticky: true)
    try bus.publish(3, on: "a.x", sticky: true)
    try bus.publish(4, on: "a.y")
    try bus.publish(5, on: "c", sticky: true)
    var received: [Int] = []
    try bus.events(Int.self, on: "*.x").observe(next: { received.append($0) })
    #expect(received == [3, 1])
    bus.removeSticky(on: "a.x")
    try bus.events(Int.self, on: "a.#").observe(next: { received.append($0) })
    #expect(received == [3, 1])
  }

  private struct Note: Encodable {
    let probe: ReleaseProbe
    func encode(to encoder: any Encoder) throws { try 1.encode(to: encoder) }
  }

  @Test(arguments: [false, true]) func releasedPayloadMayReenterBus(_ isReplaced: Bool) throws {
    let bus = EventBus()
    try bus.publish(
      Note(
        probe: ReleaseProbe {
          try? bus.publish(7, on: "b", sticky: true)
          bus.removeSticky(on: "c")
        }), on: "a", sticky: true)
    try bus.publish(8, on: "c", sticky: true)
    if isReplaced {
      try bus.publish(9, on: "a", sticky: true)
    } else {
      bus.removeSticky(on: "a")
    }
    var received: [Int] = []
    try bus.events(Int.self, on: "*").observe(next: { received.append($0) })
    #expect(received == (isReplaced ? [9, 7] : [7]))
  }

  @Test func releasedObserverMayReenterBus() throws {
    let bus = EventBus()
    var received: [Int] = []
    func observe() throws -> Disposable {
      let probe = ReleaseProbe {
        _ = try? bus.events(Int.self, on: "a").observe(next: { received.append($0) })
        try? bus.publish(1, on: "a")
      }
      return try bus.messages(on: "a").observeNext { _ in withExtendedLifetime(probe) {} }
    }
    try observe().dispose()
    try bus.publish(2, on: "a")
    #expect(received == [1, 2])
  }

  // MARK: - Invalid input

  @Test(arguments: [
    ("", TopicError.empty), (".", .emptyLevel(offset: 0)), ("a..b", .emptyLevel(offset: 2)),
    ("a.", .emptyLevel(offset: 2)), (".a", .emptyLevel(offset: 0)),
    ("a.*", .wildcardInTopic(offset: 2)), ("a#", .wildcardInTopic(offset: 1)),
    ("ä.b*", .wildcardInTopic(offset: 3)),
  ])
  func invalidTopicThrows(_ topic: String, _ expected: TopicError) {
    #expect(throws: expected) { try EventBus().publish(1, on: topic) }
  }

  @Test(arguments: [
    ("", TopicError.empty), ("a..b", .emptyLevel(offset: 2)),
    ("#.a", .levelsAfterHash(offset: 0)), ("a.#.#", .levelsAfterHash(offset: 2)),
    ("a*.b", .wildcardWithinLevel(offset: 1)), ("a.b#", .wildcardWithinLevel(offset: 3)),
  ])
  func invalidPatternThrows(_ pattern: String, _ expected: TopicError) {
    #expect(throws: expected) { _ = try EventBus().messages(on: pattern) }
    #expect("\(expected)".hasSuffix("."))
  }

  // MARK: - Tracing

  @Test func topicsAppearInTrace() throws {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var lines: [String] = []
    app.trace.observeNext { lines.append("\($0)") }
    app.unheard.observeNext { lines.append("unheard \($0.topic ?? "")") }
    try app.messages(on: "a.*", name: "bridge").observeNext { _ in }
    try editor.publish(7, on: "a.b")
    try editor.publish(8, on: "b")
    #expect(
      lines == ["app/editor: a.b 7 → bridge (app)", "unheard b", "app/editor: b 8 → nobody"])
  }

  @Test func queuesMessagePublishedInHandler() throws {
    let bus = EventBus()
    var log: [String] = []
    try bus.messages(on: "a").observeNext { _ in
      log.append("first")
      try? bus.publish(1, on: "b")
    }
    try bus.messages(on: "#").observeNext { log.append($0.topic) }
    try bus.publish(1, on: "a")
    #expect(log == ["first", "a", "b"])
  }
}
