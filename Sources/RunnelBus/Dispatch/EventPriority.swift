/// The priority of an observer. Observers of equal priority receive events in the order of
/// subscription.
public struct EventPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// The priority as a number. Higher values receive events earlier.
  public let rawValue: Int

  /// Creates a priority between or beyond the named ones.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Lower than normal: -100.
  public static let low = EventPriority(rawValue: -100)
  /// The default priority: 0.
  public static let normal = EventPriority(rawValue: 0)
  /// Higher than normal: 100.
  public static let high = EventPriority(rawValue: 100)

  /// Returns true if the first priority is lower than the second.
  public static func < (one: EventPriority, other: EventPriority) -> Bool {
    one.rawValue < other.rawValue
  }
}
