/// The limits and abilities that a broker has announced for a connection.
struct BrokerLimits: Hashable {
  var version = MQTTVersion.v5
  var receiveMaximum = Int(UInt16.max)
  var maximumQoS = MQTTQoS.exactlyOnce
  // Flags (4): A broker announces each ability on its own.
  var retainsMessages = true
  var packetSize = Packet.largestLength + 5
  var topicAliasMaximum = 0
  var hasSubscriptionIDs = true
  var hasWildcards = true
  var sharesSubscriptions = true

  init(_ version: MQTTVersion, _ properties: Properties = Properties()) {
    self.version = version
    guard version == .v5 else {
      hasSubscriptionIDs = false
      return
    }
    if let count = properties[number: .receiveMaximum] { receiveMaximum = Int(count) }
    if let qos = properties[number: .maximumQoS] {
      maximumQoS = qos == 0 ? .atMostOnce : .atLeastOnce
    }
    retainsMessages = properties.flag(.retainAvailable, else: true)
    if let size = properties[number: .maximumPacketSize] { packetSize = min(packetSize, Int(size)) }
    topicAliasMaximum = Int(properties[number: .topicAliasMaximum] ?? 0)
    hasSubscriptionIDs = properties.flag(.subscriptionIDsAvailable, else: true)
    hasWildcards = properties.flag(.wildcardsAvailable, else: true)
    sharesSubscriptions = properties.flag(.sharingAvailable, else: true)
  }
}
