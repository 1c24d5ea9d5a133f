import Glibc

/// The form of the lines of a log.
///
/// Each entry is one line: control characters are escaped. A line has at most 4,096 bytes with its
/// line ending, so that a pipe takes all of it or nothing. Longer texts are cut and end with `…`, and
/// fields for which no room is left are missing.
public enum LogFormat: String, Sendable, Hashable, CaseIterable {
  /// A line for a person, with the time in UTC:
  /// `2026-11-27T08:14:30.123Z warning store: The disk is almost full. path=/srv free=1024`.
  case text
  /// A line for systemd's journal, with the priority that it reads:
  /// `<4>store: The disk is almost full. path=/srv free=1024`.
  case journal
  /// An object of JSON with the members `time`, `level`, `name` and `message`, and the fields of the
  /// entry. Fields with the name of another member have an underscore before it.
  case json

  static let longestLine = 4096

  /// Returns the line of an entry, without a line ending.
  public func line(_ entry: LogEntry) -> String {
    String(decoding: bytes(entry).dropLast(), as: UTF8.self)
  }

  /// Returns the bytes of the line with its ending.
  package func bytes(_ entry: LogEntry) -> [UInt8] {
    switch self {
    case .text: plain(entry, after: "\(entry.time.utcTimestamp) \(entry.level) ")
    case .journal: plain(entry, after: "<\(entry.level.priority)>")
    case .json: json(entry)
    }
  }

  private func plain(_ entry: LogEntry, after start: String) -> [UInt8] {
    var line = LogLine(ending: "\n")
    _ = line.append(start)
    _ = line.append(entry.shortName, as: .plain)
    _ = line.append(": ")
    _ = line.append(entry.message, as: .plain)
    for field in entry.fields {
      let key = field.name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "_" }
      guard line.append(" \(String(key))=", reserving: LogValue.longestLiteral) else { break }
      switch LogValue(field.value) {
      case .literal(let text): _ = line.append(text)
      case .null: _ = line.append("nil")
      case .text(let text):
        if text.isBare {
          _ = line.append(text, as: .plain)
        } else {
          line.append(quoted: text, as: .quoted)
        }
      }
    }
    return line.finished()
  }

  private func json(_ entry: LogEntry) -> [UInt8] {
    var line = LogLine(ending: "}\n")
    _ = line.append(
      "{\"time\":\"\(entry.time.utcTimestamp)\",\"level\":\"\(entry.level)\",\"name\":")
    line.append(quoted: entry.shortName, as: .json)
    _ = line.append(",\"message\":")
    line.append(quoted: entry.message, as: .json)
    var names: Set = ["time", "level", "name", "message"]
    for field in entry.fields {
      var name = field.name
      while !names.insert(name).inserted { name = "_" + name }
      guard line.append(",\(name.asJSON):", reserving: LogValue.longestLiteral) else { break }
      switch LogValue(field.value) {
      case .literal(let text): _ = line.append(text)
      case .null: _ = line.append("null")
      case .text(let text): line.append(quoted: text, as: .json)
      }
    }
    return line.finished()
  }
}

extension Duration {
  /// The time since 1 January 1970 in UTC by ISO 8601, with milliseconds.
  package var utcTimestamp: String {
    let (whole, attoseconds) = components
    // A time before 1970 has a negative part.
    let seconds = attoseconds < 0 ? whole - 1 : whole
    let milliseconds =
      (attoseconds + (attoseconds < 0 ? 1_000_000_000_000_000_000 : 0)) / 1_000_000_000_000_000
    var (clock, parts) = (time_t(seconds), tm())
    gmtime_r(&clock, &parts)
    let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)]
    let clockTime = [(parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2)]
    return date.map { $0.padded(to: $1) }.joined(separator: "-") + "T"
      + clockTime.map { $0.padded(to: $1) }.joined(separator: ":") + "."
      + milliseconds.padded(to: 3)
      + "Z"
  }
}

/// A value of a field, by the form in which it is logged.
private enum LogValue {
  /// A number or a Boolean value, of at most ``longestLiteral`` bytes.
  case literal(String)
  case null
  case text(String)

  static let longestLiteral = 40

  init(_ value: Any) {
    switch value {
    case let value as any OptionalValue:
      self = value.wrapped.map { LogValue($0) } ?? .null
    case let number as any BinaryInteger where "\(number)".utf8.count <= Self.longestLiteral:
      self = .literal("\(number)")
    case let isTrue as Bool: self = .literal("\(isTrue)")
    case let number as Double where number.isFinite: self = .literal("\(number)")
    case let number as Float where number.isFinite: self = .literal("\(number)")
    default: self = .text("\(value)")
    }
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

extension LogEntry {
  /// The first 100 Unicode scalars of the name.
  fileprivate var shortName: String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
  }
}

/// The bytes of a line, with a limit.
private struct LogLine {
  enum Escaping {
    /// Escapes control characters.
    case plain
    /// Escapes control characters, quotation marks and backslashes.
    case quoted
    /// Escapes as JSON does.
    case json
  }

  private var bytes: [UInt8] = []
  private let ending: StaticString
  private static let mark = "…"

  init(ending: StaticString) {
    self.ending = ending
    bytes.reserveCapacity(256)
  }

  /// The number of bytes that are free, except for the mark of a cut text, its closing quotation mark
  /// and the ending.
  private var room: Int {
    LogFormat.longestLine - ending.utf8CodeUnitCount - Self.mark.utf8.count - 1 - bytes.count
  }

  /// Appends a text that needs no escapes, or returns false if there is no room for it and a number of
  /// further bytes.
  mutating func append(_ text: String, reserving rest: Int = 0) -> Bool {
    guard text.utf8.count + rest <= room else { return false }
    bytes += text.utf8
    return true
  }

  /// Appends a text in quotation marks, cut if necessary.
  mutating func append(quoted text: String, as escaping: Escaping) {
    guard append("\"") else { return }
    _ = append(text, as: escaping)
    bytes.append(UInt8(ascii: "\""))
  }

  /// If the text does not fit, it is cut and followed by a mark.
  mutating func append(_ text: String, as escaping: Escaping) -> Bool {
    for scalar in text.unicodeScalars {
      let isAppended =
        switch scalar {
        case "\n": append("\\n")
        case "\t": append("\\t")
        case "\"" where escaping != .plain, "\\" where escaping != .plain: append("\\\(scalar)")
        case _ where scalar.isUnprintable:
          append(
            escaping == .json
              ? scalar.escapedForJSON : "\\u{\(String(scalar.value, radix: 16))}")
        default: append(String(scalar))
        }
      if !isAppended {
        bytes += Self.mark.utf8
        return false
      }
    }
    return true
  }

  func finished() -> [UInt8] {
    bytes + ending.withUTF8Buffer { Array($0) }
  }
}

extension String {
  /// True if a value can be written without quotation marks.
  fileprivate var isBare: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { !$0.isUnprintable && !" \"=\\".unicodeScalars.contains($0) }
  }
}
