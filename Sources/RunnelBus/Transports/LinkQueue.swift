import RunnelStreams

/// The limits of the events that wait until the transport of a link takes them, and the rule for more
/// events than that.
///
/// Retained sticky events and removals are not limited and never dropped: of each topic only the latest
/// one waits.
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
  public var count: Int { didSet { checkLimits() } }
  /// The limit of the bytes of waiting events. The event that exceeds it is still accepted.
  public var bytes: Int { didSet { checkLimits() } }
  /// The rule for events beyond the limits.
  public var rule: Rule
  /// A place in which the waiting events survive the process, such as a `FileMessageStore`. Without
  /// one, they wait in memory. A store writes each event on the thread of the bus, also while the link is
  /// online. Messages of an earlier run are sent whatever the patterns of the link are, and count as
  /// received by this bus. They may exceed the limits.
  public var store: (any MessageStore)?

  /// Creates a queue. Traps unless the limits are at least 1.
  public init(
    count: Int = 10_000, bytes: Int = 16 << 20, rule: Rule = .dropOldest,
    store: (any MessageStore)? = nil
  ) {
    self.count = count
    self.bytes = bytes
    self.rule = rule
    self.store = store
    checkLimits()
  }

  private func checkLimits() {
    require(count > 0 && bytes > 0, "A LinkQueue needs limits of at least 1.")
  }
}
