/// The numbers of messages that a client has handled.
public struct MQTTCounts: Hashable, Sendable {
  /// Messages that were sent, and that the broker has confirmed if they asked for it.
  public var sent = 0
  /// Messages that the broker or the client refused.
  public var refused = 0
  /// Messages that wait to be sent or confirmed now.
  public var waiting = 0
  /// Messages that were delivered to at least one observer.
  public var received = 0
  /// Messages that arrived and matched no subscription. They are confirmed.
  public var unmatched = 0
  /// Messages from the broker that were dropped because observers are behind.
  public var dropped = 0
  /// Subscriptions that the broker has granted with a weaker guarantee than the one asked for.
  public var weakened = 0
  /// Connections that a broker has accepted.
  public var connections = 0

  /// Creates counts of zero.
  public init() {}
}
