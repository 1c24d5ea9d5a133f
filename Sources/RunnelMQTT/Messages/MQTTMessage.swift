/// A message on a topic.
///
///     try client.send(MQTTMessage("lights/kitchen", text: "on", qos: .atLeastOnce))
public struct MQTTMessage: Hashable, Sendable {
  /// A pair of texts that travels with a message.
  public struct UserProperty: Hashable, Sendable {
    /// The name. Several properties may have the same one.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a property.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The topic: levels between slashes, without the wildcards `+` and `#`.
  public var topic: String
  /// The content.
  public var payload: [UInt8]
  /// The guarantee of the delivery.
  public var qos: MQTTQoS
  /// For a message that is sent, true if the broker keeps it for later subscribers. An empty payload
  /// then removes the kept one. For a received message, true if the broker had kept it: see
  /// ``MQTTSubscription/keepsRetainedFlag``.
  public var isRetained: Bool
  /// True if the payload is declared to be UTF-8. MQTT 3.1.1 does not carry it.
  public var isText = false
  /// The time after which the message is no longer delivered, in whole seconds. It begins when the message is
  /// published: one that waits for the broker for longer fails with ``MQTTError/expired``. Needs MQTT 5, as
  /// all properties below: a client that speaks MQTT 3.1.1 refuses the message.
  public var expiry: Duration?
  /// The kind of the content, such as `application/json`.
  public var contentType: String?
  /// The topic for an answer.
  public var responseTopic: String?
  /// The bytes by which the sender of a request recognises the answer.
  public var correlationData: [UInt8]?
  /// The pairs of texts, in their order.
  public var userProperties: [UserProperty] = []
  /// True for a received message that the broker may have delivered before.
  public internal(set) var isDuplicate = false

  /// Creates a message of bytes.
  public init(
    _ topic: String, _ payload: [UInt8] = [], qos: MQTTQoS = .atMostOnce,
    isRetained: Bool = false
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
  }

  /// Creates a message of a text.
  public init(
    _ topic: String, text: String, qos: MQTTQoS = .atMostOnce, isRetained: Bool = false
  ) {
    self.init(topic, Array(text.utf8), qos: qos, isRetained: isRetained)
    isText = true
  }

  /// The payload as text. Bytes that are not UTF-8 become replacement characters.
  public var text: String { String(decoding: payload, as: UTF8.self) }

  /// Returns the value of the first user property with a name.
  public func userProperty(_ name: String) -> String? {
    userProperties.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// True if MQTT 3.1.1 cannot carry the message without a loss.
  var needsVersion5: Bool {
    expiry != nil || contentType != nil || responseTopic != nil || correlationData != nil
      || !userProperties.isEmpty
  }

  /// The approximate memory of the message.
  var weight: Int {
    userProperties.reduce(
      128 + payload.count + topic.utf8.count + (correlationData?.count ?? 0)
        + (responseTopic?.utf8.count ?? 0) + (contentType?.utf8.count ?? 0)
    ) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// Throws if a packet cannot carry the message.
  func check() throws(MQTTError) {
    if let problem = TopicRules.problem(ofTopic: topic) {
      throw .invalidTopic(topic, reason: problem)
    }
    if let responseTopic, let problem = TopicRules.problem(ofTopic: responseTopic) {
      throw .invalidTopic(responseTopic, reason: problem)
    }
    if isText, String(validating: payload, as: UTF8.self) == nil {
      throw .invalidText("The payload is not UTF-8.")
    }
    var texts = userProperties.flatMap { [$0.name, $0.value] }
    if let contentType { texts.append(contentType) }
    try Self.check(texts: texts)
    if let correlationData, correlationData.count > TopicRules.longestText {
      throw .invalidText("The correlation data have more than 65,535 bytes.")
    }
    // Some brokers take zero for no expiry.
    if let expiry, expiry <= .zero || expiry > .seconds(UInt32.max) {
      throw .invalidText("The expiry is not positive, or is longer than 4,294,967,295 seconds.")
    }
  }

  /// Throws if a packet cannot carry one of the texts.
  static func check(texts: [String]) throws(MQTTError) {
    for text in texts {
      if let problem = TopicRules.problem(ofText: text) {
        throw .invalidText("A text cannot be sent, because \(problem).")
      }
    }
  }
}
