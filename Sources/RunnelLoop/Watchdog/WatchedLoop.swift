/// A loop as its watchdog sees it.
struct WatchedLoop {
  let name: String
  let limit: Duration
  private(set) weak var activity: LoopActivity?
  /// The turn that the watchdog saw last, and when it saw this turn first.
  private var turn = 0
  private var start: Duration
  /// The duration at which this turn is reported next.
  private var next: Duration

  init(_ name: String, _ activity: LoopActivity, limit: Duration, now: Duration) {
    self.name = name
    self.activity = activity
    self.limit = limit
    start = now
    next = limit
  }

  /// True if the loop waited at the last look.
  var isWaiting: Bool { turn & 1 == 0 }

  /// True if the turn of the last look goes on.
  var isStillBusy: Bool { activity?.present == turn && !isWaiting }

  /// Says whether a turn that begins ends the sleep of the watchdog.
  func await(_ isAwaited: Bool) {
    activity?.isAwaited.store(isAwaited, ordering: .relaxed)
  }

  /// Looks at the present turn of the loop. Returns how long it has taken, if that is to be reported:
  /// when it reaches the limit, and then each time that it has doubled.
  mutating func look(now: Duration) -> Duration? {
    let present = activity?.present ?? 0
    guard present == turn && !isWaiting else {
      turn = present
      start = now
      next = limit
      return nil
    }
    let duration = now - start
    guard duration >= next else { return nil }
    next = duration.times(2)
    return duration
  }

  /// Leaves a time out of the duration of the present turn.
  mutating func discount(_ time: Duration) {
    start += time
  }
}
