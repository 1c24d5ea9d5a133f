/// What is wrong with a topic, or with what was published on it.
public enum TopicError: Error, Equatable {
  /// The topic has no character.
  case empty
  /// A level has no character: the dot at this offset is the first, the last, or follows another.
  case emptyLevel(offset: Int)
  /// A topic to publish on has a wildcard at this offset.
  case wildcardInTopic(offset: Int)
  /// A wildcard is part of a level, at this offset: it stands for whole levels.
  case wildcardWithinLevel(offset: Int)
  /// There is a level after the `#` at this offset, which stands for all that follow.
  case levelsAfterHash(offset: Int)
  /// What was published cannot be read as what it is observed as.
  case unreadablePayload(topic: String, reason: String)
  /// What is to be published cannot be written.
  case unwritablePayload(topic: String, reason: String)
  /// What was published has to be written or read, and the bus has no coder.
  case noCoder(topic: String)
}

extension TopicError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .empty: "A topic has at least one level."
    case .emptyLevel(let offset): "The topic has a level without a name at character \(offset)."
    case .wildcardInTopic(let offset):
      "A topic to publish on has no wildcards; there is one at character \(offset)."
    case .wildcardWithinLevel(let offset):
      "The wildcard at character \(offset) is part of a level: * stands for a whole one."
    case .levelsAfterHash(let offset):
      "The # at character \(offset) is not the end: it stands for all levels that follow."
    case .unreadablePayload(let topic, let reason):
      "What was published on \(topic) cannot be read: \(reason)"
    case .unwritablePayload(let topic, let reason):
      "What is to be published on \(topic) cannot be written: \(reason)"
    case .noCoder(let topic):
      """
      What was published on \(topic) has to be written or read as bytes, and the bus has no coder. \
      Make it with one, such as EventBus(coder: .json) of RunnelFoundation.
      """
    }
  }
}
