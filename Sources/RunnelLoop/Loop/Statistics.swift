import RunnelStreams

extension EventLoop {
  /// How a loop is doing.
  public struct Statistics: Sendable, Hashable {
    /// How often it has looked at its descriptors.
    public let turns: Int
    /// How late the loop was when it last came to a timer.
    public let lag: Duration
    /// How many jobs wait.
    public let queueDepth: Int
    /// How many timers are set.
    public let timers: Int
    /// How many descriptors are watched, the loop's own among them.
    public let descriptors: Int
  }

  /// How the loop is doing now.
  public var statistics: Statistics {
    mustBeCurrent("reading statistics")
    takeJobs()
    return Statistics(
      turns: turns, lag: lag, queueDepth: ready.count, timers: agenda.count,
      descriptors: watches.count)
  }

  /// Sends how the loop is doing, once a period.
  ///
  ///     loop.statistics(every: .seconds(10)).observeNext { show("\($0.lag)") }
  public func statistics(every period: Duration) -> EventStream<Statistics, Never> {
    EventStream.interval(period, on: self).map { _ in self.statistics }
  }
}
