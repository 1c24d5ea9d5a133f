import RunnelStreams

/// The subscriptions that observers want, and those that the broker has.
///
/// A change while there is no connection is made on the next one. On a new connection, all
/// subscriptions are made again if the broker has no session, and otherwise those that have changed.
struct SubscriptionTable {
  /// The end of a request.
  enum Answer {
    /// The broker has confirmed the subscription. The guarantee is set if it is weaker than the one asked for.
    case confirmed(ExactText, weakened: MQTTQoS?)
    /// The observers have been removed, and must hear of it.
    case refused([Subscriber], MQTTError)
    /// The broker refuses to end a subscription, and goes on to send.
    case remains(ExactText, MQTTReason)
  }

  private struct Request {
    let filter: ExactText
    /// The subscription identifier; nil for the end of a subscription.
    let identifier: UInt32?
    let qos: MQTTQoS
  }

  private(set) var entries: [ExactText: SubscriptionEntry] = [:]
  /// The filters whose packet has to be written, in order. A filter can be there twice, or without need.
  private var changes = Queue<ExactText>()
  private var requests: [UInt16: Request] = [:]
  private var lastIdentifier: UInt32
  private var lastSerial: UInt64 = 0
  private var lastOrder: UInt64 = 0
  /// The filters of all subscription identifiers, also of those that nobody needs any more.
  private var filters: [UInt32: ExactText] = [:]
  /// The identifiers that nobody needs any more. Messages with them may be on their way.
  private var oldIdentifiers = Queue<UInt32>()
  private static let keptIdentifiers = 64

  /// The first identifier is random, so that it differs from those of an earlier run of the program,
  /// which the broker may repeat.
  init(firstIdentifier: UInt32) {
    lastIdentifier = firstIdentifier
  }

  /// True if the broker has confirmed everything.
  var isSettled: Bool { changes.isEmpty && requests.isEmpty }

  /// The number of packets that have to be written, or more.
  var changeCount: Int { changes.count }

  /// True if the broker has confirmed a subscription as it is.
  func isConfirmed(_ filter: ExactText) -> Bool {
    if case .confirmed? = entries[filter]?.progress { true } else { false }
  }

  /// The filter of a subscription identifier that this run of the program has made.
  func filter(of identifier: UInt32) -> ExactText? { filters[identifier] }

  /// The observers of a filter.
  subscript(filter: ExactText) -> [Subscriber] { entries[filter]?.subscribers ?? [] }

  /// All observers, each once, in their order.
  var subscribers: [Subscriber] {
    var seen: Set<ObjectIdentifier> = []
    return entries.values.flatMap(\.subscribers).filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }.inOrder
  }

  // MARK: - Observers

  mutating func add(_ subscriber: Subscriber) {
    lastSerial += 1
    subscriber.serial = lastSerial
    for subscription in subscriber.subscriptions { add(subscriber, subscription) }
  }

  private mutating func add(_ subscriber: Subscriber, _ subscription: MQTTSubscription) {
    let filter = ExactText(subscription.filter)
    guard var entry = entries[filter] else {
      lastOrder += 1
      entries[filter] = SubscriptionEntry(subscription, of: subscriber, order: lastOrder)
      return appendChange(filter)
    }
    let isServed = entry.add(subscriber, subscription)
    if !isServed { change(&entry, filter) }
    entries[filter] = entry
  }

  mutating func remove(_ subscriber: Subscriber) {
    for filter in subscriber.filters {
      guard var entry = entries[filter] else { continue }
      for identifier in entry.remove(subscriber) { retire(identifier) }
      if entry.subscribers.isEmpty {
        guard entry.progress.presence != .absent else {
          entries[filter] = nil
          continue
        }
        change(&entry, filter)
      }
      entries[filter] = entry
    }
  }

  private mutating func change(_ entry: inout SubscriptionEntry, _ filter: ExactText) {
    if case .changed = entry.progress { return }
    entry.progress = .changed(entry.progress.presence)
    appendChange(filter)
  }

  private mutating func appendChange(_ filter: ExactText) {
    changes.append(filter)
    // While nothing is written, observers come and go without end.
    guard changes.count > 2 * entries.count + 8 else { return }
    var (old, seen) = (exchange(&changes, with: Queue()), Set<ExactText>())
    while let filter = old.popFirst() {
      guard case .changed? = entries[filter]?.progress, seen.insert(filter).inserted else {
        continue
      }
      changes.append(filter)
    }
  }

  /// Nobody needs an identifier any more. The latest ones are kept, for messages on their way.
  private mutating func retire(_ identifier: UInt32) {
    oldIdentifiers.append(identifier)
    if oldIdentifiers.count > Self.keptIdentifiers, let oldest = oldIdentifiers.popFirst() {
      filters[oldest] = nil
    }
  }

  // MARK: - Connections

  /// Begins a new connection.
  mutating func begin(isSessionPresent: Bool, _ ids: inout PacketIDs) {
    for (id, request) in requests {
      ids.release(id)
      entries[request.filter]?.loseAnswer(to: request.identifier)
    }
    requests = [:]
    if !isSessionPresent { entries = entries.filter { !$0.value.subscribers.isEmpty } }
    for filter in entries.keys {
      // The session may have messages with earlier identifiers.
      let count = isSessionPresent ? Self.keptIdentifiers : 0
      for identifier in entries[filter]?.keepIdentifiers(count) ?? [] { retire(identifier) }
      if !isSessionPresent { entries[filter]?.beginSession() }
    }
    changes = Queue()
    for (filter, entry) in entries.sorted(by: { $0.value.order < $1.value.order }) {
      if case .changed = entry.progress { changes.append(filter) }
    }
  }

  /// Returns the next packet that changes the subscriptions at the broker.
  mutating func nextPacket(_ ids: inout PacketIDs, _ limits: BrokerLimits) -> Packet? {
    while !changes.isEmpty {
      guard let id = ids.take() else { return nil }
      guard let filter = changes.popFirst(), var entry = entries[filter],
        case .changed(let presence) = entry.progress
      else {
        ids.release(id)
        continue
      }
      defer { entries[filter] = entry }
      if entry.subscribers.isEmpty {
        entry.progress = .requested(presence)
        requests[id] = Request(filter: filter, identifier: nil, qos: entry.subscription.qos)
        return .unsubscribe(Packet.Unsubscribe(id: id, filters: [filter.text]))
      }
      lastIdentifier = lastIdentifier % UInt32(Packet.largestLength) + 1
      filters[lastIdentifier] = filter
      let subscription = entry.request(lastIdentifier)
      requests[id] = Request(filter: filter, identifier: lastIdentifier, qos: subscription.qos)
      var options = subscription.options
      // The owner has refused all that need more.
      if limits.version == .v311 { options &= 3 }
      var packet = Packet.Subscribe(
        id: id, filters: [.init(filter: filter.text, options: options)])
      if limits.hasSubscriptionIDs { packet.properties.subscriptionIDs = [lastIdentifier] }
      return .subscribe(packet)
    }
    return nil
  }

  // MARK: - Answers

  /// Handles the answer to a subscription. Returns nil if a later change has replaced it.
  mutating func receive(
    suback packet: Packet.FilterAnswers, _ ids: inout PacketIDs
  ) throws(ProtocolViolation) -> Answer? {
    // After a violation, the request is made again on the next connection.
    guard let request = requests[packet.id], let identifier = request.identifier else {
      throw .protocolError("the broker confirms an unknown subscription")
    }
    guard packet.reasons.count == 1, let reason = packet.reasons.first else {
      throw .protocolError("the broker answers another number of filters")
    }
    if reason.isFailure {
      end(packet.id, &ids)
      guard entries[request.filter]?.isRequested(with: identifier) == true else { return nil }
      return refuse(
        request.filter,
        .refusedSubscription(
          filter: request.filter.text, reason, text: packet.properties[text: .reasonText]))
    }
    guard let qos = MQTTQoS(rawValue: reason.rawValue), qos <= request.qos else {
      throw .protocolError("the broker grants more than it was asked for")
    }
    end(packet.id, &ids)
    guard entries[request.filter]?.grant(identifier) == true else { return nil }
    return .confirmed(request.filter, weakened: qos < request.qos ? qos : nil)
  }

  mutating func receive(
    unsuback packet: Packet.FilterAnswers, _ ids: inout PacketIDs
  ) throws(ProtocolViolation) -> Answer? {
    guard let request = requests[packet.id], request.identifier == nil else {
      throw .protocolError("the broker confirms the end of an unknown subscription")
    }
    // MQTT 3.1.1 has none.
    guard packet.reasons.count <= 1 else {
      throw .protocolError("the broker answers another number of filters")
    }
    end(packet.id, &ids)
    guard let entry = entries[request.filter], entry.subscribers.isEmpty,
      case .requested = entry.progress
    else { return nil }
    entries[request.filter] = nil
    guard let reason = packet.reasons.first, reason.isFailure else { return nil }
    return .remains(request.filter, reason)
  }

  /// The broker cannot receive the packet of a request.
  mutating func cannotSend(
    _ id: UInt16, _ ids: inout PacketIDs, _ error: MQTTError
  ) -> Answer? {
    guard let request = requests[id] else { return nil }
    end(id, &ids)
    return refuse(request.filter, error)
  }

  /// A request was answered.
  private mutating func end(_ id: UInt16, _ ids: inout PacketIDs) {
    requests[id] = nil
    ids.release(id)
  }

  /// Removes all observers of a filter. If the broker has refused a change only, the subscription ends.
  private mutating func refuse(_ filter: ExactText, _ error: MQTTError) -> Answer {
    entries[filter]?.wasRefused()
    let refused = self[filter]
    for subscriber in refused { remove(subscriber) }
    // The end of a subscription cannot be written.
    if refused.isEmpty { entries[filter] = nil }
    return .refused(refused, error)
  }
}
