/// A timer that fires when it has not been restarted for a given time.
///
/// Restarting only moves the deadline. When the scheduled call runs before the deadline, it waits
/// for the rest. A restart therefore costs one clock read, and sets no timer.
@usableFromInline
final class Countdown: Teardown {
  private let length: Duration
  private let timer: RestartableTimer
  private var deadline: Duration = .zero
  private var isSet = false

  /// Creates a countdown that is not running. A negative length counts as zero.
  @usableFromInline
  init(_ length: Duration, on scheduler: any Scheduler) {
    self.length = max(length, .zero)
    timer = RestartableTimer(on: scheduler)
  }

  /// Every call must pass the same action.
  @usableFromInline
  func restart(_ action: @escaping () -> Void) {
    deadline = timer.now.plus(length)
    if !isSet { wait(action) }
  }

  @usableFromInline
  func cancel() {
    isSet = false
    timer.cancel()
  }

  @usableFromInline
  func tearDown() { timer.tearDown() }

  private func wait(_ action: @escaping () -> Void) {
    isSet = true
    timer.set(at: deadline) {
      self.isSet = false
      if self.timer.now < self.deadline { self.wait(action) } else { action() }
    }
  }
}
