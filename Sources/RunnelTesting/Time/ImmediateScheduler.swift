import RunnelStreams

/// A scheduler without waiting: each action runs at once, and the clock jumps to its deadline.
///
/// For tests that do not care about time. What repeats for ever would run for ever; an action
/// scheduled from within another runs after it, so it does not grow the stack.
public final class ImmediateScheduler: Scheduler {
  private var waiting: [(deadline: Duration, action: () -> Void, ticket: Disposable)] = []
  private var isRunning = false

  /// The time that the last action was due.
  public private(set) var now: Duration = .zero

  /// A clock at zero.
  public init() {}

  /// Runs the action at once, or after the one that runs now.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    let ticket = Disposable()
    waiting.append((deadline, action, ticket))
    guard !isRunning else { return ticket }
    isRunning = true
    defer { isRunning = false }
    while !waiting.isEmpty {
      let entry = waiting.removeFirst()
      guard !entry.ticket.isDisposed else { continue }
      now = max(now, entry.deadline)
      entry.ticket.dispose()
      entry.action()
    }
    return ticket
  }
}

/// A scheduler that must not be used: it reports each use.
///
/// Give it to code that is expected to need no time.
public final class UnimplementedScheduler: Scheduler {
  private let report: (String) -> Void

  /// A scheduler that reports a use by trapping, or by the given closure.
  public init(report: @escaping (String) -> Void = { fatalError($0) }) {
    self.report = report
  }

  /// Reports that the clock was read.
  public var now: Duration {
    report("The clock of an UnimplementedScheduler was read. Give the code under test a scheduler.")
    return .zero
  }

  /// Reports that an action was scheduled, and never runs it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    report(
      "An UnimplementedScheduler was asked for \(deadline). Give the code under test a scheduler.")
    return .none
  }
}
