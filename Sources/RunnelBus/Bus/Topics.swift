import RunnelStreams

extension EventBus {
  /// Publishes a payload on a topic, whose levels are separated by dots.
  ///
  ///     try bus.publish(21.5, on: "home.kitchen.temperature")
  ///
  /// A sticky message is retained for later observers of the topic.
  ///
  /// *Events*: as ``publish(_:)``. An invalid topic throws, and nothing is published.
  public func publish<Payload: Encodable>(
    _ payload: Payload, on topic: String, sticky isSticky: Bool = false
  ) throws(TopicError) {
    try publish(.value(payload, encode: { try $0.encode(payload) }), topic, isSticky)
  }

  /// Publishes a payload that another program has encoded.
  ///
  ///     try bus.publish(bytes: Array("21.5".utf8), on: "home.kitchen.temperature")
  public func publish(
    bytes: [UInt8], on topic: String, sticky isSticky: Bool = false
  ) throws(TopicError) {
    try publish(.bytes(bytes), topic, isSticky)
  }

  private func publish(
    _ payload: TopicMessage.Payload, _ topic: String, _ isSticky: Bool
  ) throws(TopicError) {
    try publish(
      message(payload, on: topic, TopicLevels(topic: topic), isSticky ? .sticky : .event))
  }

  func message(
    _ payload: TopicMessage.Payload, on topic: String, _ levels: TopicLevels, _ kind: MessageKind
  ) -> TopicMessage {
    TopicMessage(
      topic: topic, levels: levels, kind: kind, payload: payload, coder: coder, source: identity)
  }

  /// Publishes a message, unless a link that exports its topic refuses it.
  func publish(_ message: TopicMessage) throws(TopicError) {
    for bus in selfAndParents {
      for link in bus.links { try link.check(message) }
    }
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.deliver(message, to: self.selfAndParents) }
    }
    deliver(message, to: selfAndParents)
    dispatch.end()
  }

  /// Delivers a message to the observers on some buses and to their links.
  func deliver(_ message: TopicMessage, to buses: some Sequence<EventBus>) {
    dispatch.turn &+= 1
    defer { dispatch.turn &+= 1 }
    var isReceived = message.kind == .sticky
    if isReceived {
      // Sticky events and removals get their stamps in the order of delivery.
      _ = message.stamped(in: dispatch.family)
      for bus in buses { bus.topics.keep(message) }
    }
    for bus in buses {
      for listener in bus.topics.listeners(of: message.levels) where listener.messages.isObserved {
        isReceived = true
        listener.messages.next(message)
      }
      if bus.links.isEmpty { continue }
      for link in bus.links where link.joinTurn != dispatch.turn {
        if link.export(message) { isReceived = true }
      }
    }
    if !isReceived || dispatch.isTraced {
      report(message.content, topic: message.topic, isReceived: isReceived)
    }
  }

  /// Returns the payloads on the topics that match a pattern. `*` matches one level; `#` at the end
  /// matches any number of levels.
  ///
  ///     try bus.events(Double.self, on: "home.*.temperature")
  ///       .observe(next: { show($0) }, failed: { print($0) })
  ///
  /// *Events*: sticky messages on matching topics are sent first. A payload that was published as
  /// this type is passed unchanged. Any other payload is encoded and decoded by the ``TopicCoder``
  /// of the bus. A payload that cannot be decoded fails this stream; other observers still receive
  /// it. An invalid pattern throws.
  public func events<Payload: Decodable>(
    _ type: Payload.Type, on pattern: String, priority: EventPriority = .normal,
    name: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(TopicError) -> EventStream<Payload, TopicError> {
    try messages(on: pattern, priority: priority, name: name, file: file, line: line)
      .failing(with: TopicError.self)
      .map { message throws(TopicError) in try message.value(as: type) }
  }

  /// Returns the messages on the topics that match a pattern, with topics and bytes. For a bridge
  /// to another program.
  ///
  ///     try bus.messages(on: "#").observeNext { print($0.topic) }
  public func messages(
    on pattern: String, priority: EventPriority = .normal, name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(TopicError) -> EventStream<TopicMessage, Never> {
    messages(
      on: try TopicLevels(pattern: pattern), priority: priority, name: name,
      at: SourceLocation(file: file, line: line))
  }

  func messages(
    on levels: TopicLevels, priority: EventPriority, name: String?, at location: SourceLocation
  ) -> EventStream<TopicMessage, Never> {
    .unguarded { observer in
      let topics = self.topics
      let turn = self.dispatch.turn
      let receiver = TracedReceiver(to: self, as: name, at: location)
      let listener = topics.add(levels, priority: priority)
      observer.observation.add { [weak topics, number = listener.number] in
        topics?.remove(number, of: levels)
      }
      listener.messages.add(
        Observer(before: observer) { message in
          if receiver.dispatch.turn == turn { return }
          receiver.noteIfTraced()
          observer.next(message)
        },
        replaying: { _ in topics.kept(on: levels).forEach { observer.next($0) } })
    }
  }

  /// Removes the sticky message of a topic from this bus, but not from its parents.
  ///
  /// The links of this bus that export the topic remove it in other programs, too, if their transport
  /// retains sticky events.
  ///
  /// *Events*: a removal keeps its place among the events that are published. An observer that removes
  /// the sticky event that it receives removes it everywhere, and a sticky event that waits for its
  /// delivery is removed after it.
  public func removeSticky(on topic: String) {
    guard let levels = try? TopicLevels(topic: topic) else { return }
    let removal = message(.bytes([]), on: topic, levels, .cleared)
    topics.removeKept(on: topic)
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.remove(by: removal) }
    }
    remove(by: removal)
    dispatch.end()
  }

  private func remove(by removal: TopicMessage) {
    guard isShared else { return topics.removeKept(on: removal.topic) }
    _ = removal.stamped(in: dispatch.family)
    topics.removeKept(on: removal.topic, by: removal)
    for link in links { _ = link.export(removal) }
  }
}
