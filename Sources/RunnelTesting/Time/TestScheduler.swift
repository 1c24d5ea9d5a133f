import RunnelStreams

/// Virtual time: nothing happens until the test says how far the clock goes (C12).
///
///     let scheduler = TestScheduler()
///     let recorder = scheduler.record(.timer(after: .seconds(3600), on: scheduler))
///     scheduler.advance(by: .seconds(3600))  // takes no time
///
/// Actions of one deadline run in the order they were scheduled; an action scheduled for the past
/// runs next, at the present time.
public final class TestScheduler: Scheduler {
  private struct Entry {
    let deadline: Duration
    let number: Int
    let action: () -> Void
    let ticket: Disposable
  }

  private var entries: [Entry] = []  // Sorted by deadline, then number; the next one is last.
  private var lastNumber = 0
  private var isAdvancing = false

  /// The virtual time.
  public private(set) var now: Duration = .zero

  /// How long one character of a marble string lasts.
  public let tick: Duration

  /// Virtual time from zero.
  public init(tick: Duration = .seconds(1)) {
    precondition(tick > .zero, "A TestScheduler needs a tick longer than zero.")
    self.tick = tick
  }

  /// How many actions are due.
  public var pending: Int { entries.count { !$0.ticket.isDisposed } }

  /// Schedules an action in virtual time.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    let number = lastNumber
    let ticket = Disposable { [weak self] in self?.entries.removeAll { $0.number == number } }
    let entry = Entry(deadline: deadline, number: number, action: action, ticket: ticket)
    // Later numbers come after earlier ones of the same deadline, so they stand before them here.
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
    return ticket
  }

  /// Moves the clock on, and runs all that falls due on the way.
  public func advance(by duration: Duration) {
    precondition(
      duration >= .zero, "Time does not go back: advance(by:) needs a positive duration.")
    advance(to: now + duration)
  }

  /// Moves the clock on by so many ticks.
  public func advance(ticks: Int) {
    advance(by: tick * ticks)
  }

  /// Moves the clock to a time, and runs all that falls due on the way.
  public func advance(to time: Duration) {
    precondition(!isAdvancing, "A TestScheduler cannot be advanced from within one of its actions.")
    isAdvancing = true
    defer { isAdvancing = false }
    while let entry = entries.last, entry.deadline <= time { fire(entry) }
    now = max(now, time)
  }

  /// Runs until nothing is due.
  ///
  /// A repeating action is due for ever, so it traps after a number of actions.
  public func run(limit: Int = 1_000_000) {
    precondition(!isAdvancing, "A TestScheduler cannot be run from within one of its actions.")
    isAdvancing = true
    defer { isAdvancing = false }
    var count = 0
    while let entry = entries.last {
      precondition(
        count < limit,
        "run() still had work after \(limit) actions: does something repeat for ever? Use advance(by:)."
      )
      count += 1
      fire(entry)
    }
  }

  private func fire(_ entry: Entry) {
    now = max(now, entry.deadline)
    entry.ticket.dispose()
    entry.action()
  }
}
