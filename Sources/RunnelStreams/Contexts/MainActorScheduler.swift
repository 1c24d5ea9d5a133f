/// A real-time scheduler on the main actor, for programs without an event loop.
///
/// It is the current scheduler wherever main-actor code runs and no other scheduler was set. A
/// timed operator in a view model therefore works without setup:
///
///     searchText.debounce(for: .milliseconds(300)).observeNext { show($0) }
///
/// *Timing*: monotonic, never early. One task sleeps until the earliest deadline.
final class MainActorScheduler: Scheduler {
  // Safety: `schedule` and the disposal of timers check that the caller runs on the thread of the
  // main actor, where `wake` runs too. The object is never released.
  nonisolated(unsafe) static let shared = MainActorScheduler()

  /// The longest single sleep. Some clocks cannot represent a longer one.
  private static let longestSleep = Duration.seconds(86_400)

  private let timers = TimerQueue()
  private let origin = ContinuousClock.now
  private var wakeUp: (deadline: Duration, task: Task<Void, Never>)?

  init() {
    timers.check = { cancel in
      Self.mustBeCurrent("disposing a timer")
      cancel()
    }
  }

  /// The time since the scheduler was created.
  var now: Duration { origin.duration(to: .now) }

  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    Self.mustBeCurrent("schedule(at:)")
    let timer = timers.add(at: deadline, action)
    sleep()
    return timer
  }

  /// Traps if the scheduler is used on another thread than that of the main actor (C11).
  private static func mustBeCurrent(_ action: @autoclosure () -> String) {
    require(
      Current.isMainThread,
      """
      \(action()) is only allowed on the thread of the main actor, because the timed operator was \
      observed there. Observe the stream where its source sends, or use observe(on:) or via.
      """)
  }

  /// Makes sure that a task sleeps until the next deadline.
  private func sleep() {
    guard let deadline = timers.nextDeadline else { return }
    if let wakeUp, wakeUp.deadline <= deadline { return }
    wakeUp?.task.cancel()
    let now = now
    let length = deadline > now ? min(deadline - now, Self.longestSleep) : .zero
    // Safety: the task runs on the main actor, and every use of this scheduler is checked to run
    // there.
    nonisolated(unsafe) let scheduler = self
    let task = Task { @MainActor in
      do {
        try await Task.sleep(for: length, tolerance: .zero, clock: .continuous)
        scheduler.wake()
      } catch {
        // An earlier deadline has replaced this one.
      }
    }
    wakeUp = (deadline, task)
  }

  private func wake() {
    wakeUp = nil
    let now = now
    while let deadline = timers.nextDeadline, deadline <= now { timers.popFirst()?() }
    sleep()
  }
}
