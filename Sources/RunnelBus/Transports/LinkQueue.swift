import RunnelStreams

/// The limits of the events that wait until the transport of a link takes them, and the rule for more
/// events than that.
///
///     try bus.join(
///       broker, exporting: ["orders.#"], queue: LinkQueue(count: 1_000, rule: .refuse))
public struct LinkQueue {
  /// The fate of events for which there is no room.
  public enum Rule: Hashable, Sendable {
    /// The event that has waited longest is dropped, unless it is on the way to the peer.
    case dropOldest
    /// The new event is dropped.
    case dropNewest
    /// The new event is refused: `publish(_:on:)` throws ``TopicError/queueFull(topic:transport:)``,
    /// and the event is published nowhere. An event from another link is dropped.
    case refuse
  }

  /// The largest number of waiting events. While the link is online, a source that can pause is
  /// paused at this limit, and its events are accepted up to twice the limit.
  public var count: Int
  /// The number of bytes of waiting events from which on there is no room for more.
  public var bytes: Int
  /// The rule for events beyond the limits.
  public var rule: Rule
  /// A place in which the waiting events survive the process, such as a `FileMessageStore`. Without
  /// one, they wait in memory.
  public var store: (any MessageStore)?

  /// Creates a queue. Traps unless the limits are at least 1.
  public init(
    count: Int = 10_000, bytes: Int = 16 << 20, rule: Rule = .dropOldest,
    store: (any MessageStore)? = nil
  ) {
    require(count > 0 && bytes > 0, "A LinkQueue needs limits of at least 1.")
    self.count = count
    self.bytes = bytes
    self.rule = rule
    self.store = store
  }
}
