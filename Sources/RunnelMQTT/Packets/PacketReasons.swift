/// The reasons that each kind of packet can have.
extension PacketDecoder {
  static let pubackReasons: Set<MQTTReason> = [
    .success, .noMatchingSubscribers, .unspecifiedError, .implementationSpecificError,
    .notAuthorized, .invalidTopicName, .packetIdentifierInUse, .quotaExceeded,
    .invalidPayloadFormat,
  ]
  static let pubrelReasons: Set<MQTTReason> = [.success, .packetIdentifierNotFound]
  static let subackReasonsOfVersion311: Set<MQTTReason> = [
    .success, .grantedAtLeastOnce, .grantedExactlyOnce, .unspecifiedError,
  ]
  static let subackReasons: Set<MQTTReason> = subackReasonsOfVersion311.union([
    .implementationSpecificError, .notAuthorized, .invalidTopicFilter, .packetIdentifierInUse,
    .quotaExceeded, .sharedSubscriptionsNotSupported, .subscriptionIdentifiersNotSupported,
    .wildcardSubscriptionsNotSupported,
  ])
  static let unsubackReasons: Set<MQTTReason> = [
    .success, .noSubscriptionExisted, .unspecifiedError, .implementationSpecificError,
    .notAuthorized, .invalidTopicFilter, .packetIdentifierInUse,
  ]
  static let authReasons: Set<MQTTReason> = [
    .success, .continueAuthentication, .reauthenticate,
  ]
  static let clientDisconnectReasons: Set<MQTTReason> = [
    .success, .disconnectWithWill, .unspecifiedError, .malformedPacket, .protocolError,
    .implementationSpecificError, .invalidTopicName, .receiveMaximumExceeded,
    .invalidTopicAlias, .packetTooLarge, .messageRateTooHigh, .quotaExceeded,
    .administrativeAction, .invalidPayloadFormat,
  ]
  /// Newer brokers may use any reason for a failure.
  static let brokerDisconnectReasons = Set(MQTTReason.allCases.filter { $0.isFailure } + [.success])
}
