import Runnel

extension Duration {
  /// As a time since the beginning of 1970: the hour if it is today, else the day.
  var shortDate: String {
    let time = LocalTime(self)
    return time.date == LocalTime.now.date ? String(time.time.prefix(5)) : time.date
  }
}
