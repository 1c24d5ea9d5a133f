/// The numbers of messages that a link has handled.
public struct LinkCounts: Hashable, Sendable {
  /// Messages that the transport has taken, or that its peer has confirmed.
  public var sent = 0
  /// Messages that were delivered on the bus.
  public var received = 0
  /// Messages that arrived and were not delivered: the bus had received them before, or a later
  /// sticky event, or their topic is not one of the bus.
  public var ignored = 0
  /// Events that were dropped because the queue was full, or waited when the link was disposed.
  public var dropped = 0
  /// Events that could not be encoded, or that the transport or its peer refused.
  public var refused = 0
  /// Events that wait for the transport or for a confirmation now.
  public var waiting = 0

  /// Creates counts of zero.
  public init() {}
}
