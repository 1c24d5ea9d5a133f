/// An alarm that goes off when it was not restarted for a while.
///
/// Restarting moves the deadline and leaves alone the call that is due; that one finds out how much
/// is left, and waits for the rest. So a restart costs a look at the clock, and no timer.
final class Countdown: Teardown {
  private let length: Duration
  private let alarm: RestartableTimer
  private var deadline: Duration = .zero
  private var isSet = false

  /// A countdown that does not run. A negative length counts as none.
  init(_ length: Duration, on scheduler: any Scheduler) {
    self.length = max(length, .zero)
    alarm = RestartableTimer(on: scheduler)
  }

  /// Starts it, or starts it again; always give it the same action.
  func restart(_ action: @escaping () -> Void) {
    deadline = alarm.now.addingWithSaturation(length)
    if !isSet { wait(action) }
  }

  /// Stops it.
  func cancel() {
    isSet = false
    alarm.cancel()
  }

  func tearDown() { alarm.tearDown() }

  private func wait(_ action: @escaping () -> Void) {
    isSet = true
    alarm.set(at: deadline) {
      self.isSet = false
      if self.alarm.now < self.deadline { self.wait(action) } else { action() }
    }
  }
}
