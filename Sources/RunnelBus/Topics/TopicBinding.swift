/// The topic of the events of one type, and the closures that encode and decode them.
@usableFromInline
final class TopicBinding<Event> {
  let topic: String
  let levels: TopicLevels
  let encode: (Event, any TopicCoder) throws -> [UInt8]
  let decode: (TopicMessage) throws(TopicError) -> Event

  /// Returns the binding of a type; nil unless it is a ``TopicEvent``. Traps if its topic is invalid.
  convenience init?() {
    guard let type = Event.self as? any TopicEvent.Type else { return nil }
    self.init(type)
  }

  private init<Actual: TopicEvent>(_ type: Actual.Type) {
    topic = Actual.topic
    do throws(TopicError) {
      levels = try TopicLevels(topic: topic)
    } catch {
      fatalError("\(type).topic is no valid topic. \(error)")
    }
    // Safety: `Actual` is `Event`, under a name with its conformance.
    encode = { event, coder in try coder.encode(unsafeBitCast(event, to: Actual.self)) }
    // Safety: as above.
    decode = { message throws(TopicError) in
      unsafeBitCast(try message.value(as: type), to: Event.self)
    }
  }
}
