import RunnelStreams

/// A link between a bus and a transport to other programs, made by `EventBus.join`.
///
///     let link = try bus.join(broker, prefix: "shop", exporting: ["orders.#"])
///     link.state.observeNext { print($0) }  // connecting, online, offline: …
///
/// The bus keeps the link until ``dispose()``, or until the bus itself is released.
public final class BusLink {
  /// The name of the transport.
  public let name: String

  private enum Phase {
    /// Events cross in both directions.
    case open
    /// The events that wait are sent, and no others.
    case leaving
    /// The link was disposed.
    case left
  }

  /// The subscription to the imported patterns.
  private enum Subscription {
    /// Nothing is imported.
    case none
    /// The peer has not confirmed the patterns on the present connection.
    case unconfirmed
    case confirmed
    case refused(TransportError, since: Duration)
  }

  private(set) weak var bus: EventBus?
  let transport: any BusTransport
  /// The prefix of all topics, with its dot.
  let prefix: String
  /// The transport and the prefix. Events that came from this place are not sent to it.
  private let place: String
  /// The number of the delivery in which the bus was joined. Its event is not sent.
  let joinTurn: Int
  let exports: JoinTable
  let imports: JoinTable
  private let queue: OutgoingQueue
  private let resources = Disposable()
  /// The place where imported messages arrive, and the end of the subscription.
  private var reception: (receiver: TransportReceiver, end: Disposable)?
  private var phase = Phase.open
  private var subscription = Subscription.none
  private let current: Property<LinkState>
  private var arrived = LinkCounts()
  /// The topics of the requests that are answered.
  var answering: [String: Disposable] = [:]
  /// The latest sticky messages of programs without Runnel, by topic.
  private var foreign = Generations<String, [UInt8]>(limit: 4_096)
  private lazy var restorer = StickyRestorer(transport.scheduler) { [weak self] in
    self?.restoreSticky(on: $0)
  }
  /// Called when the link is disposed.
  private var leavers: [() -> Void] = []

  init(
    _ bus: EventBus, _ transport: any BusTransport, prefix: String, exports: JoinTable,
    imports: JoinTable, queue: OutgoingQueue
  ) {
    self.bus = bus
    self.transport = transport
    self.prefix = prefix
    self.exports = exports
    self.imports = imports
    self.queue = queue
    name = transport.name
    place = "\(name) \(prefix)"
    joinTurn = bus.dispatch.turn
    current = Property(transport.state.value)
  }

  /// The state of the transport, which is online only when the peer has confirmed the imported
  /// patterns, too. If the peer refuses one of them, the link is offline, and what it exports waits.
  public var state: ReadOnlyProperty<LinkState> { current.readOnly }

  /// The numbers of messages so far.
  public var counts: LinkCounts {
    var counts = arrived
    counts.sent = queue.sentCount
    counts.dropped = queue.droppedCount
    counts.refused += queue.refusedCount
    counts.waiting = queue.count
    return counts
  }

  var isOpen: Bool { phase == .open }

  /// Ends the link at once. Events that wait are dropped, or stay in the store of the queue for the
  /// next run. A second call does nothing.
  public func dispose() {
    if phase == .left { return }
    phase = .left
    endReception()
    queue.close()
    bus?.links.removeAll { $0 === self }
    for answer in exchange(&answering, with: [:]).values { answer.dispose() }
    restorer.dispose()
    resources.dispose()
    current.value = .offline(since: transport.scheduler.now, reason: .closed)
    for leaver in exchange(&leavers, with: []) { leaver() }
  }

  /// Ends the link when it has sent the events that wait. Until then it takes no events from the bus
  /// and delivers none.
  ///
  /// *Events*: begins when it is observed, and completes when the link is disposed. While the
  /// transport is offline it waits; use a time limit.
  ///
  /// *Disposal*: ends the link at once, as ``dispose()`` does.
  public func leave() -> Completable<Never> {
    Completable { finish in
      if self.phase == .left {
        finish(.completed)
        return .none
      }
      self.leavers.append { finish(.completed) }
      self.beginLeaving()
      return Disposable { self.dispose() }
    }
  }

  private func beginLeaving() {
    guard phase == .open else { return }
    phase = .leaving
    queue.emptied = { [weak self] in self?.dispose() }
    endReception()
    follow(transport.state.value)
    if queue.count == 0 { dispose() }
  }

  private func endReception() {
    subscription = .none
    guard let ended = exchange(&reception, with: nil) else { return }
    ended.receiver.close()
    ended.end.dispose()
  }

  // MARK: - States

  /// Connects the transport and subscribes.
  func open() {
    resources.add(transport.connect())
    let patterns = imports.eventPatterns(prefix: prefix)
    if !patterns.isEmpty {
      subscription = .unconfirmed
      let receiver = TransportReceiver { [weak self] in self?.handle($0) }
      reception = (receiver, transport.subscribe(to: patterns, receiver))
    }
    resources.add(transport.state.stream.observeNext { [weak self] in self?.follow($0) })
    if let bus {
      resources.add(
        bus.dispatch.answerChanges.observeNext { [weak self] _ in self?.serveRequests() })
    }
    serveRequests()
  }

  private func follow(_ state: LinkState) {
    switch (state, subscription) {
    case (.online, .refused(let error, let since)):
      show(.offline(since: since, reason: error), isActive: false)
    case (.online, .unconfirmed): show(.connecting, isActive: true)
    case (.online, .none), (.online, .confirmed): show(.online, isActive: true)
    case (.connecting, .confirmed), (.offline, .confirmed):
      subscription = .unconfirmed
      show(state, isActive: false)
    case (.connecting, _), (.offline, _): show(state, isActive: false)
    }
  }

  private func show(_ state: LinkState, isActive: Bool) {
    if phase == .left { return }
    if current.value != state { current.value = state }
    // An observer of the state may have disposed the link.
    if phase != .left, queue.isActive != isActive { queue.isActive = isActive }
  }

  private func handle(_ arrival: TransportReceiver.Arrival) {
    switch arrival {
    case .confirmed:
      subscription = .confirmed
      follow(transport.state.value)
    case .failed(let error):
      subscription = .refused(error, since: transport.scheduler.now)
      follow(transport.state.value)
    case .message(let message): receive(message)
    }
  }

  // MARK: - Exporting

  /// Throws if an event of this program must not be published, because the link exports its topic and
  /// the transport cannot carry it.
  func check(_ message: TopicMessage) throws(TopicError) {
    guard isOpen, let rule = exports.rule(for: message.levels) else { return }
    if message.kind == .sticky && rule.sticky == .refused {
      throw .notRetained(topic: message.topic, transport: name)
    }
    do throws(TransportError) {
      try transport.check(topic: prefix + message.topic)
    } catch {
      var reason = "\(error)"
      if case .unmappable(_, let part) = error { reason = part }
      throw .unmappable(topic: message.topic, transport: name, reason: reason)
    }
    if rule.crossing(message.kind) == .event && queue.isRefusing {
      throw .queueFull(topic: message.topic, transport: name)
    }
  }

  /// Sends a message of the bus. Returns false if it does not cross by this link.
  func export(_ message: TopicMessage) -> Bool {
    guard isOpen, message.arrival?.place != place else { return false }
    return send(message)
  }

  private func send(_ message: TopicMessage) -> Bool {
    guard let bus, let rule = exports.rule(for: message.levels) else { return false }
    guard let kind = rule.crossing(message.kind) else {
      // It came by another link. An event of this program was checked before.
      if message.kind == .sticky { refuse(message, "The transport retains no sticky events.") }
      return false
    }
    let stamp = message.stamped(in: bus.dispatch.family)
    do {
      try transport.check(topic: prefix + message.topic)
      let payload = try message.bytes
      queue.add(
        TransportMessage(
          topic: prefix + message.topic, kind: kind, payload: payload,
          stamp: message.arrival?.place == place ? stamp.returned : stamp,
          isAcknowledged: rule.isAcknowledged),
        wasChecked: message.arrival == nil)
    } catch {
      refuse(message, "\(error)")
    }
    return true
  }

  private func refuse(_ message: TopicMessage, _ reason: String) {
    arrived.refused += 1
    Log("runnel.bus").warning(
      "An event does not cross.", ["transport": name, "topic": message.topic, "reason": reason])
  }

  /// Sends the sticky events of the bus that match the exported patterns, and the removals that an
  /// earlier link may not have sent.
  func exportSticky() {
    guard let bus else { return }
    for message in exports.kept(on: bus) + exports.removals(on: bus) { _ = export(message) }
  }

  // MARK: - Importing

  private func receive(_ message: TransportMessage) {
    guard isOpen, let bus, let arrival = topicMessage(of: message, on: bus) else {
      arrived.ignored += 1
      return
    }
    if arrival.kind != .event { compareSticky(arrival, on: bus) }
    bus.publish(arrived: arrival, by: self)
  }

  /// Runs a closure that handles a message which arrived earlier, so that a full queue pauses this link.
  func whileReceiving(_ body: () -> Void) {
    guard let receiver = reception?.receiver else { return body() }
    Delivery.from(receiver, body)
  }

  func count(isDelivered: Bool) {
    if isDelivered { arrived.received += 1 } else { arrived.ignored += 1 }
  }

  /// Returns a message as one of the bus; nil if it is none.
  private func topicMessage(of message: TransportMessage, on bus: EventBus) -> TopicMessage? {
    guard message.topic.utf8.starts(with: prefix.utf8), !belongsToOtherLink(message.topic, on: bus)
    else { return nil }
    let topic = message.topic.withoutPrefix(prefix)
    guard let levels = try? TopicLevels(topic: topic), let rule = imports.rule(for: levels) else {
      return nil
    }
    var kind = message.kind
    if rule.sticky == .plain {
      if kind == .cleared { return nil }
      kind = .event
    }
    var stamp: EventStamp?
    if let given = message.stamp {
      guard let next = given.forwarded else {
        ignore(message, "It has passed \(EventStamp.mostHops) transports.")
        return nil
      }
      guard kind == .event || bus.dispatch.family.isCredible(given) else {
        ignore(message, "Its number is years ahead of the clock.")
        return nil
      }
      bus.dispatch.family.note(given)
      stamp = next
    } else if message.kind != .event {
      if message.isStored && isKnown(message, as: topic, on: bus) { return nil }
      foreign[topic] = message.payload
    }
    return TopicMessage(
      topic: topic, levels: levels, kind: kind, payload: .bytes(message.payload), coder: bus.coder,
      source: bus.identity,
      arrival: TopicMessage.Arrival(place: place, isRepeated: message.isRepeated), stamp: stamp)
  }

  /// True if the topic has the longer prefix of another link to the same peer. That link brings it, so
  /// that an event which passes both links does not get one more prefix each time.
  private func belongsToOtherLink(_ topic: String, on bus: EventBus) -> Bool {
    bus.links.count > 1
      && bus.links.contains {
        $0.name == name && $0.prefix.utf8.count > prefix.utf8.count
          && topic.utf8.starts(with: $0.prefix.utf8)
      }
  }

  /// True if the bus has a sticky message of a program without Runnel, or a later one that the peer
  /// does not have yet.
  private func isKnown(_ message: TransportMessage, as topic: String, on bus: EventBus) -> Bool {
    queue.hasSticky(on: message.topic) || foreign[topic] == message.payload
      || (try? bus.topics.kept(on: topic)?.bytes) == message.payload
  }

  private func ignore(_ message: TransportMessage, _ reason: String) {
    Log("runnel.bus").warning(
      "A message is ignored.", ["transport": name, "topic": message.topic, "reason": reason])
  }

  // MARK: - Sticky events

  /// Compares a sticky event or removal that has arrived with the latest one of the bus, which the peer
  /// may have to get again.
  private func compareSticky(_ arrival: TopicMessage, on bus: EventBus) {
    guard let stamp = arrival.stamp, let latest = bus.topics.latest(on: arrival.topic),
      let latestStamp = latest.stamp, exports.rule(for: arrival.levels)?.sticky == .retained
    else { return }
    restorer.compare(
      stamp, with: latestStamp, on: arrival.topic, isFromPeer: latest.arrival?.place == place,
      spread: bus.identity.spread(below: 1_000))
  }

  private func restoreSticky(on topic: String) {
    guard isOpen, let latest = bus?.topics.latest(on: topic) else { return }
    _ = send(latest)
  }
}
