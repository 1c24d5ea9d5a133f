import RunnelStreams

/// A scheduler of virtual time, measured in ticks. Actions run when the test advances the clock
/// (C12).
///
///     let scheduler = TestScheduler()
///     let recorder = scheduler.record(names.debounce(for: .seconds(3600), on: scheduler))
///     names.next("Jim")
///     scheduler.advance(by: .seconds(3600))  // takes no time
///     #expect(recorder.elements == ["Jim"])
///
/// It runs actions as `VirtualScheduler` does, and adds ticks, recorders and marble diagrams.
public final class TestScheduler: Scheduler {
  private let clock = VirtualScheduler()

  /// The duration of one character of a marble string.
  public let tick: Duration

  /// Creates a scheduler at time zero. Traps unless the tick is positive.
  public init(tick: Duration = .seconds(1)) {
    require(tick > .zero, "A TestScheduler needs a tick longer than zero.")
    self.tick = tick
  }

  /// The virtual time.
  public var now: Duration { clock.now }

  /// The number of scheduled actions that have not run.
  public var pending: Int { clock.pending }

  /// Schedules an action in virtual time.
  ///
  /// *Disposal*: cancels the action and releases it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    clock.schedule(at: deadline, action)
  }

  /// Schedules an event of a hot stream.
  func scheduleInput(at deadline: Duration, _ action: @escaping () -> Void) {
    clock.scheduleInput(at: deadline, action)
  }

  /// Moves the clock forward and runs all actions that become due. A negative duration traps.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
  }

  /// Moves the clock forward by a number of ticks.
  public func advance(ticks: Int) {
    advance(by: tick.times(ticks))
  }

  /// Moves the clock to a time and runs all actions that become due. Traps if the time has passed, or
  /// when called from within an action.
  public func advance(to time: Duration) {
    clock.advance(to: time)
  }

  /// Runs until no action is pending.
  ///
  /// A repeating action is always pending, so this traps after `limit` actions.
  public func run(limit: Int = 1_000_000) {
    clock.run(limit: limit)
  }
}
