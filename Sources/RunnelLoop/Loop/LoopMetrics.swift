import RunnelStreams

extension Metrics {
  /// Adds the statistics of a loop, with its name as the label `loop`: `runnel_loop_turns_total`,
  /// `runnel_loop_lag_seconds`, `runnel_loop_waiting_jobs`, `runnel_loop_timers` and
  /// `runnel_loop_descriptors`.
  ///
  /// The statistics of the current loop are read when the text is made. Another loop updates its metrics
  /// once per period, as long as it runs. Each loop needs a name of its own.
  ///
  /// *Disposal*: the metrics keep their last values.
  @discardableResult
  public func add(_ loop: EventLoop, every period: Duration = .seconds(5)) -> Disposable {
    let numbers = LoopNumbers(self, loop.name)
    if loop.isCurrent {
      var turns = 0
      return update { turns = numbers.set(loop.statistics, since: turns) }
    }
    let isEnded = Flag()
    loop.execute { [weak loop] in loop?.update(numbers, since: 0, every: period, until: isEnded) }
    return Disposable { isEnded.set() }
  }
}

extension EventLoop {
  /// Updates metrics until a flag is set. The timer does not retain the loop.
  fileprivate func update(
    _ numbers: LoopNumbers, since counted: Int, every period: Duration, until isEnded: Flag
  ) {
    if isEnded.isSet { return }
    let turns = numbers.set(statistics, since: counted)
    _ = schedule(after: period) { [weak self] in
      self?.update(numbers, since: turns, every: period, until: isEnded)
    }
  }
}

private struct LoopNumbers: Sendable {
  private let turns: Counter
  private let lag: Gauge
  private let jobs: Gauge
  private let timers: Gauge
  private let descriptors: Gauge

  init(_ metrics: Metrics, _ name: String) {
    let turns = metrics.counters("runnel_loop_turns_total", "Turns of a loop.", by: "loop")
    require(!turns.contains([name]), "These metrics have a loop with the name \"\(name)\".")
    self.turns = turns[name]
    lag = metrics.gauges("runnel_loop_lag_seconds", "Delay of the last timer.", by: "loop")[name]
    jobs = metrics.gauges("runnel_loop_waiting_jobs", "Waiting jobs.", by: "loop")[name]
    timers = metrics.gauges("runnel_loop_timers", "Scheduled timers.", by: "loop")[name]
    descriptors =
      metrics.gauges(
        "runnel_loop_descriptors", "Watched descriptors.", by: "loop")[name]
  }

  /// Sets the metrics. Returns the number of turns, from which the next call counts.
  func set(_ statistics: EventLoop.Statistics, since counted: Int) -> Int {
    turns.increment(by: statistics.turns - counted)
    lag.value = statistics.lag / .seconds(1)
    jobs.value = Double(statistics.queueDepth)
    timers.value = Double(statistics.timers)
    descriptors.value = Double(statistics.descriptors)
    return statistics.turns
  }
}
