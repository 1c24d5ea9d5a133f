import RunnelStreams

extension EventBus {
  /// Publishes a payload on a topic: levels between dots.
  ///
  ///     try bus.publish(21.5, on: "home.kitchen.temperature")
  ///
  /// A sticky one is kept, for those who observe the topic later.
  ///
  /// *Events*: as ``publish(_:)``. A topic that is none is thrown, and nothing is published.
  public func publish<Payload: Encodable>(
    _ payload: Payload, on topic: String, sticky isSticky: Bool = false
  ) throws(TopicError) {
    try publish(.value(payload, encode: { try $0.encode(payload) }), topic, isSticky)
  }

  /// Publishes a payload that came from elsewhere, as it is.
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
    let levels = try TopicLevels(topic: topic)
    let message = TopicMessage(topic: topic, levels: levels, payload: payload, coder: coder)
    publish(message, isSticky)
  }

  private func publish(_ message: TopicMessage, _ isSticky: Bool) {
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.tell(message, isKept: isSticky) }
    }
    tell(message, isKept: isSticky)
    dispatch.end()
  }

  private func tell(_ message: TopicMessage, isKept: Bool) {
    dispatch.turn &+= 1
    defer { dispatch.turn &+= 1 }
    if isKept { for bus in rising { bus.topics.keep(message) } }
    var isHeard = isKept
    for bus in rising {
      for listener in bus.topics.listeners(of: message.levels) where listener.messages.isObserved {
        isHeard = true
        listener.messages.next(message)
      }
    }
    if !isHeard || dispatch.isTraced {
      report(message.content, topic: message.topic, isHeard: isHeard)
    }
  }

  /// What is published on the topics of a pattern: `*` stands for one level, `#` at the end for all
  /// that follow, or none.
  ///
  ///     try bus.events(Double.self, on: "home.*.temperature")
  ///       .observe(next: { show($0) }, failed: { print($0) })
  ///
  /// *Events*: first what stays on those topics. A payload that was published as this type is handed
  /// on as it is. Another one is written and read by the ``TopicCoder`` of the bus. One that cannot be
  /// read as this type fails the stream; others who observe it still get it. A pattern that is none
  /// is thrown.
  public func events<Payload: Decodable>(
    _ type: Payload.Type, on pattern: String, priority: EventPriority = .normal,
    name: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(TopicError) -> EventStream<Payload, TopicError> {
    try messages(on: pattern, priority: priority, name: name, file: file, line: line)
      .failing(with: TopicError.self)
      .map { message throws(TopicError) in try message.value(as: type) }
  }

  /// The same as messages, with topics and bytes: what a bridge to another program needs.
  ///
  ///     try bus.messages(on: "#").observeNext { print($0.topic) }
  public func messages(
    on pattern: String, priority: EventPriority = .normal, name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(TopicError) -> EventStream<TopicMessage, Never> {
    let levels = try TopicLevels(pattern: pattern)
    let location = SourceLocation(file: file, line: line)
    return .unguarded { observer in
      let topics = self.topics
      let turn = self.dispatch.turn
      let listening = Listening(to: self, as: name, at: location)
      let listener = topics.add(levels, priority: priority)
      observer.observation.add { [weak topics, number = listener.number] in
        topics?.remove(number, of: levels)
      }
      listener.messages.add(
        Observer(before: observer) { message in
          if listening.dispatch.turn == turn { return }
          listening.noteIfTraced()
          observer.next(message)
        },
        replaying: { _ in topics.kept(on: levels).forEach { observer.next($0) } })
    }
  }

  /// Nothing stays on a topic any more. It does on the buses around this one.
  public func removeSticky(on topic: String) { topics.removeKept(on: topic) }
}
