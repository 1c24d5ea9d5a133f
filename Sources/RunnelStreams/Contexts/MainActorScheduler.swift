/// Real time on the main actor, for programs in which no event loop runs.
///
/// It is the current scheduler wherever the main actor's code runs and nothing else was set, so a
/// timed operator in a view model works as it stands:
///
///     searchText.debounce(for: .milliseconds(300)).observeNext { show($0) }
///
/// *Timing*: monotonic, never early. All that is due waits for one task.
final class MainActorScheduler: Scheduler {
  // Safety: what changes it, `schedule` and the disposal of its tickets, checks that the caller is
  // on the main actor's thread, where `wake` runs too. It is never released.
  nonisolated(unsafe) static let shared = MainActorScheduler()

  /// A sleep has no use for more, and some clocks cannot count further.
  private static let longestSleep = Duration.seconds(86_400)

  private let agenda = TimerQueue()
  private let origin = ContinuousClock.now
  private var wakeUp: (deadline: Duration, task: Task<Void, Never>)?

  init() {
    agenda.check = { Self.mustBeCurrent("disposing a timer") }
  }

  /// The time since this was made.
  var now: Duration { origin.duration(to: .now) }

  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    Self.mustBeCurrent("schedule(at:)")
    let ticket = agenda.add(at: deadline, action)
    sleep()
    return ticket
  }

  /// Traps where the scheduler is used on another thread than the main actor's (C11).
  private static func mustBeCurrent(_ action: @autoclosure () -> String) {
    require(
      Current.isMainThread,
      """
      \(action()) happens on the main actor's thread only: the timed operator was observed there. \
      Observe the stream where its source sends, or cross over with observe(on:) or via.
      """)
  }

  /// Sees to it that a task sleeps until the next deadline.
  private func sleep() {
    guard let deadline = agenda.nextDeadline else { return }
    if let wakeUp, wakeUp.deadline <= deadline { return }
    wakeUp?.task.cancel()
    let now = now
    let length = deadline > now ? min(deadline - now, Self.longestSleep) : .zero
    // Safety: the task runs on the main actor, which all that uses this scheduler is checked to do.
    nonisolated(unsafe) let scheduler = self
    let task = Task { @MainActor in
      do {
        try await Task.sleep(for: length, tolerance: .zero, clock: .continuous)
        scheduler.wake()
      } catch {
        // An earlier deadline has taken the place of this one.
      }
    }
    wakeUp = (deadline, task)
  }

  private func wake() {
    wakeUp = nil
    let now = now
    while let deadline = agenda.nextDeadline, deadline <= now { agenda.popFirst()?() }
    sleep()
  }
}
