/// A type of events that are published on a topic, so that they cross to other programs.
///
///     struct OrderCreated: TopicEvent {
///       static let topic = "orders.created"
///       let number: Int
///     }
///     bus.publish(OrderCreated(number: 7))
///
/// An event of such a type and the same value on its topic are one event, however it is published:
/// `publish(event)` reaches the observers of the topic, and `publish(event, on: "orders.created")`
/// or a message from another program reaches the observers of the type. The topic of the type must
/// have no wildcard. As for all events, the static type at the call of `publish` decides.
///
/// A message that cannot be decoded as the type is logged, and not delivered to its observers.
public protocol TopicEvent: Codable {
  /// The topic of all events of this type.
  static var topic: String { get }
}
