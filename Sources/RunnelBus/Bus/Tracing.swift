import RunnelStreams

extension EventBus {
  /// The events on this bus and the buses within it that no observer received. Sticky events are
  /// not included, because they are retained for later observers.
  ///
  ///     bus.unheard.observeNext { show("Nobody listens to \(type(of: $0.event)).") }
  public var unheard: EventStream<UnheardEvent, Never> { unheardEvents.stream }

  /// All events on this bus and the buses within it, each after its delivery.
  ///
  ///     bus.trace.observeNext { print($0) }  // bus: Saved(title: "Emma") → list (bus)
  ///
  /// Tracing costs nothing while this stream is not observed.
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
  /// Publishes an event from any thread. Events of one thread arrive in the order in which it
  /// published them.
  ///
  ///     let remote = bus.remote
  ///     Task.detached { remote.publish(Saved(title: "Emma")) }
  public func publish<Event: Sendable>(_ event: Event) {
    send { $0.publish(event) }
  }
}

extension EventBus {
  /// A handle for publishing from other threads.
  ///
  /// Use it on the thread of a loop or on the main actor. In another actor, write `Remote(bus)`,
  /// which ties the handle to the actor.
  public var remote: Remote<EventBus> { Remote(self) }
}
