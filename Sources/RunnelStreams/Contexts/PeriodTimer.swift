/// Time cut into periods of one length: the clock behind `interval` and the timed forms of `buffer`
/// and `window`.
///
/// The periods follow each other without drift. Where the scheduler is late by more than a period,
/// those that were missed are left out instead of ending all at once, and the next one ends when it
/// would have.
final class PeriodTimer: Teardown {
  private let length: Duration
  private let alarm: RestartableTimer
  private var deadline: Duration
  private var onEnd: (() -> Void)?

  /// PeriodTimer that have not begun. The length is positive.
  init(of length: Duration, on scheduler: any Scheduler) {
    self.length = length
    alarm = RestartableTimer(on: scheduler)
    deadline = .zero
  }

  /// Begins the first period; `onEnd` is called at the end of each, until the observation ends.
  func begin(in observation: Disposable, onEnd: @escaping () -> Void) {
    guard observation.isActive else { return }
    observation.add(self)
    self.onEnd = onEnd
    restart()
  }

  /// Begins a new period now, before the one that runs has ended.
  func restart() {
    deadline = alarm.now.addingWithSaturation(length)
    setAlarm()
  }

  /// Ends it all.
  func tearDown() {
    onEnd = nil
    alarm.tearDown()
  }

  private func skipToNextDeadline() {
    deadline = deadline.addingWithSaturation(length)
    let lateness = alarm.now - deadline
    guard lateness >= .zero else { return }
    let missed = lateness.attoseconds / length.attoseconds + 1
    deadline += Duration(attoseconds: missed * length.attoseconds)
  }

  private func setAlarm() {
    alarm.set(at: deadline) {
      self.skipToNextDeadline()
      self.setAlarm()
      self.onEnd?()
    }
  }
}
