import RunnelLoop

/// The state of a supervised child.
public enum ChildState: Sendable, Hashable {
  /// It was not started, or its turn has not come.
  case waiting
  /// Its program runs, and is not ready yet.
  case starting
  /// Its program runs, and is ready.
  case running
  /// It has failed or ended, and is started again after a delay.
  case delayed
  /// It was asked to end.
  case stopping
  /// It is not started again, because it has ended or was stopped.
  case ended
  /// It has failed too often.
  case givenUp
}

/// A row about a child, for lists and tables.
public struct ChildRow: Sendable, Hashable {
  /// The name of the child.
  public let name: String
  /// The state of the child.
  public internal(set) var state = ChildState.waiting
  /// The process identifier; nil if no process runs.
  public internal(set) var identifier: Int32?
  /// The number of times that it was started again.
  public internal(set) var restartCount = 0
  /// The status of the process that has ended last; nil if none has.
  public internal(set) var lastStatus: ProcessStatus?
  /// The problem of the last start; nil if it has started.
  public internal(set) var lastError: ProcessError?
}
