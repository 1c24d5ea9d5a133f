/// A repeating timer with a fixed period, for `interval` and the timed forms of `buffer` and
/// `window`.
///
/// The periods do not drift. If the scheduler is late by more than a period, the missed periods are
/// skipped, and the next period ends at its regular time.
@usableFromInline
final class PeriodTimer: Teardown {
  private let length: Duration
  private let timer: RestartableTimer
  private var deadline: Duration
  private var onEnd: (() -> Void)?

  /// Creates a timer that has not begun. The length must be positive.
  @usableFromInline
  init(of length: Duration, on scheduler: any Scheduler) {
    self.length = length
    timer = RestartableTimer(on: scheduler)
    deadline = .zero
  }

  /// `onEnd` is called at the end of each period until the observation ends.
  @usableFromInline
  func begin(in observation: Disposable, onEnd: @escaping () -> Void) {
    guard observation.isActive else { return }
    observation.add(self)
    self.onEnd = onEnd
    restart()
  }

  /// Begins a new period now, before the current one has ended.
  @usableFromInline
  func restart() {
    deadline = timer.now.plus(length)
    scheduleEnd()
  }

  /// Stops the timer for good.
  @usableFromInline
  func tearDown() {
    onEnd = nil
    timer.tearDown()
  }

  private func skipToNextDeadline() {
    deadline = deadline.plus(length)
    let lateness = timer.now - deadline
    guard lateness >= .zero else { return }
    let missed = lateness.attoseconds / length.attoseconds + 1
    deadline += Duration(attoseconds: missed * length.attoseconds)
  }

  private func scheduleEnd() {
    timer.set(at: deadline) {
      self.skipToNextDeadline()
      self.scheduleEnd()
      self.onEnd?()
    }
  }
}
