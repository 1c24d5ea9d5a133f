extension Packet.Connect {
  init(from reader: inout PacketReader) throws(ProtocolViolation) {
    guard try reader.text() == "MQTT" else { throw .malformed("the protocol is not MQTT") }
    guard let version = MQTTVersion(rawValue: try reader.byte()) else {
      throw ProtocolViolation(.unsupportedProtocolVersion, "the version is not 4 or 5")
    }
    self.version = version
    let flags = try reader.byte()
    if flags & 1 != 0 { throw .malformed("the flags of a packet are wrong") }
    startsClean = flags & 2 != 0
    keepAlive = try reader.number16()
    if version == .v5 { properties = try Properties(from: &reader, in: .connect, sender: .client) }
    clientID = try reader.text()
    guard let qos = MQTTQoS(rawValue: flags >> 3 & 3) else {
      throw .malformed("there is no QoS 3")
    }
    if flags & 4 != 0 {
      var properties = Properties()
      if version == .v5 { properties = try Properties(from: &reader, in: .will, sender: .client) }
      var publish = Packet.Publish(topic: try reader.text(), payload: try reader.byteArray())
      if TopicRules.problem(ofTopic: publish.topic) != nil {
        throw ProtocolViolation(.invalidTopicName, "the topic of the last will is wrong")
      }
      publish.qos = qos
      publish.isRetained = flags & 0x20 != 0
      will = Will(publish: publish, properties: properties)
    } else if flags & 0x38 != 0 {
      throw .malformed("the flags of a packet are wrong")
    }
    if flags & 0x80 != 0 { user = try reader.text() }
    if flags & 0x40 != 0 {
      if version == .v311 && user == nil { throw .malformed("there is a password without a user") }
      password = try reader.byteArray()
    }
  }
}
