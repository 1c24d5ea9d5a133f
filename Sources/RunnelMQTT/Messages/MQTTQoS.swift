/// The guarantee with which a message is delivered: its quality of service.
public enum MQTTQoS: UInt8, Hashable, Sendable, Comparable, CaseIterable {
  /// The message is sent once and not confirmed. It can be lost.
  case atMostOnce = 0
  /// The message is confirmed, and sent again until it is. It can arrive twice.
  case atLeastOnce = 1
  /// The message arrives once. If the broker loses the session of the client, or the receiving program ends
  /// before the broker has forgotten the message, it can arrive twice.
  case exactlyOnce = 2

  /// Returns true if the first guarantee is weaker.
  public static func < (one: MQTTQoS, other: MQTTQoS) -> Bool {
    one.rawValue < other.rawValue
  }
}
