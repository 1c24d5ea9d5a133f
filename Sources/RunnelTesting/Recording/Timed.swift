/// An event and when it happened.
public struct Timed<Event> {
  /// The time on the scheduler of the test.
  public let time: Duration
  /// What happened.
  public let event: Event

  /// An event at a time.
  public init(_ time: Duration, _ event: Event) {
    self.time = time
    self.event = event
  }
}

extension Timed: Equatable where Event: Equatable {}
extension Timed: Hashable where Event: Hashable {}
extension Timed: Sendable where Event: Sendable {}

extension Timed: CustomStringConvertible {
  /// `next(1) @ 3.0 seconds`.
  public var description: String { "\(event) @ \(time)" }
}
