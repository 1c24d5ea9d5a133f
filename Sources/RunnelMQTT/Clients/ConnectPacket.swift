extension Packet.Connect {
  /// Creates the packet that begins a connection.
  init(
    _ options: MQTTOptions, _ version: MQTTVersion, clientID: String, user: String?,
    password: String?, startsClean: Bool
  ) {
    self.version = version
    self.clientID = clientID
    self.startsClean = startsClean
    keepAlive = UInt16(clamping: options.keepAlive.wholeSeconds)
    self.user = user
    self.password = password.map { Array($0.utf8) }
    // MQTT 3.1.1 has no password without a user.
    if version == .v311 && password != nil && user == nil { self.user = "" }
    properties[number: .receiveMaximum] = UInt32(options.receiveMaximum)
    properties[number: .maximumPacketSize] = UInt32(options.packetSize)
    properties[number: .topicAliasMaximum] = UInt32(MQTTOptions.topicAliases)
    let expiry = options.sessionExpiry.wholeSeconds
    if expiry > 0 { properties[number: .sessionExpiry] = UInt32(clamping: expiry) }
    properties.userProperties = options.userProperties
    guard let will = options.will else { return }
    var publish = Packet.Publish(topic: will.message.topic, payload: will.message.payload)
    publish.qos = will.message.qos
    publish.isRetained = will.message.isRetained
    var willProperties = will.message.properties(expiry: will.message.expiry)
    let delay = will.delay.wholeSeconds
    if delay > 0 { willProperties[number: .willDelay] = UInt32(clamping: delay) }
    self.will = Will(publish: publish, properties: willProperties)
  }
}
