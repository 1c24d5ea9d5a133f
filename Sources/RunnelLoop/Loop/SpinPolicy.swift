import CLibevent

/// Whether a loop that has nothing to do had better look for jobs for a moment than sleep.
///
/// To be woken takes a thread longer than another one often needs until it gives the next job. But a
/// loop that stays awake takes a processor from others: so it looks only where the jobs of other
/// threads came soon many times in a row, and seldom where it has looked in vain.
struct SpinPolicy {
  /// How many times in a row jobs came soon after there was nothing to do.
  private var streak = 0
  /// Since when there is nothing to do; nil while there is, and until it is asked.
  private var since: Duration?

  /// How many times in a row jobs must have come soon.
  static let confidence = 8
  /// What counts as soon, also where the loop had to be woken.
  static let soon: Duration = .microseconds(50)
  /// For how long it looks.
  static let patience: Duration = .microseconds(30)

  /// On one processor nobody can give a job while the loop looks.
  static let isOfUse = runnel_processor_count() > 1

  /// Jobs of other threads have come.
  mutating func haveCome(at now: @autoclosure () -> Duration) {
    guard let since else { return }
    self.since = nil
    streak = now() - since < Self.soon ? streak + 1 : 0
  }

  /// Something else was done.
  mutating func hasWorked() {
    since = nil
  }

  /// Asked, again and again, where there is nothing to do.
  mutating func expectsJobs(at now: @autoclosure () -> Duration) -> Bool {
    guard let since else {
      since = now()
      return streak >= Self.confidence
    }
    guard streak >= Self.confidence else { return false }
    if now() - since < Self.patience { return true }
    streak = Self.confidence / 2
    return false
  }
}
