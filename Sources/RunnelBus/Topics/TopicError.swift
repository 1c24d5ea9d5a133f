/// An error in a topic or its payload.
public enum TopicError: Error, Equatable {
  /// The topic is empty.
  case empty
  /// A level is empty: the dot at this offset is the first or last character, or follows another
  /// dot.
  case emptyLevel(offset: Int)
  /// The topic has more than 128 levels.
  case tooManyLevels
  /// A topic for publishing has a wildcard at this offset.
  case wildcardInTopic(offset: Int)
  /// A wildcard at this offset is only part of a level. It must be a whole level.
  case wildcardWithinLevel(offset: Int)
  /// A level follows the `#` at this offset, which must be the last level.
  case levelsAfterHash(offset: Int)
  /// The payload cannot be decoded as the observed type.
  case unreadablePayload(topic: String, reason: String)
  /// The payload cannot be encoded.
  case unwritablePayload(topic: String, reason: String)
  /// The payload must be encoded or decoded, and the bus has no coder.
  case noCoder(topic: String)
  /// The event is sticky, and a link exports its topic over a transport that retains none.
  case notRetained(topic: String, transport: String)
  /// A link exports the topic over a transport that cannot express it.
  case unmappable(topic: String, transport: String, reason: String)
  /// The queue of a link that exports the topic is full, and its rule is to refuse events.
  case queueFull(topic: String, transport: String)
}

extension TopicError: CustomStringConvertible {
  /// A description of the problem and its position.
  public var description: String {
    switch self {
    case .empty: "The topic is empty. It needs at least one level."
    case .emptyLevel(let offset): "The topic has an empty level at character \(offset)."
    case .tooManyLevels:
      "The topic has more than \(TopicLevels.most) levels. Put what follows into the payload."
    case .wildcardInTopic(let offset):
      "A topic for publishing must not contain wildcards; there is one at character \(offset)."
    case .wildcardWithinLevel(let offset):
      "The wildcard at character \(offset) is only part of a level. It must be a whole level."
    case .levelsAfterHash(let offset):
      "The # at character \(offset) must be the last level: it matches all levels that follow."
    case .unreadablePayload(let topic, let reason):
      "The payload on \(topic) cannot be decoded: \(reason)"
    case .unwritablePayload(let topic, let reason):
      "The payload for \(topic) cannot be encoded: \(reason)"
    case .noCoder(let topic):
      """
      The payload on \(topic) must be encoded or decoded, but the bus has no coder. Create the bus \
      with one, such as EventBus(coder: .json).
      """
    case .notRetained(let topic, let transport):
      """
      The sticky event on \(topic) cannot cross: \(transport) retains none. Publish it without \
      sticky, or export the topic as .unretained.
      """
    case .unmappable(let topic, let transport, let reason):
      "An event on \(topic) cannot cross to \(transport): \(reason) Give the topic another name."
    case .queueFull(let topic, let transport):
      """
      The event on \(topic) was refused: too many events wait for \(transport). Publish it again \
      when the link is online.
      """
    }
  }
}
