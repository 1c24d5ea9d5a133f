import RunnelStreams

/// A date as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
public struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since 1 January 1970.
  public let seconds: Int

  /// Creates a date of seconds since 1 January 1970. Dates before the year 0 or after 9999 become
  /// the nearest date that can be written.
  public init(seconds: Int) {
    self.seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses a date in the form of RFC 9110, section 5.6.7, or in one of its two obsolete forms.
  /// Returns nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
    let (day, month, year, time): (Substring, Substring, Substring, Substring)
    var isShort = false
    switch parts.count {
    case 6 where parts[5] == "GMT" && parts[0].hasSuffix(",") && parts[3].utf8.count == 4:
      (day, month, year, time) = (parts[1], parts[2], parts[3], parts[4])
    case 4 where parts[3] == "GMT" && parts[0].hasSuffix(","):
      let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, date[2].utf8.count == 2 else { return nil }
      (day, month, year, time) = (date[0], date[1], date[2], parts[2])
      isShort = true
    case 5 where parts[4].utf8.count == 4:
      (day, month, year, time) = (parts[2], parts[1], parts[4], parts[3])
    default: return nil
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
      let hour = Self.number(clock[0]), let minute = Self.number(clock[1]),
      let second = Self.number(clock[2]), hour < 24, minute < 60, second < 61,
      let dayNumber = Self.number(day), 1...31 ~= dayNumber, day.utf8.count <= 2,
      let monthIndex = Self.months.firstIndex(of: String(month)), var yearNumber = Self.number(year)
    else { return nil }
    // A year of two digits is at most 50 years ahead of the time of this code.
    if isShort { yearNumber += yearNumber < 76 ? 2_000 : 1_900 }
    let days = Self.days(year: yearNumber, month: monthIndex + 1, day: dayNumber)
    self.init(seconds: days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { $0.isDigit } ? Int(text) : nil
  }

  /// Returns the days from 1 January 1970 to a date of the Gregorian calendar.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    // The year begins in March, so that the leap day is its last day.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// True if the first date is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The date in the form of RFC 9110.
  public var description: String {
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    let time = seconds - day * 86_400
    let era = (day + 719_468 >= 0 ? day + 719_468 : day + 719_468 - 146_096) / 146_097
    let dayOfEra = day + 719_468 - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let weekday = ((day + 3) % 7 + 7) % 7
    return """
      \(Self.days[weekday]), \(dayOfMonth.padded(to: 2)) \(Self.months[month - 1]) \(year.padded(to: 4)) \
      \((time / 3_600).padded(to: 2)):\((time / 60 % 60).padded(to: 2)):\((time % 60).padded(to: 2)) GMT
      """
  }
}
