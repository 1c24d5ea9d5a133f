/// The news that a message has reached the broker.
public enum MQTTReceipt: Hashable, Sendable {
  /// The message was written, and is not confirmed.
  case sent
  /// The broker has confirmed the message.
  case confirmed
  /// The broker has confirmed the message, and says that nobody has subscribed to its topic.
  case withoutSubscribers
}
