import RunnelStreams

/// A scheduler that reports each use as an error.
///
/// Pass it to code that must not use time.
///
///     let scheduler = UnimplementedScheduler { Issue.record("\($0)") }
///     names.take(for: .zero, on: scheduler).observeNext { show($0) }  // needs no time
public final class UnimplementedScheduler: Scheduler {
  private let report: (String) -> Void

  /// Creates a scheduler. Each use calls `report`, which traps by default.
  public init(report: @escaping (String) -> Void = { fatalError($0) }) {
    self.report = report
  }

  /// Reports that the clock was read.
  public var now: Duration {
    report("The clock of an UnimplementedScheduler was read. Pass the tested code a scheduler.")
    return .zero
  }

  /// Reports that an action was scheduled, and never runs it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    report(
      "UnimplementedScheduler got an action for \(deadline). Pass the tested code a scheduler.")
    return .none
  }
}
