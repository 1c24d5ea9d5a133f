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
  /// The actions that run before the actions of `queue` with the same deadline.
  private let inputs = TimerQueue()
  private var isAdvancing = false

  /// The virtual time.
  public private(set) var now: Duration = .zero

  /// Creates a scheduler at time zero.
  public init() {}

  /// The number of scheduled actions that have not run.
  public var pending: Int { queue.count + inputs.count }

  /// Schedules an action in virtual time.
  ///
  /// *Disposal*: cancels the action and releases it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    queue.add(at: deadline, action)
  }

  /// Schedules an action that runs before all others with the same deadline, whenever they were
  /// scheduled: an event from outside, which a test has planned.
  package func scheduleInput(at deadline: Duration, _ action: @escaping () -> Void) {
    _ = inputs.add(at: deadline, action)
  }

  /// Moves the clock forward and runs all actions that become due. A negative duration traps.
  public func advance(by duration: Duration) {
    require(
      duration >= .zero, "Time does not go back: advance(by:) needs a duration of zero or more.")
    advance(to: now.plus(duration))
  }

  /// Moves the clock to a time and runs all actions that become due. Traps if the time has passed,
  /// or when called from within an action.
  public func advance(to time: Duration) {
    require(
      time >= now, "Time does not go back: it is \(now), advance(to:) was given \(time).")
    begin("advanced")
    while let next, next.deadline <= time { fire(next) }
    now = time
    isAdvancing = false
  }

  /// Runs until no action is pending.
  ///
  /// A repeating action is always pending, so this traps after `limit` actions.
  public func run(limit: Int = 1_000_000) {
    begin("run")
    var count = 0
    while let next {
      require(
        count < limit,
        """
        run() still had work after \(limit) actions: does something repeat for ever? \
        Use advance(by:).
        """)
      count += 1
      fire(next)
    }
    isAdvancing = false
  }

  private var next: (queue: TimerQueue, deadline: Duration)? {
    let timer = queue.nextDeadline.map { (queue, max($0, now)) }
    guard let input = inputs.nextDeadline else { return timer }
    guard let timer, timer.1 < input else { return (inputs, input) }
    return timer
  }

  private func begin(_ action: String) {
    require(
      !isAdvancing, "A virtual clock cannot be \(action) from within one of its actions.")
    isAdvancing = true
  }

  private func fire(_ next: (queue: TimerQueue, deadline: Duration)) {
    now = max(now, next.deadline)
    next.queue.popFirst()?()
  }
}
