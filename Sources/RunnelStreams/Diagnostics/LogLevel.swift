/// The importance of a log entry.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
  /// Details for the developer of the program.
  case debug
  /// An event of normal operation.
  case info
  /// A normal event that an operator may want to know of.
  case notice
  /// An event that may become a problem, or a failure after which the program tries again.
  case warning
  /// A failure of one task.
  case error
  /// A failure of the whole program.
  case critical

  /// The name of the level, such as `warning`.
  public var description: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    case .critical: "critical"
    }
  }

  /// Creates the level with a name, such as `warning`. Returns nil for another text.
  public init?(_ name: some StringProtocol) {
    guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
    self = level
  }

  /// Returns true if the first level is less important.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The priority of the system's log, from 7 (debug) to 2 (critical).
  var priority: Int { 7 - rawValue }
}
