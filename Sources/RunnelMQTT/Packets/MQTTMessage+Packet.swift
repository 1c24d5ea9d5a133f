extension MQTTMessage {
  /// Creates a message from a packet.
  init(_ packet: Packet.Publish, topic: String) {
    self.init(topic, packet.payload, qos: packet.qos, isRetained: packet.isRetained)
    let properties = packet.properties
    isDuplicate = packet.isDuplicate
    isText = properties.flag(.payloadFormat, default: false)
    expiry = properties[number: .messageExpiry].map { .seconds($0) }
    contentType = properties[text: .contentType]
    responseTopic = properties[text: .responseTopic]
    correlationData = properties[bytes: .correlationData]
    userProperties = properties.userProperties
  }

  /// Returns the properties of the message in a packet.
  ///
  /// - Parameter expiry: The rest of the message's time. It is rounded up, so that no message expires too early.
  func properties(expiry: Duration?) -> Properties {
    var properties = Properties()
    if isText { properties[number: .payloadFormat] = 1 }
    properties[number: .messageExpiry] = expiry.map { UInt32(clamping: $0.wholeSeconds) }
    properties[text: .contentType] = contentType
    properties[text: .responseTopic] = responseTopic
    properties[bytes: .correlationData] = correlationData
    properties.userProperties = userProperties
    return properties
  }
}
