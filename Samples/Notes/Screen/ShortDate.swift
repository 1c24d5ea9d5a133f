import Glibc

extension Duration {
  /// As a time since the beginning of 1970: the hour if it is today, else the day.
  var shortDate: String {
    let today = Self.parts(of: time(nil))
    let day = Self.parts(of: Int(components.seconds))
    let isToday = (today.tm_year, today.tm_yday) == (day.tm_year, day.tm_yday)
    return isToday
      ? "\(Self.two(day.tm_hour)):\(Self.two(day.tm_min))"
      : "\(day.tm_year + 1900)-\(Self.two(day.tm_mon + 1))-\(Self.two(day.tm_mday))"
  }

  private static func parts(of seconds: Int) -> tm {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    return parts
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
