/// Who gets an event before others. Those of equal priority get it in the order in which they began.
public struct EventPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// The higher, the earlier.
  public let rawValue: Int

  /// A priority between or beyond those that have names.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// After the others: 100 lower.
  public static let low = EventPriority(rawValue: -100)
  /// That of everybody who does not care.
  public static let normal = EventPriority(rawValue: 0)
  /// Before the others: 100 higher.
  public static let high = EventPriority(rawValue: 100)

  /// Whether the first comes after the second.
  public static func < (one: EventPriority, other: EventPriority) -> Bool {
    one.rawValue < other.rawValue
  }
}
