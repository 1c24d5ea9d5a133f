import RunnelStreams

/// A scheduler that must not be used: it reports each use.
///
/// Give it to code that is expected to need no time.
///
///     let scheduler = UnimplementedScheduler { Issue.record("\($0)") }
///     names.take(for: .zero, on: scheduler).observeNext { show($0) }  // needs no time
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
