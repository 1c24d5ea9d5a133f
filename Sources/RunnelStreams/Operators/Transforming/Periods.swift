/// Time cut into periods of one length: the clock behind the timed forms of `buffer` and `window`.
///
/// The periods follow each other without drift. Where the scheduler is late by more than a period,
/// those that were missed are left out instead of ending all at once.
final class Periods: Teardown {
  private let length: Duration
  private let alarm: Alarm
  private var deadline: Duration
  private var onEnd: (() -> Void)?

  /// Periods that have not begun. The length is positive.
  init(of length: Duration, on scheduler: any Scheduler) {
    self.length = length
    alarm = Alarm(on: scheduler)
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

  private func setAlarm() {
    alarm.set(at: deadline) {
      self.deadline = self.deadline.addingWithSaturation(self.length)
      let now = self.alarm.now
      if self.deadline <= now { self.deadline = now.addingWithSaturation(self.length) }
      self.setAlarm()
      self.onEnd?()
    }
  }
}
