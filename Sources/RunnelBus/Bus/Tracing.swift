import RunnelStreams

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
