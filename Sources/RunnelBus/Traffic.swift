import RunnelStreams

/// What was published where, and who got it.
public struct EventTrace {
  /// Somebody who got the event.
  public struct Receiver: Hashable, Sendable, CustomStringConvertible {
    /// The name that was given, else the place in the source.
    public let name: String
    /// The path of the bus that was observed.
    public let bus: String

    /// `list (app/editor)`.
    public var description: String { "\(name) (\(bus))" }
  }

  /// What was published: an event, or the payload of a topic.
  public let event: Any
  /// The topic that it was published on, if any.
  public let topic: String?
  /// The path of the bus that it was published on.
  public let bus: String
  /// Who got it, in order.
  public let receivers: [Receiver]
}

extension EventTrace: CustomStringConvertible {
  /// A line for a log.
  public var description: String {
    let names = receivers.isEmpty ? "nobody" : receivers.map(\.description).joined(separator: ", ")
    return "\(bus): \(topic.map { "\($0) " } ?? "")\(event) → \(names)"
  }
}

/// What was published and nobody got.
public struct UnheardEvent {
  /// What was published: an event, or the payload of a topic.
  public let event: Any
  /// The topic that it was published on, if any.
  public let topic: String?
  /// The path of the bus that it was published on.
  public let bus: String
}

extension EventBus {
  /// What is published on this bus or one within it and nobody observes. A sticky event waits for
  /// somebody, and is not among them.
  ///
  ///     bus.unheard.observeNext { show("Nobody listens to \(type(of: $0.event)).") }
  public var unheard: EventStream<UnheardEvent, Never> { unheardEvents.stream }

  /// Everything that is published on this bus or one within it, as soon as all have got it.
  ///
  ///     bus.trace.observeNext { print($0) }  // bus: Saved(title: "Emma") → list (bus)
  ///
  /// As long as nobody observes it, it costs nothing.
  public var trace: EventStream<EventTrace, Never> {
    .unguarded { observer in
      let dispatch = self.dispatch
      dispatch.beginTrace()
      observer.observation.add { dispatch.tracers -= 1 }
      self.traces.stream.start(observer)
    }
  }
}

extension Remote where Owner == EventBus {
  /// Publishes an event from any thread. Events of one thread come in the order in which it
  /// published them.
  ///
  ///     let remote = bus.remote
  ///     Task.detached { remote.publish(Saved(title: "Emma")) }
  public func publish<Event: Sendable>(_ event: Event) {
    send { $0.publish(event) }
  }
}

extension EventBus {
  /// A handle through which other threads publish.
  ///
  /// It is for the thread of a loop and for the main actor; in another actor write `Remote(bus)`,
  /// which sees the actor.
  public var remote: Remote<EventBus> { Remote(self) }
}
