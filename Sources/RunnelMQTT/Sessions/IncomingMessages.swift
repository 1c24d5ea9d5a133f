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
/// receive maximum bounds the number of confirmed messages. A limit in bytes is for other messages, and for
/// brokers that do not keep the receive maximum: mosquitto 2.0.11 exceeds it after the first confirmation.
struct IncomingMessages {
  private let receiveMaximum: Int
  private let bytesLimit: Int
  private let aliasMaximum: UInt16
  /// The version of the present or last connection.
  private(set) var version = MQTTVersion.v5
  private var inbox = Queue<Incoming>()
  /// The memory of the messages that wait for their delivery.
  private(set) var bytes = 0
  private var aliases = ReceivedAliases(maximum: 0)
  /// The identifiers that count towards the receive maximum on this connection.
  private var open: [UInt16: MQTTQoS] = [:]
  /// The identifiers of messages with ``MQTTQoS/exactlyOnce`` that were delivered, and that the
  /// broker has not released.
  private var delivered: Set<UInt16> = []
  private var connection: UInt64 = 0
  private var session: UInt64 = 0
  /// The number of messages that were dropped because consumers are behind.
  private(set) var droppedCount = 0

  /// The number of messages that wait for their delivery.
  var count: Int { inbox.count }

  init(receiveMaximum: Int, bytesLimit: Int, aliasMaximum: UInt16) {
    self.receiveMaximum = receiveMaximum
    self.bytesLimit = bytesLimit
    self.aliasMaximum = aliasMaximum
  }

  /// Begins a new connection.
  mutating func begin(_ version: MQTTVersion, isSessionPresent: Bool) {
    self.version = version
    connection += 1
    open = [:]
    aliases = ReceivedAliases(maximum: aliasMaximum)
    var waiting = exchange(&inbox, with: Queue())
    bytes = 0
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
    bytes += incoming.message.weight
  }

  /// Takes a message. Returns a packet that answers it at once, if there is one.
  mutating func receive(_ packet: Packet.Publish) throws(ProtocolViolation) -> Packet? {
    let topic = try aliases.topic(of: packet)
    if packet.qos == .atMostOnce {
      guard bytes < bytesLimit else {
        droppedCount += 1
        return nil
      }
    } else {
      let isDelivered = packet.qos == .exactlyOnce && delivered.contains(packet.id)
      if let known = open.updateValue(packet.qos, forKey: packet.id) {
        // Brokers of MQTT 3.1.1 may repeat a message on the same connection.
        guard version == .v311, packet.isDuplicate, known == packet.qos else {
          throw .protocolError("the identifier \(packet.id) is in use")
        }
        if !isDelivered { return nil }
      }
      if isDelivered { return .pubrec(Packet.Acknowledgement(id: packet.id)) }
      // A broker of MQTT 3.1.1 is not told the receive maximum.
      let isExpected = version == .v5 && open.count <= receiveMaximum
      if !isExpected && bytes > bytesLimit {
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
    if wasKnown { open[id] = nil }
    return .pubcomp(
      Packet.Acknowledgement(id: id, reason: wasKnown ? .success : .packetIdentifierNotFound))
  }

  /// Returns the next message for the consumers.
  mutating func next() -> Incoming? {
    guard let incoming = inbox.popFirst() else { return nil }
    bytes -= incoming.message.weight
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
    open[incoming.id] = nil
    return .puback(Packet.Acknowledgement(id: incoming.id))
  }
}
