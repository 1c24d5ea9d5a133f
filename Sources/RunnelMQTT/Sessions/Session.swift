import RunnelStreams

/// The state that a client and a broker share, without sockets and time.
///
/// The owner passes packets in, and takes packets, messages and events out. So the state is settled
/// before a callback runs, and a callback may do anything.
struct Session {
  /// An event for the owner.
  enum Event {
    case finished(Outgoing.Finish, Result<MQTTReceipt, MQTTError>)
    case subscription(SubscriptionTable.Answer)
  }

  private(set) var outgoing = OutgoingMessages()
  private var incoming: IncomingMessages
  private var subscriptions: SubscriptionTable
  private var ids: PacketIDs
  private var answers = Queue<Packet>()
  private var events = Queue<Event>()
  private var aliases = SentAliases(maximum: 0)
  /// The limits of the broker while there is a connection.
  private var limits: BrokerLimits?
  private let settings: Settings

  /// The limits of this side.
  struct Settings {
    var receiveMaximum: UInt16 = 64
    var topicAliasMaximum: UInt16 = 32
    var inFlight = 64
    var queueBytes = 16 << 20
  }

  init(
    _ settings: Settings, firstIdentifier: UInt32 = .random(in: 0..<1 << 27),
    lastPacketID: UInt16
  ) {
    self.settings = settings
    ids = PacketIDs(after: lastPacketID)
    subscriptions = SubscriptionTable(firstIdentifier: firstIdentifier)
    incoming = IncomingMessages(
      receiveMaximum: Int(settings.receiveMaximum), bytes: settings.queueBytes,
      aliasMaximum: settings.topicAliasMaximum)
  }

  // MARK: - Connections

  /// Begins a connection, which the broker has accepted.
  mutating func begin(_ limits: BrokerLimits, isSessionPresent: Bool) {
    self.limits = limits
    aliases = SentAliases(maximum: limits.topicAliasMaximum)
    answers = Queue()
    subscriptions.begin(isSessionPresent: isSessionPresent, &ids)
    incoming.begin(
      isSessionPresent: isSessionPresent, knowsReceiveMaximum: limits.version == .v5)
    outgoing.begin(isSessionPresent: isSessionPresent)
  }

  /// The connection is lost. Nothing is sent until the next one begins.
  mutating func lose() {
    limits = nil
    answers = Queue()
  }

  /// True if the broker has confirmed all subscriptions and their ends on this connection.
  var isSettled: Bool { limits != nil && subscriptions.isSettled }

  // MARK: - The program

  /// Adds a message. Throws if there is no room.
  mutating func publish(
    _ message: MQTTMessage, _ finish: @escaping Outgoing.Finish
  ) throws(MQTTError) -> UInt64 {
    guard outgoing.count == 0 || outgoing.bytes + message.weight <= settings.queueBytes else {
      throw .queueFull(limit: settings.queueBytes)
    }
    return outgoing.add(message, finish)
  }

  /// Forgets a message that was not sent.
  mutating func cancel(_ number: UInt64) { _ = outgoing.cancel(number) }

  /// Forgets all messages, whose closures are not called.
  mutating func forgetMessages() { _ = outgoing.removeAll(&ids) }

  /// Ends all messages with an error.
  mutating func failAll(_ error: MQTTError) {
    for message in outgoing.removeAll(&ids) {
      events.append(.finished(message.finish, .failure(error)))
    }
  }

  mutating func subscribe(_ subscription: MQTTSubscription) -> UInt32 {
    subscriptions.set(subscription)
  }

  mutating func unsubscribe(_ filter: ExactText) { subscriptions.remove(filter) }

  /// True if the broker has confirmed a subscription as it is.
  func isConfirmed(_ filter: ExactText) -> Bool { subscriptions.isConfirmed(filter) }

  mutating func nextEvent() -> Event? { events.popFirst() }

  /// Returns the next message for the consumers. The owner calls ``confirm(_:)`` when they have it.
  mutating func nextMessage() -> Incoming? { incoming.next() }

  mutating func confirm(_ message: Incoming) {
    // A delivery while there is no connection is remembered, too.
    if let answer = incoming.confirm(message), limits != nil { answers.append(answer) }
  }

  /// The number of messages that were dropped because consumers are behind.
  var droppedCount: Int { incoming.droppedCount }

  // MARK: - Receiving

  /// The number of answers that can wait while the broker reads nothing.
  private static let mostAnswers = 1 << 17

  /// Handles a packet that the broker has sent after it has accepted the connection.
  mutating func receive(_ packet: Packet) throws(ProtocolViolation) {
    guard answers.count < Self.mostAnswers else {
      throw ProtocolViolation(.quotaExceeded, "the broker does not read its answers")
    }
    switch packet {
    case .publish(let packet):
      if let answer = try incoming.receive(packet) { answers.append(answer) }
    case .puback(let packet):
      guard let flight = outgoing[packet.id], flight.outgoing.message.qos == .atLeastOnce else {
        throw .protocolError("the broker confirms an unknown message")
      }
      land(packet.id, result(of: packet, flight))
    case .pubrec(let packet):
      guard let flight = outgoing[packet.id] else {
        answers.append(
          .pubrel(Packet.Acknowledgement(id: packet.id, reason: .packetIdentifierNotFound)))
        return
      }
      guard flight.outgoing.message.qos == .exactlyOnce else {
        throw .protocolError("the broker confirms a message in another way than it was sent")
      }
      if packet.reason.isFailure { return land(packet.id, result(of: packet, flight)) }
      outgoing.release(packet.id, hasSubscribers: packet.reason != .noMatchingSubscribers)
      answers.append(.pubrel(Packet.Acknowledgement(id: packet.id)))
    case .pubrel(let packet): answers.append(incoming.release(packet.id))
    case .pubcomp(let packet):
      // The broker answers a PUBREL of this side for an unknown message, too.
      guard let flight = outgoing[packet.id] else { return }
      guard case .released(let hasSubscribers) = flight.phase else {
        throw .protocolError("the broker completes a message that it has not confirmed")
      }
      land(packet.id, .success(hasSubscribers ? .confirmed : .withoutSubscribers))
    case .suback(let packet):
      if let answer = try subscriptions.receive(suback: packet, &ids) {
        events.append(.subscription(answer))
      }
    case .unsuback(let packet): try subscriptions.receive(unsuback: packet, &ids)
    case .pingresp: break
    case .connack: throw .protocolError("the broker accepts the connection twice")
    case .auth: throw .protocolError("the broker begins an authentication that was not agreed")
    case .connect, .subscribe, .unsubscribe, .pingreq, .disconnect:
      throw .protocolError("the broker sends a packet that only clients send")
    }
  }

  private func result(
    of packet: Packet.Acknowledgement, _ flight: OutgoingMessages.Flight
  ) -> Result<MQTTReceipt, MQTTError> {
    if packet.reason.isFailure {
      return .failure(
        .refusedMessage(
          topic: flight.outgoing.message.topic, packet.reason,
          text: packet.properties[text: .reasonText]))
    }
    return .success(packet.reason == .noMatchingSubscribers ? .withoutSubscribers : .confirmed)
  }

  private mutating func land(_ id: UInt16, _ result: Result<MQTTReceipt, MQTTError>) {
    guard let message = outgoing.land(id) else { return }
    ids.release(id)
    events.append(.finished(message.finish, result))
  }

  // MARK: - Sending

  /// Returns the bytes of the next packet; nil if there is none, or if the broker allows none now. The
  /// owner writes them at once, or gives the connection up.
  mutating func nextBytes() -> [UInt8]? {
    guard let limits else { return nil }
    if let answer = answers.popFirst() { return answer.encoded(limits.version) }
    while let packet = subscriptions.nextPacket(&ids, limits) {
      var error = MQTTError.tooLarge(limit: limits.packetSize)
      if let reason = packet.reasonAgainst(limits) {
        error = .unsupported(reason)
      } else if let bytes = packet.encoded(limits.version), bytes.count <= limits.packetSize {
        return bytes
      }
      if let id = packet.requestID, let answer = subscriptions.cannotSend(id, &ids, error) {
        events.append(.subscription(answer))
      }
    }
    let isFull = outgoing.openCount >= min(settings.inFlight, limits.receiveMaximum)
    if outgoing.hasRepetitions { return isFull ? nil : nextRepetition(limits) ?? nextNew(limits) }
    return nextNew(limits)
  }

  private mutating func nextRepetition(_ limits: BrokerLimits) -> [UInt8]? {
    while let (id, flight) = outgoing.nextRepetition() {
      if case .released = flight.phase {
        return Packet.pubrel(Packet.Acknowledgement(id: id)).encoded(limits.version)
      }
      do throws(MQTTError) {
        return try encode(flight.outgoing.message, id, isDuplicate: flight.isKnown, limits)
      } catch {
        land(id, .failure(error))
      }
    }
    return nil
  }

  private mutating func nextNew(_ limits: BrokerLimits) -> [UInt8]? {
    while let next = outgoing.first() {
      let isConfirmed = next.message.qos != .atMostOnce
      if isConfirmed && outgoing.openCount >= min(settings.inFlight, limits.receiveMaximum) {
        return nil
      }
      var id: UInt16 = 0
      if isConfirmed {
        guard let free = ids.take() else { return nil }
        id = free
      }
      do throws(MQTTError) {
        let bytes = try encode(next.message, id, isDuplicate: false, limits)
        if isConfirmed {
          outgoing.launch(id)
        } else {
          outgoing.removeFirst()
          events.append(.finished(next.finish, .success(.sent)))
        }
        return bytes
      } catch {
        ids.release(id)
        outgoing.removeFirst()
        events.append(.finished(next.finish, .failure(error)))
      }
    }
    return nil
  }

  private mutating func encode(
    _ message: MQTTMessage, _ id: UInt16, isDuplicate: Bool, _ limits: BrokerLimits
  ) throws(MQTTError) -> [UInt8] {
    if limits.version == .v311 && message.needsVersion5 {
      throw .unsupported(.unsupportedProtocolVersion)
    }
    if message.qos > limits.maximumQoS { throw .unsupported(.qosNotSupported) }
    if message.isRetained && !limits.retainsMessages { throw .unsupported(.retainNotSupported) }
    var packet = Packet.Publish(
      topic: message.topic, payload: message.payload, qos: message.qos,
      isRetained: message.isRetained, isDuplicate: isDuplicate, id: id)
    packet.properties = message.properties
    let topic = ExactText(message.topic)
    var setsAlias = false
    if let known = aliases.known(topic) {
      packet.topic = ""
      packet.properties[number: .topicAlias] = UInt32(known)
    } else if let next = aliases.next(for: topic) {
      packet.properties[number: .topicAlias] = UInt32(next)
      setsAlias = true
    }
    guard let bytes = Packet.publish(packet).encoded(limits.version),
      bytes.count <= limits.packetSize
    else { throw .tooLarge(limit: limits.packetSize) }
    // The packet that sets the alias goes to the connection now, before any that uses it.
    if setsAlias { aliases.set(topic) }
    return bytes
  }
}

extension Packet {
  /// The reason why a broker does not support a subscription; nil if it does.
  fileprivate func reasonAgainst(_ limits: BrokerLimits) -> MQTTReason? {
    guard case .subscribe(let packet) = self else { return nil }
    for filter in packet.filters {
      if !limits.sharesSubscriptions && TopicRules.isShared(filter.filter) {
        return .sharedSubscriptionsNotSupported
      }
      if !limits.hasWildcards && filter.filter.utf8.contains(where: { "#+".utf8.contains($0) }) {
        return .wildcardSubscriptionsNotSupported
      }
    }
    return nil
  }

  /// The identifier of a packet that changes a subscription.
  fileprivate var requestID: UInt16? {
    switch self {
    case .subscribe(let packet): packet.id
    case .unsubscribe(let packet): packet.id
    default: nil
    }
  }
}
