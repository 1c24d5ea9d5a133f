/// The reasons that each kind of packet can have.
extension PacketDecoder {
  static let receipts: Set<MQTTReason> = [
    .success, .noMatchingSubscribers, .unspecifiedError, .implementationSpecificError,
    .notAuthorized, .invalidTopicName, .packetIdentifierInUse, .quotaExceeded,
    .invalidPayloadFormat,
  ]
  static let releases: Set<MQTTReason> = [.success, .packetIdentifierNotFound]
  static let oldGrants: Set<MQTTReason> = [
    .success, .grantedAtLeastOnce, .grantedExactlyOnce, .unspecifiedError,
  ]
  static let grants: Set<MQTTReason> = oldGrants.union([
    .implementationSpecificError, .notAuthorized, .invalidTopicFilter, .packetIdentifierInUse,
    .quotaExceeded, .sharedSubscriptionsNotSupported, .subscriptionIdentifiersNotSupported,
    .wildcardSubscriptionsNotSupported,
  ])
  static let removals: Set<MQTTReason> = [
    .success, .noSubscriptionExisted, .unspecifiedError, .implementationSpecificError,
    .notAuthorized, .invalidTopicFilter, .packetIdentifierInUse,
  ]
  static let authentications: Set<MQTTReason> = [
    .success, .continueAuthentication, .reauthenticate,
  ]
  static let clientEnds: Set<MQTTReason> = [
    .success, .disconnectWithWill, .unspecifiedError, .malformedPacket, .protocolError,
    .implementationSpecificError, .invalidTopicName, .receiveMaximumExceeded,
    .invalidTopicAlias, .packetTooLarge, .messageRateTooHigh, .quotaExceeded,
    .administrativeAction, .invalidPayloadFormat,
  ]
  /// Newer brokers may use any reason for a failure.
  static let brokerEnds = Set(MQTTReason.allCases.filter { $0.isFailure } + [.success])
}
