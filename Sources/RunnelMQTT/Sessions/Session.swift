import RunnelStreams

/// The state that a client and a broker share, without sockets and clocks.
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
  /// The encoder for the broker while there is a connection.
  private var encoder: PublishEncoder?
  /// The number of a message without confirmation that the owner writes now.
  private var writing: UInt64?
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
      receiveMaximum: Int(settings.receiveMaximum), bytesLimit: settings.queueBytes,
      aliasMaximum: settings.topicAliasMaximum)
  }

  // MARK: - Connections

  /// Begins a connection, which the broker has accepted.
  mutating func begin(_ limits: BrokerLimits, isSessionPresent: Bool) {
    encoder = PublishEncoder(limits)
    writing = nil
    answers = Queue()
    subscriptions.begin(isSessionPresent: isSessionPresent, &ids)
    incoming.begin(limits.version, isSessionPresent: isSessionPresent)
    for id in outgoing.begin(isSessionPresent: isSessionPresent) {
      answers.append(.pubrel(Packet.Acknowledgement(id: id)))
    }
  }

  /// The connection is lost. Nothing is sent until the next one begins.
  mutating func lose() {
    encoder = nil
    answers = Queue()
  }

  /// True if the broker has confirmed all subscriptions and their ends on this connection.
  var isSettled: Bool { encoder != nil && subscriptions.isSettled }

  /// True if nothing waits to be sent or confirmed.
  var isIdle: Bool {
    outgoing.count == 0 && (encoder == nil || answers.isEmpty && changeCount == 0)
  }

  // MARK: - Messages of the program

  /// Adds a message. Throws if there is no room.
  mutating func publish(
    _ message: MQTTMessage, at now: Duration, _ finish: @escaping Outgoing.Finish
  ) throws(MQTTError) -> UInt64 {
    guard outgoing.count == 0 || outgoing.bytes + message.weight <= settings.queueBytes else {
      throw .queueFull(limit: settings.queueBytes)
    }
    return outgoing.add(message, deadline: message.expiry.map { now + $0 }, finish)
  }

  /// Forgets a message that was not sent.
  mutating func cancel(_ number: UInt64) { _ = outgoing.cancel(number) }

  /// Forgets all messages, whose closures are not called.
  mutating func forgetMessages() {
    for id in outgoing.identifiers { ids.release(id) }
    _ = outgoing.removeAll()
    writing = nil
  }

  /// Ends all messages with an error.
  mutating func failAll(_ error: MQTTError) {
    for message in outgoing.removeAll() {
      events.append(.finished(message.finish, .failure(error)))
    }
  }

  mutating func nextEvent() -> Event? { events.popFirst() }

  // MARK: - Observers

  /// The number of changes in the queue of subscriptions.
  var changeCount: Int { subscriptions.changeCount }

  /// All observers, in their order.
  var subscribers: [Subscriber] { subscriptions.subscribers }

  func subscribers(of filter: ExactText) -> [Subscriber] { subscriptions[filter] }

  mutating func add(_ subscriber: Subscriber) { subscriptions.add(subscriber) }

  mutating func remove(_ subscriber: Subscriber) { subscriptions.remove(subscriber) }

  /// Forgets all observers. Their subscriptions stay at the broker.
  mutating func forgetSubscribers() { subscriptions = SubscriptionTable(firstIdentifier: 0) }

  /// True if the broker has confirmed a subscription as it is.
  func isConfirmed(_ filter: ExactText) -> Bool { subscriptions.isConfirmed(filter) }

  /// Returns the next message for the observers. The owner calls ``confirm(_:)`` when they have it.
  mutating func nextMessage() -> Incoming? { incoming.next() }

  /// The version of the connection over which the messages came that wait for their delivery.
  var incomingVersion: MQTTVersion { incoming.version }

  func receivers(of message: Incoming) -> [Subscriber] { subscriptions.receivers(of: message) }

  mutating func confirm(_ message: Incoming) {
    // A delivery while there is no connection is remembered, too.
    if let answer = incoming.confirm(message), encoder != nil { answers.append(answer) }
  }

  /// The number and the memory of messages that wait for their observers.
  var inbox: (count: Int, bytes: Int) { (incoming.count, incoming.bytes) }

  /// The number of messages that were dropped because consumers are behind.
  var droppedCount: Int { incoming.droppedCount }

  // MARK: - Receiving

  /// The number of answers that can wait while the broker reads nothing.
  private static let answerLimit = 1 << 17

  /// Handles a packet that the broker has sent after it has accepted the connection.
  mutating func receive(_ packet: Packet) throws(ProtocolViolation) {
    guard answers.count < Self.answerLimit else {
      throw ProtocolViolation(.quotaExceeded, "the broker does not read its answers")
    }
    switch packet {
    case .publish(let packet):
      if let answer = try incoming.receive(packet) { answers.append(answer) }
    case .puback(let packet):
      guard let message = outgoing[packet.id]?.outgoing.message, message.qos == .atLeastOnce else {
        throw .protocolError("the broker confirms an unknown message")
      }
      end(packet.id, Self.result(packet, message))
    case .pubrec(let packet):
      guard let message = outgoing[packet.id]?.outgoing.message else {
        answers.append(
          .pubrel(Packet.Acknowledgement(id: packet.id, reason: .packetIdentifierNotFound)))
        return
      }
      guard message.qos == .exactlyOnce else {
        throw .protocolError("the broker confirms a message in another way than it was sent")
      }
      if packet.reason.isFailure { return end(packet.id, Self.result(packet, message)) }
      outgoing.release(packet.id, hasSubscribers: packet.reason != .noMatchingSubscribers)
      answers.append(.pubrel(Packet.Acknowledgement(id: packet.id)))
    case .pubrel(let packet): answers.append(incoming.release(packet.id))
    case .pubcomp(let packet):
      // The broker answers a PUBREL of this side for an unknown message, too.
      guard let message = outgoing[packet.id] else { return }
      guard case .released(let hasSubscribers, _) = message.phase else {
        throw .protocolError("the broker completes a message that it has not confirmed")
      }
      end(packet.id, .success(hasSubscribers ? .confirmed : .withoutSubscribers))
    case .suback(let packet):
      if let answer = try subscriptions.receive(suback: packet, &ids) {
        events.append(.subscription(answer))
      }
    case .unsuback(let packet):
      if let answer = try subscriptions.receive(unsuback: packet, &ids) {
        events.append(.subscription(answer))
      }
    case .pingresp: break
    case .connack: throw .protocolError("the broker accepts the connection twice")
    case .auth: throw .protocolError("the broker begins an authentication that was not agreed")
    case .connect, .subscribe, .unsubscribe, .pingreq, .disconnect:
      throw .protocolError("the broker sends a packet that only clients send")
    }
  }

  private static func result(
    _ packet: Packet.Acknowledgement, _ message: MQTTMessage
  ) -> Result<MQTTReceipt, MQTTError> {
    if packet.reason.isFailure {
      let text = packet.properties[text: .reasonText]
      return .failure(.refusedMessage(topic: message.topic, packet.reason, text: text))
    }
    return .success(packet.reason == .noMatchingSubscribers ? .withoutSubscribers : .confirmed)
  }

  /// A message with an identifier has ended.
  private mutating func end(_ id: UInt16, _ result: Result<MQTTReceipt, MQTTError>) {
    guard let message = outgoing.remove(id) else { return }
    ids.release(id)
    events.append(.finished(message.finish, result))
  }

  // MARK: - Sending

  /// Returns the bytes of the next packet; nil if there is none, or if the broker allows none now. The
  /// owner writes them and calls ``didWrite()``, or gives the connection up.
  mutating func nextBytes(at now: Duration) -> [UInt8]? {
    guard let limits = encoder?.limits else { return nil }
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
    if outgoing.hasRepetitions && isFull { return nil }
    return nextRepetition(at: now) ?? nextNew(at: now)
  }

  /// The packet was written.
  mutating func didWrite() {
    guard let number = exchange(&writing, with: nil), let message = outgoing.first(),
      message.number == number
    else { return }
    outgoing.removeFirst()
    events.append(.finished(message.finish, .success(.sent)))
  }

  /// True if the broker allows no further message that it must confirm.
  private var isFull: Bool {
    guard let limits = encoder?.limits else { return true }
    return outgoing.openCount >= min(settings.inFlight, limits.receiveMaximum)
  }

  private mutating func nextRepetition(at now: Duration) -> [UInt8]? {
    while let (id, outgoing, isDuplicate) = outgoing.nextRepetition() {
      // The broker may have begun with it, so it is sent for a last second, too.
      let expiry = outgoing.deadline.map { max($0 - now, .seconds(1)) }
      do throws(MQTTError) {
        return try encoder?.encode(
          outgoing.message, id: id, isDuplicate: isDuplicate, expiry: expiry)
      } catch {
        end(id, .failure(error))
      }
    }
    return nil
  }

  private mutating func nextNew(at now: Duration) -> [UInt8]? {
    while let next = outgoing.first() {
      let isConfirmed = next.message.qos != .atMostOnce
      if isConfirmed && isFull { return nil }
      var id: UInt16 = 0
      if isConfirmed {
        guard let free = ids.take() else { return nil }
        id = free
      }
      do throws(MQTTError) {
        let expiry = next.deadline.map { $0 - now }
        if let expiry, expiry <= .zero { throw .expired }
        let bytes = try encoder?.encode(
          next.message, id: id, isDuplicate: false, expiry: expiry)
        if isConfirmed { outgoing.awaitConfirmation(of: id) } else { writing = next.number }
        return bytes
      } catch {
        ids.release(id)
        outgoing.removeFirst()
        events.append(.finished(next.finish, .failure(error)))
      }
    }
    return nil
  }
}
