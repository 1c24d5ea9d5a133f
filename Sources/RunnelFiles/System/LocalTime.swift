import Glibc

/// A time as clocks show it where the user is.
///
///     let file = try SafeFile("notes/Milk.txt").contents()
///     print(LocalTime(file.modified))  // 2026-01-05T09:30:00
public struct LocalTime: Sendable, Hashable, CustomStringConvertible {
  /// `2026-01-05`
  public let date: String
  /// `09:30:00`
  public let time: String

  /// A time that is so long after the beginning of 1970.
  public init(_ sinceEpoch: Duration) {
    var seconds = Int(sinceEpoch.components.seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    date = Self.text(&parts, "%Y-%m-%d")
    time = Self.text(&parts, "%H:%M:%S")
  }

  /// What it is now.
  public static var now: LocalTime { LocalTime(.seconds(Glibc.time(nil))) }

  /// `2026-01-05T09:30:00`
  public var description: String { "\(date)T\(time)" }

  private static func text(_ parts: inout tm, _ format: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = buffer.withUnsafeMutableBytes { buffer in
      // Safety: both are bytes.
      strftime(buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, format, &parts)
    }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
