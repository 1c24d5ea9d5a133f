import RunnelBus

extension TransportError {
  /// Translates an error of a client.
  init(_ error: MQTTError) {
    switch error {
    case .connection, .webSocket, .connectTimedOut, .keepAliveTimedOut, .disconnected(nil, _):
      self = .unreachable(reason: "\(error)")
    case .security: self = .refusedLogin(reason: "\(error)")
    case .refused(let reason, _), .disconnected(let reason?, _):
      self = reason.connectionError("\(error)")
    case .brokenProtocol, .invalidOption, .invalidText, .expired:
      self = .brokenProtocol(reason: "\(error)")
    case .closed: self = .closed
    case .invalidTopic(let name, let reason), .invalidFilter(let name, let reason):
      self = .unmappable(name, reason: reason)
    case .refusedMessage(let name, let reason, _), .refusedSubscription(let name, let reason, _):
      self = reason.messageError(on: TopicMapping.busTopic(name) ?? name, "\(error)")
    case .unsupported: self = .brokenProtocol(reason: "\(error)")
    case .tooLarge(let limit): self = .tooLarge(limit: limit)
    case .queueFull: self = .overloaded(reason: "\(error)")
    }
  }
}

extension MQTTReason {
  /// The error of a connection that the broker refuses or ends.
  fileprivate func connectionError(_ text: String) -> TransportError {
    switch self {
    case .invalidClientIdentifier, .badUserNameOrPassword, .notAuthorized, .banned,
      .badAuthenticationMethod:
      .refusedLogin(reason: text)
    case .serverBusy, .messageRateTooHigh, .quotaExceeded, .connectionRateExceeded,
      .receiveMaximumExceeded:
      .overloaded(reason: text)
    case .malformedPacket, .protocolError, .implementationSpecificError,
      .unsupportedProtocolVersion, .packetTooLarge, .invalidTopicAlias, .invalidTopicFilter,
      .invalidTopicName, .retainNotSupported, .qosNotSupported:
      .brokenProtocol(reason: text)
    default: .unreachable(reason: text)
    }
  }

  /// The error of a message or subscription that the broker refuses.
  fileprivate func messageError(on name: String, _ text: String) -> TransportError {
    switch self {
    case .quotaExceeded, .serverBusy, .messageRateTooHigh, .serverUnavailable,
      .receiveMaximumExceeded:
      .overloaded(reason: text)
    default: .refusedTopic(name, reason: text)
    }
  }
}
