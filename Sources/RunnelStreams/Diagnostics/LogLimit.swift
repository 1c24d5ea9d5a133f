/// Limits how often a repeated event is logged: at most once in ten seconds.
package struct LogLimit {
  private static let interval = Duration.seconds(10)
  private var last: Duration?
  private var count = 0

  package init() {}

  /// Counts an event. Returns the number of events since the last one that was logged, including this
  /// one, if it may be logged; otherwise nil.
  package mutating func count(at now: Duration) -> Int? {
    count += 1
    if let last, now - last < Self.interval { return nil }
    last = now
    defer { count = 0 }
    return count
  }
}
