/// The reason that a broker or a client gives for its answer: the reason codes of MQTT 5.
///
/// The return codes of MQTT 3.1.1 are translated to the reasons with the same meaning.
public enum MQTTReason: UInt8, Hashable, Sendable, CaseIterable {
  /// Done. In the acknowledgement of a subscription: granted with ``MQTTQoS/atMostOnce``.
  case success = 0x00
  /// The subscription is granted with ``MQTTQoS/atLeastOnce``.
  case grantedAtLeastOnce = 0x01
  /// The subscription is granted with ``MQTTQoS/exactlyOnce``.
  case grantedExactlyOnce = 0x02
  /// The client leaves, and wants its last will to be published.
  case disconnectWithWill = 0x04
  /// The message was accepted, and nobody has subscribed to its topic.
  case noMatchingSubscribers = 0x10
  /// There was no such subscription.
  case noSubscriptionExisted = 0x11
  /// The authentication has further steps.
  case continueAuthentication = 0x18
  /// The client begins a new authentication.
  case reauthenticate = 0x19
  /// The other side gives no detail.
  case unspecifiedError = 0x80
  /// A packet could not be parsed.
  case malformedPacket = 0x81
  /// A packet violates the protocol.
  case protocolError = 0x82
  /// The packet is valid, but not accepted by this broker.
  case implementationSpecificError = 0x83
  /// The broker does not speak the version.
  case unsupportedProtocolVersion = 0x84
  /// The client identifier is not allowed.
  case invalidClientIdentifier = 0x85
  /// The user name or the password is wrong.
  case badUserNameOrPassword = 0x86
  /// The client may not do this.
  case notAuthorized = 0x87
  /// The broker is not available.
  case serverUnavailable = 0x88
  /// The broker is busy. Try again later.
  case serverBusy = 0x89
  /// The client is banned.
  case banned = 0x8A
  /// The broker ends.
  case serverShuttingDown = 0x8B
  /// The method of authentication is not supported.
  case badAuthenticationMethod = 0x8C
  /// Nothing arrived within the time of the keep-alive.
  case keepAliveTimeout = 0x8D
  /// Another connection uses the client identifier.
  case sessionTakenOver = 0x8E
  /// The filter is well-formed, but not accepted by this broker.
  case invalidTopicFilter = 0x8F
  /// The topic is well-formed, but not accepted.
  case invalidTopicName = 0x90
  /// The packet identifier is in use.
  case packetIdentifierInUse = 0x91
  /// The packet identifier is not known.
  case packetIdentifierNotFound = 0x92
  /// More messages are unconfirmed than the receiver allows.
  case receiveMaximumExceeded = 0x93
  /// A topic alias is larger than the receiver allows.
  case invalidTopicAlias = 0x94
  /// A packet is larger than the receiver allows.
  case packetTooLarge = 0x95
  /// Too many messages are sent.
  case messageRateTooHigh = 0x96
  /// A limit of the broker is exceeded.
  case quotaExceeded = 0x97
  /// An administrator has ended the connection.
  case administrativeAction = 0x98
  /// The payload is not of the declared format.
  case invalidPayloadFormat = 0x99
  /// The broker keeps no retained messages.
  case retainNotSupported = 0x9A
  /// The broker does not support the QoS.
  case qosNotSupported = 0x9B
  /// The client should use another broker for some time.
  case useAnotherServer = 0x9C
  /// The client should use another broker from now on.
  case serverMoved = 0x9D
  /// The broker has no shared subscriptions.
  case sharedSubscriptionsNotSupported = 0x9E
  /// Too many connections are made.
  case connectionRateExceeded = 0x9F
  /// The longest time of a connection is over.
  case maximumConnectTime = 0xA0
  /// The broker has no subscription identifiers.
  case subscriptionIdentifiersNotSupported = 0xA1
  /// The broker has no wildcards in subscriptions.
  case wildcardSubscriptionsNotSupported = 0xA2

  /// True if the reason reports a failure.
  public var isFailure: Bool { rawValue >= 0x80 }
}

extension MQTTReason {
  /// The name of the case in words.
  var words: String {
    "\(self)".reduce(into: "") { words, character in
      words += character.isUppercase ? " \(character.lowercased())" : String(character)
    }
  }
}
