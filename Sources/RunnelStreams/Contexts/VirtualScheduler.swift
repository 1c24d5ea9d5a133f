/// A scheduler whose clock moves only when the program advances it, for tests and for replaying a
/// script (C12).
///
///     let scheduler = VirtualScheduler()
///     names.debounce(for: .seconds(3600), on: scheduler).observeNext { show($0) }
///     names.next("Jim")
///     scheduler.advance(by: .seconds(3600))  // shows "Jim" at once
///
/// Actions run in the order of their deadlines. Actions with equal deadlines run in the order in
/// which they were scheduled. An action whose deadline has passed runs at the current time: at the
/// next `advance`, or, when another action scheduled it, before the clock moves on.
///
/// *Complexity*: scheduling and running an action are O(log n) in the number of pending actions.
public final class VirtualScheduler: Scheduler {
  private let queue = TimerQueue()
  private var isAdvancing = false

  /// The virtual time.
  public private(set) var now: Duration = .zero

  /// Creates a scheduler at time zero.
  public init() {}

  /// The number of scheduled actions that have not run.
  public var pending: Int { queue.count }

  /// Schedules an action in virtual time.
  ///
  /// *Disposal*: cancels the action and releases it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    queue.add(at: deadline, action)
  }

  /// Moves the clock forward and runs all actions that become due. A negative duration traps.
  public func advance(by duration: Duration) {
    require(
      duration >= .zero, "Time does not go back: advance(by:) needs a duration of zero or more.")
    advance(to: now.addingWithSaturation(duration))
  }

  /// Moves the clock to a time and runs all actions that become due. Traps if the time has passed,
  /// or when called from within an action.
  public func advance(to time: Duration) {
    require(
      time >= now, "Time does not go back: it is \(now), advance(to:) was given \(time).")
    begin("advanced")
    while let deadline = queue.nextDeadline, deadline <= time { fire(at: deadline) }
    now = time
    isAdvancing = false
  }

  /// Runs until no action is pending.
  ///
  /// A repeating action is always pending, so this traps after `limit` actions.
  public func run(limit: Int = 1_000_000) {
    begin("run")
    var count = 0
    while let deadline = queue.nextDeadline {
      require(
        count < limit,
        """
        run() still had work after \(limit) actions: does something repeat for ever? \
        Use advance(by:).
        """)
      count += 1
      fire(at: deadline)
    }
    isAdvancing = false
  }

  private func begin(_ action: String) {
    require(
      !isAdvancing, "A virtual clock cannot be \(action) from within one of its actions.")
    isAdvancing = true
  }

  private func fire(at deadline: Duration) {
    now = max(now, deadline)
    queue.popFirst()?()
  }
}
