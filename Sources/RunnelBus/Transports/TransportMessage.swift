/// A message between buses, as a ``BusTransport`` carries it.
public struct TransportMessage: Hashable, Sendable {
  /// The topic, in Runnel's syntax and with the prefix of the link: `shop.orders.created`.
  public var topic: String
  /// The meaning of the message.
  public var kind: MessageKind
  /// The encoded event.
  public var payload: [UInt8]
  /// The identity of the event; nil if it comes from a program without Runnel. A transport that
  /// numbers all messages, as D-Bus does, may make a stamp from those numbers.
  public var stamp: EventStamp?
  /// True if the receiver of the message confirms it: the peer for a message that is sent, this program
  /// for a received one. Always false on a transport that is not an ``AcknowledgingTransport``.
  public var isAcknowledged: Bool
  /// True if the message may have been delivered before, because a confirmation was lost.
  public var isRepeated: Bool
  /// True if the peer had retained the message before it confirmed the subscription. Always false for a
  /// message that is sent, and on a transport that is not a ``RetainingTransport``.
  public var isStored: Bool

  /// Creates a message.
  public init(
    topic: String, kind: MessageKind = .event, payload: [UInt8], stamp: EventStamp? = nil,
    isAcknowledged: Bool = false, isRepeated: Bool = false, isStored: Bool = false
  ) {
    self.topic = topic
    self.kind = kind
    self.payload = payload
    self.stamp = stamp
    self.isAcknowledged = isAcknowledged
    self.isRepeated = isRepeated
    self.isStored = isStored
  }
}
