import Runnel

extension Duration {
  /// A time since the beginning of 1970 as text: the time of day if it is today, otherwise the
  /// date.
  var shortDate: String {
    let time = LocalTime(self)
    return time.date == LocalTime.now.date ? String(time.time.prefix(5)) : time.date
  }
}
