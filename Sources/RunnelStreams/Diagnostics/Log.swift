import Synchronization

/// A part of a program that logs events.
///
///     let log = Log("store")
///     log.warning("The disk is almost full.", ["path": "/srv", "free": 1024])
///
/// By default an entry is a line of at most 4,096 bytes on the standard error, such as
/// `2026-11-27T08:14:30.123Z warning store: The disk is almost full. path=/srv free=1024`. Under
/// systemd it has a priority instead of the time. See ``LogFormat``.
///
/// A line is written before the call returns, on any thread, and a file or a pipe has it even if the
/// process is killed afterwards. The call never waits for the reader of the standard error: a line for
/// which there is no room is dropped and counted. See ``droppedCount``. If a terminal has room for a part
/// of a line only, the rest follows before the next line.
///
/// ``Hooks/log`` sends the entries elsewhere.
public struct Log: Sendable {
  /// The values of an entry, by their names.
  public typealias Fields = KeyValuePairs<String, any Sendable>

  /// The closure that takes the entries of a thread, of all levels, instead of ``Hooks/log``. For tests.
  package static let recorder = ThreadOverride<(LogEntry) -> Void>()
  /// Set on the threads that are in ``Hooks/log``.
  private static let hook = ThreadOverride<Void>()

  /// The name of the part. Those of Runnel are such as `runnel.net`.
  public let name: String
  private let fields: [LogEntry.Field]

  /// Creates a log, with fields that all its entries have.
  public init(_ name: String, _ fields: Fields = [:]) {
    self.init(name: name, fields: Self.merged([], fields))
  }

  private init(name: String, fields: [LogEntry.Field]) {
    self.name = name
    self.fields = fields
  }

  /// Returns a log whose entries also have these fields, for example for one connection.
  public func with(_ fields: Fields) -> Log {
    Log(name: name, fields: Self.merged(self.fields, fields))
  }

  // MARK: - Levels

  private static let threshold = Atomic(LogLevel.info.rawValue)

  /// The least level that is logged. The default is ``LogLevel/info``.
  public static var level: LogLevel {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
    set { threshold.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Returns true if entries of a level are logged. The arguments of other calls are not evaluated.
  public func isEnabled(_ level: LogLevel) -> Bool {
    level.rawValue >= Self.threshold.load(ordering: .relaxed) || Self.recorder.current != nil
  }

  /// The format of the lines. Nil is the default: ``LogFormat/journal`` if systemd's journal reads the
  /// standard error, otherwise ``LogFormat/text``.
  public static var format: LogFormat? {
    get { StandardError.format }
    set { StandardError.format = newValue }
  }

  /// The number of lines that were dropped because the standard error had no room for them, or could
  /// not be written. When there is room again, the next line is followed by a warning with the number.
  public static var droppedCount: Int { StandardError.droppedCount }

  // MARK: - Logging

  /// Logs an event for the developer of the program.
  public func debug(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.debug, message, fields, file, line)
  }

  /// Logs an event of normal operation.
  public func info(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.info, message, fields, file, line)
  }

  /// Logs a normal event that an operator may want to know of.
  public func notice(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.notice, message, fields, file, line)
  }

  /// Logs an event that may become a problem, or a failure after which the program tries again.
  public func warning(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.warning, message, fields, file, line)
  }

  /// Logs a failure of one task.
  public func error(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.error, message, fields, file, line)
  }

  /// Logs a failure of the whole program.
  public func critical(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    write(.critical, message, fields, file, line)
  }

  private func write(
    _ level: LogLevel, _ message: () -> String, _ fields: () -> Fields, _ file: StaticString,
    _ line: UInt
  ) {
    guard isEnabled(level) else { return }
    let entry = LogEntry(
      level: level, name: name, message: message(), fields: Self.merged(self.fields, fields()),
      location: SourceLocation(file: file, line: line))
    Self.write(entry)
  }

  /// Passes an entry that another library has made to ``Hooks/log``, whatever its level.
  ///
  ///     let entry = LogEntry(level: .warning, name: "images", message: "The image is large.")
  ///     if Log(entry.name).isEnabled(entry.level) { Log.write(entry) }
  public static func write(_ entry: LogEntry) {
    if let record = recorder.current { return record(entry) }
    // A hook that logs would call itself without end.
    if hook.current != nil { return StandardError.write(entry) }
    hook.with(()) { Hooks.log(entry) }
  }

  /// A later field replaces an earlier one with the same name.
  private static func merged(_ fields: [LogEntry.Field], _ added: Fields) -> [LogEntry.Field] {
    var fields = fields
    for (name, value) in added {
      let field = LogEntry.Field(name, value)
      if let index = fields.firstIndex(where: { $0.name == name }) {
        fields[index] = field
      } else {
        fields.append(field)
      }
    }
    return fields
  }
}
