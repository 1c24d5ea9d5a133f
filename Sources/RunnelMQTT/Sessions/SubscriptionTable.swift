import RunnelStreams

/// The subscriptions that the client wants, and those that the broker has.
///
/// A change while there is no connection is made on the next one. On a new connection, all
/// subscriptions are made again if the broker has no session, and otherwise those that have changed.
struct SubscriptionTable {
  private struct Entry {
    /// The way of the last change to the broker.
    enum Progress {
      /// A packet has to be sent.
      case changed
      /// The packet was sent.
      case requested
      /// The broker has confirmed it.
      case confirmed
    }

    /// The subscription in the session at the broker.
    enum Presence {
      case absent
      /// It was asked for.
      case possible
      /// The broker has granted it, perhaps with an answer that was lost.
      case granted
    }

    var subscription: MQTTSubscription
    /// The number that the broker repeats with each message.
    var identifier: UInt32
    /// The most retained messages that an observer wants. They are asked for again when the broker may
    /// have sent none.
    var retained: MQTTSubscription.Retained
    var isWanted = true
    var presence = Presence.absent
    var progress = Progress.changed
  }

  private struct Request {
    let filter: ExactText
    let identifier: UInt32
    let isRemoval: Bool
  }

  /// The end of a request.
  enum Answer: Equatable {
    case confirmed(ExactText, identifier: UInt32)
    case refused(ExactText, identifier: UInt32, MQTTError)
  }

  private var entries: [ExactText: Entry] = [:]
  private var changes = Queue<ExactText>()
  private var requests: [UInt16: Request] = [:]
  private var lastIdentifier: UInt32

  /// The first number is random, so that it differs from the numbers of an earlier run of the program,
  /// which the broker may repeat.
  init(firstIdentifier: UInt32) {
    lastIdentifier = firstIdentifier
  }

  /// True if the broker has confirmed everything.
  var isSettled: Bool { changes.isEmpty && requests.isEmpty }

  /// True if the broker has confirmed a subscription as it is.
  func isConfirmed(_ filter: ExactText) -> Bool { entries[filter]?.progress == .confirmed }

  /// Adds or replaces a subscription. Returns the number of its messages.
  mutating func set(_ subscription: MQTTSubscription) -> UInt32 {
    let filter = ExactText(subscription.filter)
    let old = entries[filter]
    let wanted = old?.isWanted == true ? old : nil
    let retained = Self.strongest(wanted?.retained, subscription.retained)
    if let wanted, wanted.progress == .changed {
      // Both are one packet.
      entries[filter]?.subscription = subscription
      entries[filter]?.subscription.retained = Self.strongest(
        wanted.subscription.retained, subscription.retained)
      entries[filter]?.retained = retained
      return wanted.identifier
    }
    lastIdentifier = lastIdentifier % UInt32(Packet.largestLength) + 1
    entries[filter] = Entry(
      subscription: subscription, identifier: lastIdentifier, retained: retained,
      presence: old?.presence ?? .absent)
    if old?.progress != .changed { changes.append(filter) }
    return lastIdentifier
  }

  private static func strongest(
    _ one: MQTTSubscription.Retained?, _ other: MQTTSubscription.Retained
  ) -> MQTTSubscription.Retained {
    if one == .all || other == .all { return .all }
    return one == .ifNew || other == .ifNew ? .ifNew : .none
  }

  mutating func remove(_ filter: ExactText) {
    guard let entry = entries[filter], entry.isWanted else { return }
    // The place in the queue finds no entry then.
    guard entry.presence != .absent else { return entries[filter] = nil }
    entries[filter]?.isWanted = false
    if entry.progress != .changed { changes.append(filter) }
    entries[filter]?.progress = .changed
  }

  /// Begins a new connection.
  mutating func begin(isSessionPresent: Bool, _ ids: inout PacketIDs) {
    for (id, request) in requests {
      ids.release(id)
      entries[request.filter]?.progress = .changed
      guard let entry = entries[request.filter], !request.isRemoval else { continue }
      entries[request.filter]?.presence = .granted
      entries[request.filter]?.subscription.retained = entry.retained
    }
    requests = [:]
    changes = Queue()
    if !isSessionPresent {
      entries = entries.filter { $0.value.isWanted }
      for (filter, entry) in entries {
        entries[filter]?.subscription.retained = entry.retained
        entries[filter]?.presence = .absent
        entries[filter]?.progress = .changed
      }
    }
    // In the order in which they were made.
    for (filter, _) in entries.filter({ $0.value.progress == .changed })
      .sorted(by: { $0.value.identifier < $1.value.identifier })
    {
      changes.append(filter)
    }
  }

  /// Returns the next packet that changes the subscriptions at the broker.
  mutating func nextPacket(_ ids: inout PacketIDs, _ limits: BrokerLimits) -> Packet? {
    while !changes.isEmpty {
      guard let id = ids.take() else { return nil }
      guard let filter = changes.popFirst(), let entry = entries[filter], entry.progress == .changed
      else {
        ids.release(id)
        continue
      }
      entries[filter]?.progress = .requested
      requests[id] = Request(
        filter: filter, identifier: entry.identifier, isRemoval: !entry.isWanted)
      guard entry.isWanted else {
        return .unsubscribe(Packet.Unsubscribe(id: id, filters: [filter.text]))
      }
      if entry.presence == .absent { entries[filter]?.presence = .possible }
      var options = entry.subscription.options
      // The owner has refused all that need more.
      if limits.version == .v311 { options &= 3 }
      var packet = Packet.Subscribe(
        id: id, filters: [.init(filter: filter.text, options: options)])
      if limits.hasSubscriptionIDs { packet.properties.subscriptionIDs = [entry.identifier] }
      return .subscribe(packet)
    }
    return nil
  }

  /// Handles the answer to a subscription. Returns nil if a later change has replaced it.
  mutating func receive(
    suback packet: Packet.Grants, _ ids: inout PacketIDs
  ) throws(ProtocolViolation) -> Answer? {
    guard let request = requests.removeValue(forKey: packet.id), !request.isRemoval else {
      throw .protocolError("the broker confirms an unknown subscription")
    }
    ids.release(packet.id)
    guard packet.reasons.count == 1, let reason = packet.reasons.first else {
      throw .protocolError("the broker answers another number of filters")
    }
    if !reason.isFailure { entries[request.filter]?.presence = .granted }
    guard let entry = entries[request.filter], entry.identifier == request.identifier,
      entry.isWanted
    else { return nil }
    guard reason.isFailure else {
      // A later change may be on its way.
      if entry.progress == .requested { entries[request.filter]?.progress = .confirmed }
      return .confirmed(request.filter, identifier: request.identifier)
    }
    return refuse(
      request.filter, request.identifier,
      .refusedSubscription(
        filter: request.filter.text, reason, text: packet.properties[text: .reasonText]))
  }

  mutating func receive(
    unsuback packet: Packet.Grants, _ ids: inout PacketIDs
  ) throws(ProtocolViolation) {
    guard let request = requests.removeValue(forKey: packet.id), request.isRemoval else {
      throw .protocolError("the broker confirms the end of an unknown subscription")
    }
    ids.release(packet.id)
    if let entry = entries[request.filter], !entry.isWanted, entry.progress != .changed {
      entries[request.filter] = nil
    }
  }

  /// The packet of a request is too large for the broker.
  mutating func cannotSend(
    _ id: UInt16, _ ids: inout PacketIDs, _ error: MQTTError
  ) -> Answer? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    ids.release(id)
    return refuse(request.filter, request.identifier, error)
  }

  private mutating func refuse(
    _ filter: ExactText, _ identifier: UInt32, _ error: MQTTError
  ) -> Answer {
    if let entry = entries[filter], entry.isWanted, entry.presence == .granted {
      // The broker has refused a change, and goes on to send.
      entries[filter]?.isWanted = false
      if entry.progress != .changed { changes.append(filter) }
      entries[filter]?.progress = .changed
    } else {
      entries[filter] = nil
    }
    return .refused(filter, identifier: identifier, error)
  }
}
