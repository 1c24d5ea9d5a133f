import RunnelStreams

extension EventLoop {
  /// A measurement of a loop's load.
  public struct Statistics: Sendable, Hashable {
    /// The number of turns, each of which polls the descriptors once.
    public let turns: Int
    /// The delay of the last due timer when the loop ran it.
    public let lag: Duration
    /// The number of waiting jobs.
    public let queueDepth: Int
    /// The number of scheduled timers.
    public let timers: Int
    /// The number of watched descriptors, including those of the loop.
    public let descriptors: Int
  }

  /// The current statistics of the loop.
  public var statistics: Statistics {
    mustBeCurrent("reading statistics")
    takeJobs()
    return Statistics(
      turns: turns, lag: lag, queueDepth: ready.count, timers: agenda.count,
      descriptors: watches.count)
  }

  /// Sends the statistics of the loop once per period.
  ///
  ///     loop.statistics(every: .seconds(10)).observeNext { show("\($0.lag)") }
  public func statistics(every period: Duration) -> EventStream<Statistics, Never> {
    EventStream.interval(period, on: self).map { _ in self.statistics }
  }
}
