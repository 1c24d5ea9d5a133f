/// A subscription to the messages that match a filter.
///
///     let warm = MQTTSubscription("sensors/+/temperature", qos: .exactlyOnce)
///     client.subscribe(to: warm).observe(next: { show($0.text) })
public struct MQTTSubscription: Hashable, Sendable {
  /// The retained messages that the broker sends at the beginning.
  public enum Retained: UInt8, Hashable, Sendable {
    /// All that match.
    case all = 0
    /// All that match, unless the session of the client had the subscription already.
    case ifNew = 1
    /// None.
    case none = 2
  }

  /// The filter: levels between slashes. `+` matches any level, and `#` at the end any number of
  /// levels.
  public var filter: String
  /// The strongest guarantee with which messages are delivered.
  public var qos: MQTTQoS
  /// The retained messages at the beginning. Other values than ``Retained/all`` need MQTT 5, and so
  /// do the options below: a client that speaks MQTT 3.1.1 refuses the subscription.
  public var retained: Retained
  /// True if messages that this client publishes are left out.
  public var excludesOwn = false
  /// True if ``MQTTMessage/isRetained`` is the flag that the sender has set. By default, it is true
  /// for the retained messages at the beginning only.
  public var keepsRetainedFlag = false

  /// Creates a subscription.
  public init(
    _ filter: String, qos: MQTTQoS = .atLeastOnce, retained: Retained = .all
  ) {
    self.filter = filter
    self.qos = qos
    self.retained = retained
  }

  /// Throws if the filter or an option is not valid.
  func check() throws(MQTTError) {
    if let problem = TopicRules.problem(ofFilter: filter) {
      throw .invalidFilter(filter, reason: problem)
    }
    if excludesOwn && TopicRules.isShared(filter) {
      throw .invalidFilter(filter, reason: "a shared filter cannot leave out own messages")
    }
  }

  /// True if it has options that MQTT 3.1.1 does not have.
  var needsVersion5: Bool { options > 2 }

  var options: UInt8 {
    qos.rawValue | (excludesOwn ? 4 : 0) | (keepsRetainedFlag ? 8 : 0) | retained.rawValue << 4
  }
}

extension MQTTSubscription: ExpressibleByStringLiteral {
  /// Creates a subscription with ``MQTTQoS/atLeastOnce``.
  public init(stringLiteral filter: String) {
    self.init(filter)
  }
}
