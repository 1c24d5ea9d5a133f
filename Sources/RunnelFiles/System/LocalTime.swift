import Glibc

/// A date and time in the user's time zone.
///
///     let file = try SafeFile("notes/Milk.txt").contents()
///     print(LocalTime(file.modified))  // 2026-01-05T09:30:00
public struct LocalTime: Sendable, Hashable, CustomStringConvertible {
  /// The date, as in `2026-01-05`.
  public let date: String
  /// The time, as in `09:30:00`.
  public let time: String

  /// Creates a local time from a duration since 1970-01-01 00:00 UTC.
  public init(_ sinceEpoch: Duration) {
    var seconds = Int(sinceEpoch.components.seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    date = Self.text(&parts, "%Y-%m-%d")
    time = Self.text(&parts, "%H:%M:%S")
  }

  /// The current time.
  public static var now: LocalTime { LocalTime(.sinceEpoch) }

  /// The date and time, as in `2026-01-05T09:30:00`.
  public var description: String { "\(date)T\(time)" }

  /// The time of day, as in `09:30`, if the date is today; otherwise the date. A list of files shows
  /// it.
  public var short: String {
    date == Self.now.date ? String(time.prefix(5)) : date
  }

  static func text(_ parts: inout tm, _ format: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = buffer.withUnsafeMutableBytes { buffer in
      // Safety: `UInt8` and `CChar` have the same layout.
      strftime(buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, format, &parts)
    }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}

extension Duration {
  /// The time since 1970-01-01 00:00 UTC, in seconds, as in the modification times of files.
  public static var sinceEpoch: Duration { .seconds(Glibc.time(nil)) }
}
