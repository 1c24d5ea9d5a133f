import RunnelStreams

/// Virtual time: nothing happens until the test says how far the clock goes (C12).
///
///     let scheduler = TestScheduler()
///     let recorder = scheduler.record(names.debounce(for: .seconds(3600), on: scheduler))
///     names.next("Jim")
///     scheduler.advance(by: .seconds(3600))  // takes no time
///     #expect(recorder.elements == ["Jim"])
///
/// Actions run in the order of their deadlines, those of one deadline in the order they were
/// scheduled. A deadline that has passed is due at once: the action runs at the present time, with
/// the next `advance` or, from within an action, before the clock moves on.
///
/// *Complexity*: scheduling and running an action O(log n) in the number of those due.
public final class TestScheduler: Scheduler {
  private let agenda = Agenda()
  private var isAdvancing = false

  /// The virtual time.
  public private(set) var now: Duration = .zero

  /// How long one character of a marble string lasts.
  public let tick: Duration

  /// Virtual time from zero. A tick of zero or less is a mistake, and traps.
  public init(tick: Duration = .seconds(1)) {
    require(tick > .zero, "A TestScheduler needs a tick longer than zero.")
    self.tick = tick
  }

  /// How many actions are due.
  public var pending: Int { agenda.count }

  /// Schedules an action in virtual time.
  ///
  /// *Disposal*: cancels the action and releases it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    agenda.add(at: deadline, action)
  }

  /// Moves the clock on, and runs all that falls due on the way. A negative duration traps.
  public func advance(by duration: Duration) {
    require(
      duration >= .zero, "Time does not go back: advance(by:) needs a duration of zero or more.")
    advance(to: now.addingWithSaturation(duration))
  }

  /// Moves the clock on by a number of ticks.
  public func advance(ticks: Int) {
    advance(by: tick.multipliedWithSaturation(by: ticks))
  }

  /// Moves the clock to a time, and runs all that falls due on the way. A time that has passed
  /// traps, and so does a call from within an action: time moves in one place.
  public func advance(to time: Duration) {
    require(
      time >= now, "Time does not go back: it is \(now), advance(to:) was given \(time).")
    require(!isAdvancing, "A TestScheduler cannot be advanced from within one of its actions.")
    isAdvancing = true
    defer { isAdvancing = false }
    while let deadline = agenda.nextDeadline, deadline <= time { fire(at: deadline) }
    now = time
  }

  /// Runs until nothing is due.
  ///
  /// A repeating action is due for ever, so it traps after a number of actions.
  public func run(limit: Int = 1_000_000) {
    require(!isAdvancing, "A TestScheduler cannot be run from within one of its actions.")
    isAdvancing = true
    defer { isAdvancing = false }
    var count = 0
    while let deadline = agenda.nextDeadline {
      require(
        count < limit,
        """
        run() still had work after \(limit) actions: does something repeat for ever? \
        Use advance(by:).
        """)
      count += 1
      fire(at: deadline)
    }
  }

  private func fire(at deadline: Duration) {
    now = max(now, deadline)
    agenda.popFirst()?()
  }
}
