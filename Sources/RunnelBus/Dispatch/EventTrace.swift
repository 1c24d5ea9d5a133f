import RunnelStreams

/// What was published where, and who got it.
public struct EventTrace {
  /// Somebody who got the event.
  public struct Receiver: Hashable, Sendable, CustomStringConvertible {
    /// The name that was given, else the place in the source.
    public let name: String
    /// The path of the bus that was observed.
    public let bus: String

    /// `list (app/editor)`.
    public var description: String { "\(name) (\(bus))" }
  }

  /// What was published: an event, or the payload of a topic.
  public let event: Any
  /// The topic that it was published on, if any.
  public let topic: String?
  /// The path of the bus that it was published on.
  public let bus: String
  /// Who got it, in order.
  public let receivers: [Receiver]
}

extension EventTrace: CustomStringConvertible {
  /// A line for a log.
  public var description: String {
    let names = receivers.isEmpty ? "nobody" : receivers.map(\.description).joined(separator: ", ")
    return "\(bus): \(topic.map { "\($0) " } ?? "")\(event) → \(names)"
  }
}

/// What was published and nobody got.
public struct UnheardEvent {
  /// What was published: an event, or the payload of a topic.
  public let event: Any
  /// The topic that it was published on, if any.
  public let topic: String?
  /// The path of the bus that it was published on.
  public let bus: String
}
