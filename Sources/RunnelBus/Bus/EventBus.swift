import RunnelStreams

/// A typed event bus between parts of a program that do not know each other.
///
///     struct Renamed { let title: String }
///     let bus = EventBus()
///     bus.events(Renamed.self).observeNext { show($0.title) }
///     bus.publish(Renamed(title: "Emma"))
///
/// An event may have any type. The static type at the call of `publish` selects the observers.
///
/// A bus may have a parent. An event is delivered to the observers of its bus, and then to those of
/// the parent. All buses with a common root deliver one event at a time: an event that an observer
/// publishes is queued until all observers have received the current one (C2).
public final class EventBus {
  /// The name of the bus in traces.
  public let name: String
  /// The names of this bus and its parents, from the root: `app/editor`.
  public let path: String
  /// The bus that receives the events of this bus next.
  public let parent: EventBus?

  let coder: (any TopicCoder)?

  @usableFromInline let dispatch: Dispatch
  /// The ``Channel`` of each event type.
  @usableFromInline let channels = TypeTable()
  /// The ``AnswererList`` of each request type.
  let answererLists = TypeTable()
  let topics = TopicTable()
  /// The links to other programs, in the order in which they were made.
  var links: [BusLink] = []
  /// True once this bus or a bus within it was joined. Other programs may then have its sticky events.
  var isShared = false
  let identity: BusIdentity
  /// The events of other programs that this bus has received.
  var seen = SeenEvents()
  /// The answers to requests of other programs, by topic.
  var remoteAnswers: [String: RemoteAnswer] = [:]
  let unheardEvents = PushStream<UnheardEvent>()
  let traces = PushStream<EventTrace>()

  /// Creates a bus without a parent. The coder encodes and decodes payloads of topics where needed.
  public convenience init(name: String = "bus", coder: (any TopicCoder)? = nil) {
    self.init(name: name, coder: coder, stamps: .system)
  }

  /// Creates a bus with given inputs of stamps.
  package init(name: String, coder: (any TopicCoder)?, stamps: StampInputs) {
    self.name = name
    path = name
    self.coder = coder
    parent = nil
    dispatch = Dispatch(stamps)
    identity = BusIdentity(within: nil, stamps)
  }

  /// Creates a bus within a parent, which also provides the coder.
  public init(name: String, within parent: EventBus) {
    self.name = name
    path = "\(parent.path)/\(name)"
    coder = parent.coder
    self.parent = parent
    dispatch = parent.dispatch
    identity = BusIdentity(within: parent.identity, parent.dispatch.family.inputs)
  }

  deinit {
    for link in links { link.dispose() }
  }

  var selfAndParents: some Sequence<EventBus> { sequence(first: self, next: \.parent) }

  // MARK: - Publishing

  /// Publishes an event to the observers of its type, on this bus and then on its parents.
  ///
  /// *Events*: observers with higher priority receive the event first; with equal priority, earlier
  /// observers are first. An event that is published by an observer is queued until the current one
  /// has been delivered.
  ///
  /// A ``TopicEvent`` is published on its topic, and crosses by the links that export the topic. If one
  /// of them refuses it, the reason is logged and the event is not published. To handle the reason,
  /// use `publish(_:on:)`.
  @inlinable
  public func publish<Event>(_ event: Event) {
    publish(event, isKept: false)
  }

  /// Publishes an event and retains it. Later observers of the type receive it at once.
  ///
  ///     bus.publish(sticky: Theme.dark)
  ///     bus.events(Theme.self).observeNext { show($0) }
  ///
  /// It replaces the previous sticky event of the type, on this bus and its parents, until
  /// ``removeSticky(_:)``.
  public func publish<Event>(sticky event: Event) {
    publish(event, isKept: true)
  }

  @inlinable
  func publish<Event>(_ event: Event, isKept: Bool) {
    let own: Unmanaged<Channel<Event>>
    if let channel = channelIfAny(of: Event.self) {
      own = channel
    } else {
      own = .passUnretained(channel(of: Event.self))
    }
    // Safety: the table retains the channel, and never removes it.
    if let binding = own._withUnsafeGuaranteedRef({ $0.binding }) {
      return publish(event, by: binding, isKept: isKept)
    }
    guard dispatch.begin() else {
      return dispatch.waiting.append { self.deliver(event, to: own, isKept: isKept) }
    }
    deliver(event, to: own, isKept: isKept)
    dispatch.end()
  }

  @inlinable
  func deliver<Event>(_ event: Event, to own: Unmanaged<Channel<Event>>, isKept: Bool) {
    dispatch.turn &+= 1
    defer { dispatch.turn &+= 1 }
    if isKept { keep(event) }
    var isReceived = isKept
    // Safety: the table of this bus retains the channel.
    if own._withUnsafeGuaranteedRef({ $0.send(event) }) { isReceived = true }
    // Safety: the caller retains this bus, which retains its parents.
    var bus: Unmanaged<EventBus>? = parent.map { .passUnretained($0) }
    while let current = bus {
      bus = current._withUnsafeGuaranteedRef { bus in
        if let channel = bus.channelIfAny(of: Event.self) {
          if channel._withUnsafeGuaranteedRef({ $0.send(event) }) { isReceived = true }
        }
        return bus.parent.map { .passUnretained($0) }
      }
    }
    if !isReceived || dispatch.isTraced { report(event, isReceived: isReceived) }
  }

  /// Stores the event on all buses before delivery. An observer that is added during the delivery
  /// receives the stored event only.
  @usableFromInline
  func keep<Event>(_ event: Event) {
    for bus in selfAndParents { bus.channel(of: Event.self).replaceSticky(with: event) }
  }

  /// Reports a delivered event to the observers of traces and unheard events.
  @usableFromInline
  func report(_ event: Any, topic: String? = nil, isReceived: Bool) {
    if !isReceived {
      for bus in selfAndParents where bus.unheardEvents.isObserved {
        bus.unheardEvents.next(UnheardEvent(event: event, topic: topic, bus: path))
      }
    }
    guard dispatch.isTraced else { return }
    let trace = EventTrace(
      event: event, topic: topic, bus: path, receivers: dispatch.takeReceivers())
    for bus in selfAndParents { bus.traces.next(trace) }
  }

  // MARK: - Observing

  /// Returns the events of a type that are published on this bus and the buses within it. A sticky
  /// event is sent first.
  ///
  ///     bus.events(Saved.self, priority: .high).observeNext { show($0.title) }
  ///
  /// In traces, `name` identifies the observer; the default is its position in the source.
  @inlinable
  public func events<Event>(
    _ type: Event.Type, priority: EventPriority = .normal, name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Event, Never> {
    let location = SourceLocation(file: file, line: line)
    if let binding = channel(of: type).binding {
      return events(by: binding, priority: priority, name: name, at: location)
    }
    return .unguarded { observer in
      let channel = self.channel(of: type)
      let receiver = TracedReceiver(to: self, as: name, at: location)
      let turn = self.dispatch.turn
      channel.lane(of: priority).add(
        Observer(before: observer) { event in
          // This observer was added during the delivery, after the event was published.
          if receiver.dispatch.turn == turn { return }
          receiver.noteIfTraced()
          observer.next(event)
        },
        replaying: { _ in
          if let event = channel.sticky { observer.next(event) }
        })
    }
  }

  /// Returns the sticky event of a type, if there is one.
  public func sticky<Event>(_ type: Event.Type) -> Event? {
    let channel = channel(of: type)
    return channel.binding.map { sticky(by: $0) } ?? channel.sticky
  }

  /// Removes the sticky event of a type from this bus, but not from its parents. The
  /// sticky event of a ``TopicEvent`` is removed by ``removeSticky(on:)``.
  public func removeSticky<Event>(_ type: Event.Type) {
    let channel = channel(of: type)
    if let binding = channel.binding { return removeSticky(on: binding.topic) }
    channel.replaceSticky(with: nil)
  }

  // MARK: - Channels

  @inlinable
  func channelIfAny<Event>(of type: Event.Type) -> Unmanaged<Channel<Event>>? {
    // Safety: the table stores a `Channel<Event>` under the type `Event`, and never removes it.
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
