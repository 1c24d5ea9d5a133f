import RunnelStreams

extension EventBus {
  /// Joins this bus to buses in other programs, over a transport.
  ///
  ///     let link = try bus.join(
  ///       broker, prefix: "shop", exporting: ["orders.#"], importing: ["orders.#", "stock.*"])
  ///     link.state.observeNext { print($0) }
  ///
  /// Events on topics that match an exported pattern are sent, whether they are published on the
  /// topic or as a ``TopicEvent``. Events of other programs that match an imported pattern are
  /// published on this bus. On the transport, all topics begin with the prefix.
  ///
  /// *Events*: each bus receives each event once, however many links there are and however they are
  /// connected. If there is exactly one path between two buses, the events of one publisher on one topic
  /// arrive in their order. Of two sticky events on a topic the later one stays on all buses, and the
  /// earlier one is not delivered after it. An event from a program without Runnel has no identity:
  /// it arrives once by each link that imports it, so import its topic by one link only.
  ///
  /// The sticky events of the bus that match an exported pattern are sent at once, with the times at which
  /// they were published: a later one of another program replaces them. While the
  /// transport is offline, events wait in the queue.
  ///
  /// *Disposal*: the bus keeps the link until ``BusLink/dispose()``.
  @discardableResult
  public func join<Transport: BusTransport>(
    _ transport: Transport, prefix: String? = nil, exporting: [JoinPattern<Transport>] = [],
    importing: [JoinPattern<Transport>] = [], queue: LinkQueue = LinkQueue()
  ) throws(JoinError) -> BusLink {
    try join(
      untyped: transport, prefix: prefix, exporting: exporting.map(\.erased),
      importing: importing.map(\.erased), queue: queue)
  }

  /// Joins this bus to buses in other programs, over a transport whose type is not known. It throws
  /// ``JoinError/lacks(_:transport:)`` if a pattern needs what the transport does not have.
  ///
  ///     let transport: any BusTransport = broker
  ///     try bus.join(untyped: transport, exporting: [.retained("prices.*")])
  @discardableResult
  public func join(
    untyped transport: any BusTransport, prefix: String? = nil,
    exporting: [JoinPattern<any BusTransport>] = [],
    importing: [JoinPattern<any BusTransport>] = [], queue: LinkQueue = LinkQueue()
  ) throws(JoinError) -> BusLink {
    if let prefix {
      do throws(TopicError) {
        _ = try TopicLevels(topic: prefix)
      } catch {
        throw .invalidPattern(prefix, error)
      }
    }
    let prefix = prefix.map { "\($0)." } ?? ""
    let exports = try JoinTable(exporting, prefix: prefix, transport)
    let imports = try JoinTable(importing, prefix: prefix, transport)
    if exports.hasEvents || exports.hasRequests || imports.hasRequests, coder == nil {
      throw .noCoder
    }
    for message in exports.kept(on: self)
    where exports.rule(for: message.levels)?.sticky == .refused {
      throw .notRetained(topic: message.topic, transport: transport.name)
    }
    let queue = try OutgoingQueue(transport, queue)
    let link = BusLink(
      self, transport, prefix: prefix, exports: exports, imports: imports, queue: queue)
    for bus in selfAndParents {
      bus.isShared = true
      // The observers of the earlier run have handled these events.
      for (topic, stamp) in queue.storedEvents where topic.utf8.starts(with: prefix.utf8) {
        _ = bus.seen.insert(stamp, on: topic.withoutPrefix(prefix))
      }
    }
    links.append(link)
    link.exportSticky()
    link.open()
    return link
  }

  /// Publishes a message that a link has brought. This bus and its parents deliver it unless they have
  /// received the event before. It waits for the end of the present delivery, and is dropped if the
  /// link is disposed meanwhile.
  func publish(arrived message: TopicMessage, by link: BusLink) {
    guard dispatch.begin() else {
      return dispatch.waiting.append {
        link.whileReceiving {
          link.count(isDelivered: link.isOpen && self.deliver(arrived: message))
        }
      }
    }
    link.count(isDelivered: deliver(arrived: message))
    dispatch.end()
  }

  /// Returns false if no bus has delivered the message.
  private func deliver(arrived message: TopicMessage) -> Bool {
    let buses = receivers(of: message)
    if buses.isEmpty { return false }
    guard message.kind == .cleared else {
      deliver(message, to: buses)
      return true
    }
    for bus in buses { bus.topics.removeKept(on: message.topic, by: message) }
    for bus in buses {
      for link in bus.links { _ = link.export(message) }
    }
    return true
  }

  /// Returns the buses on which a message from another program is delivered.
  private func receivers(of message: TopicMessage) -> [EventBus] {
    guard let stamp = message.stamp else {
      // A program without Runnel has sent it. Its sticky event is the latest one.
      if message.kind != .event { _ = message.stamped(in: dispatch.family) }
      return Array(selfAndParents)
    }
    let origin = dispatch.family.origin(of: stamp)
    return selfAndParents.filter { bus in
      // A removal is not delivered on the parents of its origin, which keep the sticky event.
      let isOwn = { (origin: BusIdentity) in
        message.kind == .cleared ? origin === bus.identity : origin.reaches(bus.identity)
      }
      if let origin, isOwn(origin) { return false }
      let isNew = bus.seen.insert(stamp, on: message.topic)
      guard message.kind != .event else { return isNew }
      if let latest = bus.topics.latest(on: message.topic)?.stamp, !stamp.isLater(than: latest) {
        return false
      }
      // It may have arrived before as an event that is not sticky.
      if !isNew, message.kind == .sticky { bus.topics.keep(message) }
      return isNew
    }
  }
}

extension JoinPattern {
  /// The pattern for a transport of any type.
  fileprivate var erased: JoinPattern<any BusTransport> {
    JoinPattern<any BusTransport>(pattern, content)
  }
}

extension String {
  /// The text after a prefix, which it has.
  func withoutPrefix(_ prefix: String) -> String {
    prefix.isEmpty ? self : String(Substring(utf8.dropFirst(prefix.utf8.count)))
  }
}
