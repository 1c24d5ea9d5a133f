/// A record of one published event and its receivers.
public struct EventTrace {
  /// An observer that received the event.
  public struct Receiver: Hashable, Sendable, CustomStringConvertible {
    /// The name of the observer, or else its position in the source.
    public let name: String
    /// The path of the observed bus.
    public let bus: String

    /// The receiver as text: `list (app/editor)`.
    public var description: String { "\(name) (\(bus))" }
  }

  /// The event, or the payload of a topic.
  public let event: Any
  /// The topic of the event, if it has one.
  public let topic: String?
  /// The path of the bus that the event was published on.
  public let bus: String
  /// The receivers, in the order of delivery.
  public let receivers: [Receiver]
}

extension EventTrace: CustomStringConvertible {
  /// A description in one line, for a log.
  public var description: String {
    let names = receivers.isEmpty ? "nobody" : receivers.map(\.description).joined(separator: ", ")
    return "\(bus): \(topic.map { "\($0) " } ?? "")\(event) → \(names)"
  }
}

/// A published event that no observer received.
public struct UnheardEvent {
  /// The event, or the payload of a topic.
  public let event: Any
  /// The topic of the event, if it has one.
  public let topic: String?
  /// The path of the bus that the event was published on.
  public let bus: String
}
