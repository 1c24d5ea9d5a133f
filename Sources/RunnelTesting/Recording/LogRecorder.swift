import RunnelStreams

/// The log entries of a block, for tests.
///
///     let log = LogRecorder { Log("store").error("The file is damaged.") }
///     #expect(log.messages == ["The file is damaged."])
///
/// It records the entries of all levels that the calling thread logs while the block runs. They are
/// not written anywhere else, so tests may run in parallel. To record the entries of other threads,
/// set `Hooks.log`.
public final class LogRecorder {
  /// The entries, in their order.
  public private(set) var entries: [LogEntry] = []

  /// The messages of the entries.
  public var messages: [String] { entries.map(\.message) }

  /// Records the entries of a block.
  public init<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try Log.recorder.with({ self.entries.append($0) }, body)
  }
}
