/// A loop as its watchdog sees it.
struct WatchedLoop {
  let name: String
  let limit: Duration
  private(set) weak var activity: LoopActivity?
  /// The turn that the watchdog saw last, and when it saw this turn first.
  private var turn = 0
  private var start: Duration
  /// How long this turn takes when it is reported next.
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

  /// Looks at the present turn of the loop. Returns how long it has taken, if that is to be reported:
  /// when it reaches the limit, and then each time that it has doubled.
  mutating func look(at present: Int, now: Duration) -> Duration? {
    guard present == turn && !isWaiting else {
      turn = present
      restart(at: now)
      return nil
    }
    let duration = now - start
    guard duration >= next else { return nil }
    next = duration.multipliedWithSaturation(by: 2)
    return duration
  }

  /// Begins to measure the present turn again, because the process or the system stood still.
  mutating func restart(at now: Duration) {
    start = now
    next = limit
  }
}
