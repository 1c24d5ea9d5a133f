/// An event with its time.
public struct Timed<Event> {
  /// The time on the test's scheduler.
  public let time: Duration
  /// The event.
  public let event: Event

  /// Creates an event with a time.
  public init(_ time: Duration, _ event: Event) {
    self.time = time
    self.event = event
  }
}

extension Timed: Equatable where Event: Equatable {}
extension Timed: Hashable where Event: Hashable {}
extension Timed: Sendable where Event: Sendable {}

extension Timed: CustomStringConvertible {
  /// The event and its time: `next(1) @ 3.0 seconds`.
  public var description: String { "\(event) @ \(time)" }
}
