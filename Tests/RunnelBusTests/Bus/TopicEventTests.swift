import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Events that have a type and a topic.
@Suite struct TopicEventTests {
  struct Created: TopicEvent, Equatable {
    static let topic = "orders.created"
    let number: Int
  }

  private struct Untopical: Codable, Equatable {
    let number: Int
  }

  /// A generic caller and callee, which do not see the conformance.
  private func publishUnseen<Event>(_ event: Event, on bus: EventBus) { bus.publish(event) }

  /// However an event is published, and however it is observed, it arrives once.
  @Test func typeAndTopicAreOneMechanism() throws {
    let bus = EventBus(coder: .json)
    let inner = EventBus(name: "inner", within: bus)
    var seen: [String] = []
    bus.events(Created.self).observeNext { seen.append("typed \($0.number)") }
    try bus.events(Created.self, on: "orders.*").observe(next: { seen.append("topic \($0.number)") }
    )
    try bus.messages(on: "orders.#").observeNext { message in
      seen.append((try? String(decoding: message.bytes, as: UTF8.self)) ?? "unreadable")
    }
    let expected = { (number: Int) in
      ["typed \(number)", "topic \(number)", #"{"number":\#(number)}"#]
    }
    bus.publish(Created(number: 1))
    #expect(seen == expected(1))
    seen = []
    publishUnseen(Created(number: 2), on: inner)
    #expect(seen == expected(2))
    seen = []
    try inner.publish(Created(number: 3), on: "orders.created")
    #expect(seen == expected(3))
    seen = []
    try bus.publish(bytes: Array(#"{"number":4}"#.utf8), on: "orders.created")
    #expect(seen == expected(4))
    seen = []
    try bus.publish(Created(number: 5), on: "orders.deleted")
    #expect(seen == Array(expected(5).dropFirst()), "the topic decides")
    seen = []
    bus.publish(Created(number: 6) as any TopicEvent)
    #expect(seen == [], "the static type decides")
  }

  @Test func priorityOrdersTypesAndTopics() throws {
    let bus = EventBus(coder: .json)
    var seen: [String] = []
    bus.events(Created.self, priority: .low).observeNext { _ in seen.append("low") }
    try bus.messages(on: "#").observeNext { _ in seen.append("normal") }
    bus.events(Created.self, priority: .high).observeNext { _ in seen.append("high") }
    bus.publish(Created(number: 1))
    #expect(seen == ["high", "normal", "low"])
  }

  @Test func needsNoCoderInOneProgram() throws {
    let bus = EventBus()
    var seen: [Created] = []
    bus.events(Created.self).observeNext { seen.append($0) }
    bus.publish(Created(number: 1))
    bus.publish(sticky: Created(number: 2))
    #expect(seen == [Created(number: 1), Created(number: 2)])
    #expect(bus.sticky(Created.self) == Created(number: 2))
  }

  @Test func stickyEventOfTypeIsThatOfTopic() throws {
    let bus = EventBus(coder: .json)
    let inner = EventBus(name: "inner", within: bus)
    inner.publish(sticky: Created(number: 1))
    var seen: [Int] = []
    bus.events(Created.self).observeNext { seen.append($0.number) }
    try bus.events(Created.self, on: "#").observe(next: { seen.append($0.number * 10) })
    #expect(seen == [1, 10])
    try bus.publish(Created(number: 2), on: "orders.created", sticky: true)
    #expect(bus.sticky(Created.self) == Created(number: 2))
    #expect(inner.sticky(Created.self) == Created(number: 1))
    bus.removeSticky(Created.self)
    #expect(bus.sticky(Created.self) == nil)
    bus.publish(sticky: Untopical(number: 1))
    #expect(bus.sticky(Untopical.self) == Untopical(number: 1))
  }

  @Test func unreadableMessageIsLoggedAndNotDelivered() throws {
    let bus = EventBus(coder: .json)
    var seen: [Int] = []
    bus.events(Created.self).observeNext { seen.append($0.number) }
    let log = try LogRecorder {
      try bus.publish(bytes: Array("{}".utf8), on: "orders.created")
      try bus.publish(bytes: Array(#"{"number":2}"#.utf8), on: "orders.created")
    }
    #expect(seen == [2])
    #expect(log.entries.count == 1 && log.entries.first?.level == .warning)
  }

  @Test func eventWithoutObserversIsUnheard() {
    let bus = EventBus()
    var unheard: [String] = []
    bus.unheard.observeNext { unheard.append("\($0.topic ?? "none") \($0.event)") }
    bus.publish(Created(number: 1))
    #expect(unheard == ["orders.created Created(number: 1)"])
  }

  /// An event that an observer publishes waits, as without a topic.
  @Test func reentrantEventsAreQueued() throws {
    let bus = EventBus(coder: .json)
    var seen: [String] = []
    bus.events(Created.self).observeNext { event in
      if event.number < 3 {
        bus.publish(Created(number: event.number + 1))
        bus.publish(Untopical(number: event.number))
      }
      seen.append("\(event.number)")
    }
    bus.events(Untopical.self).observeNext { seen.append("untopical \($0.number)") }
    bus.publish(Created(number: 1))
    #expect(seen == ["1", "2", "untopical 1", "3", "untopical 2"])
  }
}
