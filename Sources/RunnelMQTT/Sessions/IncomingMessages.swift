import RunnelStreams

/// A received message that waits for its delivery.
struct Incoming {
  let message: MQTTMessage
  /// The subscriptions that the broker has named.
  let subscriptionIDs: [UInt32]
  /// Zero for a message that is not confirmed.
  let id: UInt16
  let connection: UInt64
  let session: UInt64
}

/// The messages of the broker that wait for their delivery or for its confirmation.
///
/// A message is confirmed when it was delivered, so a consumer that waits makes the broker wait. The
/// number of messages is bounded by the receive maximum, and messages that are not confirmed by their
/// bytes.
struct IncomingMessages {
  private let receiveMaximum: Int
  private let bytesLimit: Int
  private let aliasMaximum: UInt16
  /// False if the broker was not told the receive maximum, so that the bytes are limited instead.
  private var knowsReceiveMaximum = true
  private var inbox = Queue<Incoming>()
  private var inboxBytes = 0
  private var aliases = ReceivedAliases(maximum: 0)
  /// The identifiers that count towards the receive maximum on this connection.
  private var open: Set<UInt16> = []
  /// The identifiers of messages with ``MQTTQoS/exactlyOnce`` that were delivered, and that the
  /// broker has not released.
  private var delivered: Set<UInt16> = []
  private var connection: UInt64 = 0
  private var session: UInt64 = 0
  /// The number of messages that were dropped because consumers are behind.
  private(set) var droppedCount = 0

  init(receiveMaximum: Int, bytes: Int, aliasMaximum: UInt16) {
    self.receiveMaximum = receiveMaximum
    bytesLimit = bytes
    self.aliasMaximum = aliasMaximum
  }

  /// Begins a new connection.
  mutating func begin(isSessionPresent: Bool, knowsReceiveMaximum: Bool = true) {
    self.knowsReceiveMaximum = knowsReceiveMaximum
    connection += 1
    open = []
    aliases = ReceivedAliases(maximum: aliasMaximum)
    var waiting = exchange(&inbox, with: Queue())
    inboxBytes = 0
    if !isSessionPresent {
      delivered = []
      session += 1
    }
    var staleCount = 0
    while let incoming = waiting.popFirst() {
      if incoming.id != 0 {
        // The broker sends it again, unless it has forgotten the session.
        if isSessionPresent { continue }
        staleCount += 1
        if staleCount > receiveMaximum {
          droppedCount += 1
          continue
        }
      }
      append(incoming)
    }
  }

  private mutating func append(_ incoming: Incoming) {
    inbox.append(incoming)
    inboxBytes += incoming.message.weight
  }

  /// Takes a message. Returns a packet that answers it at once, if there is one.
  mutating func receive(_ packet: Packet.Publish) throws(ProtocolViolation) -> Packet? {
    let topic = try aliases.topic(of: packet)
    if packet.qos == .atMostOnce {
      guard inboxBytes < bytesLimit else {
        droppedCount += 1
        return nil
      }
    } else {
      if packet.qos == .exactlyOnce && delivered.contains(packet.id) {
        open.insert(packet.id)
        return .pubrec(Packet.Acknowledgement(id: packet.id))
      }
      guard open.insert(packet.id).inserted else {
        // Brokers of MQTT 3.1.1 may repeat a message on the same connection.
        if packet.isDuplicate { return nil }
        throw ProtocolViolation(.protocolError, "the identifier \(packet.id) is in use")
      }
      if knowsReceiveMaximum ? open.count > receiveMaximum : inboxBytes > bytesLimit {
        throw ProtocolViolation(
          .receiveMaximumExceeded, "too many messages are not confirmed")
      }
    }
    append(
      Incoming(
        message: MQTTMessage(packet, topic: topic),
        subscriptionIDs: packet.properties.subscriptionIDs, id: packet.id, connection: connection,
        session: session))
    return nil
  }

  /// The broker forgets a message with ``MQTTQoS/exactlyOnce``. Returns the answer.
  mutating func release(_ id: UInt16) -> Packet {
    let wasKnown = delivered.remove(id) != nil
    if wasKnown { open.remove(id) }
    return .pubcomp(
      Packet.Acknowledgement(id: id, reason: wasKnown ? .success : .packetIdentifierNotFound))
  }

  /// Returns the next message for the consumers.
  mutating func next() -> Incoming? {
    guard let incoming = inbox.popFirst() else { return nil }
    inboxBytes -= incoming.message.weight
    return incoming
  }

  /// A message was delivered. Returns its confirmation.
  mutating func confirm(_ incoming: Incoming) -> Packet? {
    guard incoming.id != 0, incoming.session == session else { return nil }
    let isCurrent = incoming.connection == connection
    if incoming.message.qos == .exactlyOnce {
      // It is not delivered again, even if the broker sends it again on a new connection.
      delivered.insert(incoming.id)
      return isCurrent ? .pubrec(Packet.Acknowledgement(id: incoming.id)) : nil
    }
    guard isCurrent else { return nil }
    open.remove(incoming.id)
    return .puback(Packet.Acknowledgement(id: incoming.id))
  }
}

extension MQTTMessage {
  /// Creates a message from a packet.
  init(_ packet: Packet.Publish, topic: String) {
    self.init(
      topic, packet.payload, qos: packet.qos, isRetained: packet.isRetained)
    let properties = packet.properties
    isDuplicate = packet.isDuplicate
    isText = properties.flag(.payloadFormat, else: false)
    expiry = properties[number: .messageExpiry].map { .seconds($0) }
    contentType = properties[text: .contentType]
    responseTopic = properties[text: .responseTopic]
    correlationData = properties[bytes: .correlationData]
    userProperties = properties.userProperties
  }

  /// The properties of the message in a packet.
  var properties: Properties {
    var properties = Properties()
    if isText { properties[number: .payloadFormat] = 1 }
    // Rounded up, so that no message expires too early.
    if let expiry {
      let (seconds, rest) = expiry.components
      properties[number: .messageExpiry] = UInt32(clamping: seconds + (rest > 0 ? 1 : 0))
    }
    properties[text: .contentType] = contentType
    properties[text: .responseTopic] = responseTopic
    properties[bytes: .correlationData] = correlationData
    properties.userProperties = userProperties
    return properties
  }
}
