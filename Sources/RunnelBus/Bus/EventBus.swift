import RunnelStreams

/// Carries events between the parts of a program that do not know each other: whoever publishes one
/// does not know who observes its type, nor the other way round.
///
///     struct Renamed { let title: String }
///     let bus = EventBus()
///     bus.events(Renamed.self).observeNext { show($0.title) }
///     bus.publish(Renamed(title: "Emma"))
///
/// Any type can be one of events; the type that an event is published as is the one that counts.
///
/// A bus may stand within another one: what is published on it rises, after its own observers have
/// it, to the one around it. All of them together tell one event after the other: what an observer
/// publishes waits until everybody has the event before (C2).
public final class EventBus {
  /// What it is called where somebody traces events.
  public let name: String
  /// The bus that events rise to from here.
  public let parent: EventBus?

  let coder: (any TopicCoder)?

  @usableFromInline let dispatch: Dispatch
  /// By type, the ``Channel`` of its events.
  @usableFromInline let channels = TypeTable()
  /// By type, the ``AnswerDesk`` of its requests.
  let desks = TypeTable()
  let topics = TopicTable()
  let unheardEvents = PushStream<UnheardEvent>()
  let traces = PushStream<EventTrace>()

  /// A bus that stands alone. The coder writes and reads payloads of topics where that is needed.
  public init(name: String = "bus", coder: (any TopicCoder)? = nil) {
    self.name = name
    self.coder = coder
    parent = nil
    dispatch = Dispatch()
  }

  /// A bus whose events rise to another one, whose coder it has too.
  public init(name: String, within parent: EventBus) {
    self.name = name
    coder = parent.coder
    self.parent = parent
    dispatch = parent.dispatch
  }

  /// The names of this bus and those around it, `app/editor`.
  public var path: String {
    parent.map { "\($0.path)/\(name)" } ?? name
  }

  /// This bus and those around it, from here outwards.
  var rising: some Sequence<EventBus> { sequence(first: self, next: \.parent) }

  // MARK: - Publishing

  /// Tells everybody who observes events of this type, on this bus and then on those around it.
  ///
  /// *Events*: the observers with the highest priority first, and among equals whoever began first.
  /// Published by an observer, an event waits until the one before has been told.
  @inlinable
  public func publish<Event>(_ event: Event) {
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.tell(event, isKept: false) }
    }
    tell(event, isKept: false)
    dispatch.end()
  }

  /// The same, and keeps the event: whoever observes the type later gets it at once.
  ///
  ///     bus.publish(sticky: Theme.dark)
  ///     bus.events(Theme.self).observeNext { show($0) }
  ///
  /// It takes the place of the one before, on each bus that it reaches, and stays until
  /// ``removeSticky(_:)``.
  public func publish<Event>(sticky event: Event) {
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.tell(event, isKept: true) }
    }
    tell(event, isKept: true)
    dispatch.end()
  }

  @inlinable
  func tell<Event>(_ event: Event, isKept: Bool) {
    dispatch.turn &+= 1
    defer { dispatch.turn &+= 1 }
    if isKept { keep(event) }
    var isHeard = isKept
    // Safety: whoever publishes keeps this bus, which keeps those around it.
    var bus: Unmanaged<EventBus>? = .passUnretained(self)
    while let current = bus {
      bus = current._withUnsafeGuaranteedRef { bus in
        if let channel = bus.channelIfAny(of: Event.self) {
          if channel._withUnsafeGuaranteedRef({ $0.send(event) }) { isHeard = true }
        }
        return bus.parent.map { .passUnretained($0) }
      }
    }
    if !isHeard || dispatch.isTraced { report(event, isHeard: isHeard) }
  }

  /// Lets an event stay, on all buses first: whoever comes while it is told is not told of it.
  @usableFromInline
  func keep<Event>(_ event: Event) {
    for bus in rising { bus.channel(of: Event.self).replaceSticky(with: event) }
  }

  /// Tells those who watch the traffic of an event that has been told.
  @usableFromInline
  func report(_ event: Any, topic: String? = nil, isHeard: Bool) {
    if !isHeard {
      for bus in rising where bus.unheardEvents.isObserved {
        bus.unheardEvents.next(UnheardEvent(event: event, topic: topic, bus: path))
      }
    }
    guard dispatch.isTraced else { return }
    let trace = EventTrace(
      event: event, topic: topic, bus: path, receivers: dispatch.takeReceivers())
    for bus in rising { bus.traces.next(trace) }
  }

  // MARK: - Observing

  /// The events of a type that are published on this bus and those within it, from now on; first of
  /// all the sticky one, if there is one.
  ///
  ///     bus.events(Saved.self, priority: .high).observeNext { show($0.title) }
  ///
  /// The name says in traces who it is; else that is the place in the source.
  @inlinable
  public func events<Event>(
    _ type: Event.Type, priority: EventPriority = .normal, name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Event, Never> {
    let location = SourceLocation(file: file, line: line)
    return .unguarded { observer in
      let channel = self.channel(of: type)
      let listening = Listening(to: self, as: name, at: location)
      let turn = self.dispatch.turn
      channel.lane(of: priority).add(
        Observer(before: observer) { event in
          // Whoever comes while an event is told was not there when that was published.
          if listening.dispatch.turn == turn { return }
          listening.noteIfTraced()
          observer.next(event)
        },
        replaying: { _ in
          if let event = channel.sticky { observer.next(event) }
        })
    }
  }

  /// The sticky event of a type, if there is one.
  public func sticky<Event>(_ type: Event.Type) -> Event? {
    channelIfAny(of: type)?.takeUnretainedValue().sticky
  }

  /// Whoever observes the type later does not get the sticky event any more. It stays on the buses
  /// around this one.
  public func removeSticky<Event>(_ type: Event.Type) {
    channelIfAny(of: type)?.takeUnretainedValue().replaceSticky(with: nil)
  }

  // MARK: - Channels

  @inlinable
  func channelIfAny<Event>(of type: Event.Type) -> Unmanaged<Channel<Event>>? {
    // Safety: under a type stands the channel of that type, and stays there.
    channels[type].map { unsafeBitCast($0, to: Unmanaged<Channel<Event>>.self) }
  }

  @usableFromInline
  func channel<Event>(of type: Event.Type) -> Channel<Event> {
    if let channel = channelIfAny(of: type) { return channel.takeUnretainedValue() }
    let channel = Channel<Event>()
    channels.add(channel, of: type)
    return channel
  }
}
