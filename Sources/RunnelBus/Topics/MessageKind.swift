/// The meaning of a message on a topic.
public enum MessageKind: Hashable, Sendable {
  /// An event for the present observers of its topic.
  case event
  /// A sticky event, which is kept for later observers in place of the earlier one on the topic.
  case sticky
  /// The removal of the sticky event of the topic. There is no payload.
  case cleared
}
