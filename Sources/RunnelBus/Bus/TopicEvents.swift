import RunnelStreams

extension EventBus {
  /// Publishes an event of a type with a topic. A refusal is logged: generic code publishes events of
  /// any type, and cannot expect one.
  @usableFromInline
  func publish<Event>(_ event: Event, by binding: TopicBinding<Event>, isKept: Bool) {
    do throws(TopicError) {
      try publish(message(of: event, by: binding, isKept ? .sticky : .event))
    } catch {
      Log("runnel.bus").error("\(error)", ["event": "\(Event.self)"])
    }
  }

  private func message<Event>(
    of event: Event, by binding: TopicBinding<Event>, _ kind: MessageKind
  ) -> TopicMessage {
    let encode = binding.encode
    return message(
      .value(event, encode: { try encode(event, $0) }), on: binding.topic, binding.levels, kind)
  }

  @usableFromInline
  func events<Event>(
    by binding: TopicBinding<Event>, priority: EventPriority, name: String?,
    at location: SourceLocation
  ) -> EventStream<Event, Never> {
    messages(on: binding.levels, priority: priority, name: name, at: location)
      .compactMap { Self.event(in: $0, by: binding) }
  }

  func sticky<Event>(by binding: TopicBinding<Event>) -> Event? {
    topics.kept(on: binding.topic).flatMap { Self.event(in: $0, by: binding) }
  }

  private static func event<Event>(
    in message: TopicMessage, by binding: TopicBinding<Event>
  ) -> Event? {
    do throws(TopicError) {
      return try binding.decode(message)
    } catch {
      Log("runnel.bus").warning("\(error)", ["event": "\(Event.self)"])
      return nil
    }
  }
}
