import RunnelNet

/// An error of a client, a message or a subscription.
public enum MQTTError: Error, Hashable, Sendable {
  // MARK: Connections

  /// The URL of the broker or an option is not valid.
  case invalidOption(String)
  /// The broker cannot be reached, or the connection failed.
  case connection(SocketError)
  /// The WebSocket could not be opened, or failed.
  case webSocket(WebSocketError)
  /// The certificates for TLS cannot be used.
  case security(String)
  /// The broker did not answer in time when the client connected.
  case connectTimedOut
  /// The broker does not accept the client.
  case refused(MQTTReason, text: String?)
  /// The broker has ended the connection. The reason is nil if it gave none.
  case disconnected(MQTTReason?, text: String?)
  /// The broker was silent for longer than the keep-alive allows.
  case keepAliveTimedOut
  /// The broker has violated the protocol. The reason was sent to the broker.
  case brokenProtocol(MQTTReason, detail: String)
  /// The client was closed.
  case closed

  // MARK: Messages and subscriptions

  /// The text is no topic of a message.
  case invalidTopic(String, reason: String)
  /// The text is no filter of a subscription.
  case invalidFilter(String, reason: String)
  /// A part of a message or an option cannot be sent.
  case invalidText(String)
  /// The broker refuses a message on the topic.
  case refusedMessage(topic: String, MQTTReason, text: String?)
  /// The broker refuses a subscription to the filter.
  case refusedSubscription(filter: String, MQTTReason, text: String?)
  /// The broker does not support what the message, the subscription or the options of the client need.
  case unsupported(MQTTReason)
  /// The packet has more bytes than the broker accepts.
  case tooLarge(limit: Int)
  /// The time of the message was over before it could be sent: see ``MQTTMessage/expiry``.
  case expired
  /// Too many messages wait for the broker: see ``MQTTOptions/queueBytes``.
  case queueFull(limit: Int)
}

extension MQTTError: CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String {
    switch self {
    case .invalidOption(let text): text
    case .connection(let error): "The broker cannot be reached: \(error)"
    case .webSocket(let error): "The WebSocket to the broker failed: \(error)"
    case .security(let text): "TLS cannot be used: \(text)"
    case .connectTimedOut: "The broker did not answer in time."
    case .refused(let reason, let text):
      "The broker refuses the client: \(reason.words)\(Self.detail(text)).\(reason.remedy)"
    case .disconnected(let reason, let text):
      """
      The broker has ended the connection: \(reason.map { "\($0.words)" } ?? "no reason given")\
      \(Self.detail(text)).
      """
    case .keepAliveTimedOut: "The broker was silent for longer than the keep-alive allows."
    case .brokenProtocol(let reason, let detail):
      "The broker violates the protocol: \(detail) (\(reason.words))."
    case .closed: "The client was closed."
    case .invalidTopic(let topic, let reason): "\"\(topic)\" is no topic, because \(reason)."
    case .invalidFilter(let filter, let reason): "\"\(filter)\" is no filter, because \(reason)."
    case .invalidText(let text): text
    case .refusedMessage(let topic, let reason, let text):
      "The broker refuses a message on \(topic): \(reason.words)\(Self.detail(text))."
    case .refusedSubscription(let filter, let reason, let text):
      "The broker refuses the subscription to \(filter): \(reason.words)\(Self.detail(text))."
    case .unsupported(let reason): "The broker does not have what this needs: \(reason.words)."
    case .tooLarge(let limit): "The broker accepts packets of at most \(limit) bytes."
    case .expired: "The message has expired before it could be sent."
    case .queueFull(let limit):
      "\(limit) bytes of messages wait for the broker. Publish less, or raise queueBytes."
    }
  }

  private static func detail(_ text: String?) -> String {
    text.map { $0.isEmpty ? "" : ", \($0)" } ?? ""
  }
}

extension MQTTError {
  static let endedWithoutReason = Self.disconnected(nil, text: nil)

  /// True if a new attempt hardly helps, unless a person changes something.
  var isLasting: Bool {
    switch self {
    case .refused(let reason, _), .disconnected(let reason?, _): reason.isLasting
    case .unsupported: true
    default: false
    }
  }
}

extension MQTTReason {
  fileprivate var isLasting: Bool {
    switch self {
    case .unsupportedProtocolVersion, .invalidClientIdentifier, .badUserNameOrPassword,
      .notAuthorized, .banned, .badAuthenticationMethod, .sessionTakenOver, .serverMoved:
      true
    default: false
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .badUserNameOrPassword, .notAuthorized: " Check its login."
    case .invalidClientIdentifier: " Choose another clientID."
    default: ""
    }
  }
}
