/// Makes the packets of messages for one connection.
struct PublishEncoder {
  let limits: BrokerLimits
  private var aliases: SentAliases

  init(_ limits: BrokerLimits) {
    self.limits = limits
    aliases = SentAliases(maximum: limits.topicAliasMaximum)
  }

  /// Returns the packet of a message, which must be written before the next one is made. Throws if the
  /// broker cannot receive it.
  ///
  /// - Parameter expiry: The rest of the message's time.
  mutating func encode(
    _ message: MQTTMessage, id: UInt16, isDuplicate: Bool, expiry: Duration?
  ) throws(MQTTError) -> [UInt8] {
    if limits.version == .v311 && message.needsVersion5 {
      throw .unsupported(.unsupportedProtocolVersion)
    }
    if message.qos > limits.maximumQoS { throw .unsupported(.qosNotSupported) }
    if message.isRetained && !limits.retainsMessages { throw .unsupported(.retainNotSupported) }
    var packet = Packet.Publish(
      topic: message.topic, payload: message.payload, qos: message.qos,
      isRetained: message.isRetained, isDuplicate: isDuplicate, id: id)
    packet.properties = message.properties(expiry: expiry)
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
    if setsAlias { aliases.set(topic) }
    return bytes
  }
}
