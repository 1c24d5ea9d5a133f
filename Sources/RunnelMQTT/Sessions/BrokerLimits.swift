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
    retainsMessages = properties.flag(.retainAvailable, default: true)
    if let size = properties[number: .maximumPacketSize] { packetSize = min(packetSize, Int(size)) }
    topicAliasMaximum = Int(properties[number: .topicAliasMaximum] ?? 0)
    hasSubscriptionIDs = properties.flag(.subscriptionIDsAvailable, default: true)
    hasWildcards = properties.flag(.wildcardsAvailable, default: true)
    sharesSubscriptions = properties.flag(.sharingAvailable, default: true)
  }
}

extension Packet {
  /// The reason why a broker does not support a subscription; nil if it does.
  func reasonAgainst(_ limits: BrokerLimits) -> MQTTReason? {
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
  var requestID: UInt16? {
    switch self {
    case .subscribe(let packet): packet.id
    case .unsubscribe(let packet): packet.id
    default: nil
    }
  }
}
