import Glibc

/// An event that a program logs.
public struct LogEntry: Sendable {
  /// A named value of an entry.
  public struct Field: Sendable {
    /// The name of the value, such as `address`.
    public let name: String
    /// The value. Integers, Boolean values and finite numbers are logged as such, nil as null, and
    /// all other values as their description.
    public let value: any Sendable

    /// Creates a field.
    public init(_ name: String, _ value: any Sendable) {
      self.name = name
      self.value = value
    }
  }

  /// The time since 1 January 1970.
  public let time: Duration
  /// The importance of the event.
  public let level: LogLevel
  /// The part of the program that logs: the name of its ``Log``.
  public let name: String
  /// A sentence about the event, without its data.
  public let message: String
  /// The data of the event. No two fields have the same name.
  public let fields: [Field]
  /// The source location of the call, for ``Hooks/log`` and tests.
  public let location: SourceLocation

  /// Creates an entry, by default one of this moment.
  public init(
    time: Duration = Self.now, level: LogLevel, name: String, message: String,
    fields: [Field] = [], location: SourceLocation = SourceLocation()
  ) {
    self.time = time
    self.level = level
    self.name = name
    self.message = message
    self.fields = fields
    self.location = location
  }

  /// The value of a field, or nil if there is none.
  public subscript(name: String) -> (any Sendable)? {
    fields.first { $0.name == name }?.value
  }

  /// The time of the system since 1 January 1970.
  public static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.duration
  }
}
