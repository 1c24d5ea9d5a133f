import CLinux

/// The policy that decides if an idle loop polls for jobs briefly before it sleeps.
///
/// Waking a thread often takes longer than the time until the next job arrives. A polling loop,
/// however, occupies a processor. The policy therefore polls only after jobs have arrived soon many
/// times in a row, and less after it has polled in vain.
struct SpinPolicy {
  /// The number of times in a row that jobs arrived soon after the loop became idle.
  private var streak = 0
  /// The time when the loop became idle. Nil while it is busy, and until the first call of
  /// ``shouldSpin(at:)``.
  private var idleSince: Duration?

  static let requiredStreak = 8
  /// The longest wait that counts as soon, including the time to wake the loop.
  static let soon: Duration = .microseconds(50)
  /// The longest time that the loop polls.
  static let maximumSpin: Duration = .microseconds(30)

  /// False on one processor: no other thread can add a job while the loop polls.
  static let isUseful = runnel_processor_count() > 1

  mutating func jobsArrived(at now: @autoclosure () -> Duration) {
    guard let idleSince else { return }
    self.idleSince = nil
    streak = now() - idleSince < Self.soon ? streak + 1 : 0
  }

  mutating func didOtherWork() {
    idleSince = nil
  }

  /// Returns true if the loop should poll for jobs. Called repeatedly while the loop is idle.
  mutating func shouldSpin(at now: @autoclosure () -> Duration) -> Bool {
    guard let idleSince else {
      idleSince = now()
      return streak >= Self.requiredStreak
    }
    guard streak >= Self.requiredStreak else { return false }
    if now() - idleSince < Self.maximumSpin { return true }
    streak = Self.requiredStreak / 2
    return false
  }
}
