import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct EventBusTests {
  private struct Saved: Equatable {
    let number: Int
  }
  private struct Closed {}

  // MARK: - Publishing

  @Test func deliversToObserversOfType() {
    let bus = EventBus()
    var received: [Int] = []
    let observation = bus.events(Saved.self).observeNext { received.append($0.number) }
    bus.publish(Closed())
    bus.publish(Saved(number: 1))
    bus.publish(Saved(number: 2))
    observation.dispose()
    bus.publish(Saved(number: 3))
    #expect(received == [1, 2])
  }

  private struct Wrapped<Event> {}

  @Test("A bus has room for any number of types of events")
  func hundredsOfTypes() {
    let bus = EventBus()
    var received = 0
    func observe<Event>(_: Event.Type, _ depth: Int) {
      bus.events(Wrapped<Event>.self).observeNext { _ in received += 1 }
      if depth > 1 { observe(Wrapped<Event>.self, depth - 1) }
      bus.publish(Wrapped<Event>())
    }
    observe(Int.self, 300)
    #expect(received == 300)
  }

  @Test func deliversByPriorityThenOrder() {
    let bus = EventBus()
    var order: [String] = []
    for (name, priority) in [
      ("low", EventPriority.low), ("a", .normal), ("high", .high), ("b", .normal),
      ("higher", EventPriority(rawValue: 101)), ("c", .normal),
    ] {
      bus.events(Saved.self, priority: priority).observeNext { _ in order.append(name) }
    }
    bus.publish(Saved(number: 1))
    #expect(order == ["higher", "high", "a", "b", "c", "low"])
  }

  @Test func queuesEventPublishedInHandler() {
    let bus = EventBus()
    var log: [String] = []
    bus.events(Saved.self).observeNext { event in
      log.append("first \(event.number)")
      if event.number < 3 { bus.publish(Saved(number: event.number + 1)) }
      if event.number == 1 { bus.publish(Closed()) }
    }
    bus.events(Saved.self).observeNext { log.append("second \($0.number)") }
    bus.events(Closed.self).observeNext { _ in log.append("closed") }
    bus.publish(Saved(number: 1))
    #expect(
      log == [
        "first 1", "second 1", "first 2", "second 2", "closed", "first 3", "second 3",
      ])
  }

  @Test func handlerMayDisposeItselfAndOthers() {
    let bus = EventBus()
    var log: [String] = []
    var later: Disposable?
    var own: Disposable?
    own = bus.events(Saved.self).observeNext { _ in
      log.append("first")
      own?.dispose()
      later?.dispose()
    }
    later = bus.events(Saved.self, priority: .low).observeNext { _ in log.append("later") }
    bus.events(Saved.self).observeNext { _ in log.append("stays") }
    bus.publish(Saved(number: 1))
    bus.publish(Saved(number: 2))
    #expect(log == ["first", "stays", "stays"])
  }

  @Test func observerAddedToParentGetsNextEvent() throws {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var log: [String] = []
    editor.events(Saved.self).take(1).observeNext { _ in
      app.events(Saved.self).observeNext { log.append("event \($0.number)") }
    }
    try editor.events(Int.self, on: "saved").take(1).observe(next: { _ in
      _ = try? app.events(Int.self, on: "saved").observe(next: { log.append("message \($0)") })
    })
    for number in 1...2 {
      editor.publish(Saved(number: number))
      try editor.publish(number, on: "saved")
    }
    #expect(log == ["event 2", "message 2"])
  }

  /// The observer gets the event either as retained or while it rises, but not twice.
  @Test func observerAddedToParentGetsRetainedOnce() throws {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var log: [String] = []
    editor.events(Saved.self).observeNext { _ in
      app.events(Saved.self).observeNext { log.append("event \($0.number)") }
    }
    try editor.events(Int.self, on: "saved").observe(next: { _ in
      _ = try? app.events(Int.self, on: "saved").observe(next: { log.append("message \($0)") })
    })
    editor.publish(sticky: Saved(number: 1))
    try editor.publish(1, on: "saved", sticky: true)
    #expect(log == ["event 1", "message 1"])
  }

  @Test func observerAddedInHandlerGetsNextEvent() {
    let bus = EventBus()
    var log: [String] = []
    bus.events(Saved.self).take(1).observeNext { _ in
      for priority in [EventPriority.high, .normal, .low] {
        bus.events(Saved.self, priority: priority).observeNext { log.append("\($0.number)") }
      }
    }
    bus.publish(Saved(number: 1))
    #expect(log == [])
    bus.publish(Saved(number: 2))
    #expect(log == ["2", "2", "2"])
  }

  // MARK: - Nested buses

  @Test func eventsReachParentNotChild() {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var log: [String] = []
    app.events(Saved.self, priority: .high).observeNext { log.append("app \($0.number)") }
    editor.events(Saved.self).observeNext { log.append("editor \($0.number)") }
    editor.publish(Saved(number: 1))
    app.publish(Saved(number: 2))
    #expect(log == ["editor 1", "app 1", "app 2"])
    #expect(editor.path == "app/editor")
  }

  @Test func treeDeliversOneEventAtATime() {
    let app = EventBus()
    let one = EventBus(name: "one", within: app)
    let other = EventBus(name: "other", within: app)
    var log: [String] = []
    one.events(Saved.self).observeNext { event in
      log.append("one")
      other.publish(Closed())
    }
    other.events(Closed.self).observeNext { _ in log.append("other") }
    app.events(Saved.self).observeNext { _ in log.append("app") }
    one.publish(Saved(number: 1))
    #expect(log == ["one", "app", "other"])
  }

  // MARK: - Retained events

  @Test func laterObserverGetsRetainedEvent() {
    let app = EventBus()
    let editor = EventBus(name: "editor", within: app)
    editor.publish(sticky: Saved(number: 1))
    editor.publish(sticky: Saved(number: 2))
    editor.publish(Saved(number: 3))
    for bus in [editor, app] {
      var received: [Int] = []
      let observation = bus.events(Saved.self).observeNext { received.append($0.number) }
      bus.publish(Saved(number: 4))
      observation.dispose()
      #expect(received == [2, 4])
      bus.events(Saved.self).observeNext { received.append($0.number) }.dispose()
      #expect(received == [2, 4, 2])
    }
    editor.removeSticky(Saved.self)
    #expect(editor.sticky(Saved.self) == nil)
    #expect(app.sticky(Saved.self) == Saved(number: 2))
  }

  @Test func observerAddedInHandlerGetsRetainedOnce() {
    let bus = EventBus()
    var received: [Int] = []
    bus.events(Saved.self).take(1).observeNext { _ in
      bus.events(Saved.self).observeNext { received.append($0.number) }
    }
    bus.publish(sticky: Saved(number: 1))
    bus.publish(sticky: Saved(number: 2))
    #expect(received == [1, 2])
  }

  @Test(arguments: [false, true])
  func addedObserverGetsOnlyRetainedEvent(_ isSticky: Bool) {
    let bus = EventBus()
    var received: [String] = []
    bus.events(Saved.self).observeNext { received.append("old \($0.number)") }
    bus.events(Saved.self, priority: .high).take(1).observeNext { _ in
      bus.events(Saved.self).observeNext { received.append("new \($0.number)") }
    }
    if isSticky {
      bus.publish(sticky: Saved(number: 1))
    } else {
      bus.publish(Saved(number: 1))
    }
    #expect(received == (isSticky ? ["new 1", "old 1"] : ["old 1"]))
    bus.publish(Saved(number: 2))
    #expect(received.suffix(2) == ["old 2", "new 2"])
  }

  private enum Theme {
    case named(ReleaseProbe, String)
    case plain(Int)
  }

  private func label(_ theme: Theme?) -> String {
    switch theme {
    case .named(_, let name): name
    case .plain(let number): "\(number)"
    case nil: "none"
    }
  }

  @Test(arguments: [false, true]) func releasedRetainedEventMayReenterBus(_ isReplaced: Bool) {
    let bus = EventBus()
    var seen: [String] = []
    let probe = { (name: String) in
      ReleaseProbe {
        seen.append(self.label(bus.sticky(Theme.self)))
        bus.removeSticky(Theme.self)
        bus.publish(sticky: Theme.named(ReleaseProbe {}, name))
      }
    }
    bus.publish(sticky: Theme.named(probe("late"), "dark"))
    if isReplaced {
      bus.publish(sticky: Theme.plain(1))
    } else {
      bus.removeSticky(Theme.self)
    }
    #expect(seen == [isReplaced ? "1" : "none"])
    #expect(label(bus.sticky(Theme.self)) == "late")
  }

  // MARK: - Tracing

  @Test func unheardEventIsSentByAllBuses() {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var unheard: [String] = []
    app.unheard.observeNext { unheard.append("app: \($0.event) on \($0.bus)") }
    editor.unheard.observeNext { unheard.append("editor: \($0.event) on \($0.bus)") }
    let observation = app.events(Saved.self).observeNext { _ in }
    editor.publish(Saved(number: 1))
    #expect(unheard == [])
    observation.dispose()
    editor.publish(Saved(number: 2))
    #expect(
      unheard == [
        "editor: Saved(number: 2) on app/editor", "app: Saved(number: 2) on app/editor",
      ])
    editor.publish(sticky: Saved(number: 3))
    #expect(unheard.count == 2)
  }

  @Test func traceNamesReceivers() {
    let app = EventBus(name: "app")
    let editor = EventBus(name: "editor", within: app)
    var lines: [String] = []
    let tracing = app.trace.observeNext { lines.append("\($0)") }
    app.events(Saved.self, name: "list").observeNext { _ in }
    editor.events(Saved.self, priority: .low).observeNext { _ in }
    let gone = app.events(Saved.self, name: "gone").observeNext { _ in }
    gone.dispose()
    editor.publish(Saved(number: 1))
    app.publish(Closed())
    tracing.dispose()
    editor.publish(Saved(number: 2))
    #expect(lines.count == 2)
    let place = "RunnelBusTests/EventBusTests.swift:"
    #expect(lines[0].hasPrefix("app/editor: Saved(number: 1) → \(place)"))
    #expect(lines[0].hasSuffix(" (app/editor), list (app)"))
    #expect(lines[1] == "app: Closed() → nobody")
  }

  @Test func traceOmitsReceiversOfOtherEvents() {
    let bus = EventBus()
    var lines: [String] = []
    bus.events(Closed.self, name: "end").observeNext { _ in }
    var tracing = Disposable.none
    bus.events(Saved.self, name: "list").observeNext { _ in tracing.dispose() }
    tracing = bus.trace.observeNext { lines.append("\($0)") }
    bus.publish(sticky: Saved(number: 1))
    tracing = bus.trace.observeNext { lines.append("\($0)") }
    bus.events(Saved.self, name: "late").observeNext { _ in }
    bus.publish(Closed())
    #expect(lines == ["bus: Closed() → end (bus)"])
  }

  // MARK: - Models

  /// Random scripts of observing, disposing and publishing, also inside handlers, are compared with
  /// a model that keeps lists.
  @Test(arguments: seeds(67)) func randomScriptsMatchModel(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let app = EventBus(name: "app")
    let buses = [app, EventBus(name: "one", within: app), EventBus(name: "two", within: app)]
    var observations: [Int: Disposable] = [:]
    var log: [String] = []
    var model: [(id: Int, bus: Int, priority: Int)] = []
    var expected: [String] = []
    var nextID = 0

    /// Adds the expected deliveries of an event, and of the events that its observers publish.
    func expect(_ event: Int, on bus: Int) {
      var queue = [(event, bus)]
      while !queue.isEmpty {
        let (event, bus) = queue.removeFirst()
        for level in bus == 0 ? [0] : [bus, 0] {
          let listeners = model.enumerated().filter { $0.element.bus == level }
            .sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
          for listener in listeners.map(\.element) {
            expected.append("\(listener.id) has \(event)")
            // Observers with an odd number publish another event.
            if listener.id % 2 == 1 && event < 3 { queue.append((event + 1, listener.id % 3)) }
          }
        }
      }
    }

    for _ in 0..<60 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let (id, bus) = (nextID, Int.random(in: 0..<3, using: &random))
        let priority = Int.random(in: -2...2, using: &random)
        nextID += 1
        guard model.count < 6 else { continue }
        model.append((id, bus, priority))
        observations[id] = buses[bus]
          .events(Int.self, priority: EventPriority(rawValue: priority)).observeNext { event in
            log.append("\(id) has \(event)")
            if id % 2 == 1 && event < 3 { buses[id % 3].publish(event + 1) }
          }
      case 2 where !model.isEmpty:
        let gone = model.remove(at: Int.random(in: 0..<model.count, using: &random))
        observations.removeValue(forKey: gone.id)?.dispose()
      default:
        let bus = Int.random(in: 0..<3, using: &random)
        expect(1, on: bus)
        buses[bus].publish(1)
      }
      #expect(log == expected, "seed \(seed)")
      if log != expected { return }
    }
  }

  @Test func releasedBusReleasesObservers() throws {
    final class Token {}
    weak var released: EventBus?
    var tokens: [() -> Token?] = []
    do {
      let bus = EventBus()
      released = bus
      func token() -> Token {
        let token = Token()
        tokens.append { [weak token] in token }
        return token
      }
      func keep<Element>(_ stream: EventStream<Element, Never>) {
        let token = token()
        stream.observeNext { _ in withExtendedLifetime(token) {} }
      }
      keep(bus.events(Saved.self))
      keep(bus.events(Saved.self, priority: .low))
      keep(try bus.messages(on: "a.#"))
      keep(bus.trace)
      keep(bus.unheard)
      bus.publish(Saved(number: 1))
    }
    #expect(released == nil)
    #expect(tokens.map { $0() == nil } == [true, true, true, true, true])
  }
}
