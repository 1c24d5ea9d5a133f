/// How long to wait before each further attempt: longer each time, up to a maximum, and a part of it
/// left to chance.
///
///     let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(10))
///     api.load().retry(8, backoff: backoff).observe(next: { show($0) })
///
/// A value: each observation walks through the delays from the start.
public struct Backoff: Sendable, Hashable {
  /// The first delay.
  public let initial: Duration
  /// By how much each delay is longer than the one before.
  public let factor: Double
  /// The longest delay.
  public let maximum: Duration
  /// How much of each delay is left to chance: 0 for nothing, 1 for all of it. A delay of 8 seconds
  /// with a jitter of 0.25 becomes one between 6 and 8 seconds, so that many clients that failed
  /// together do not come back together.
  public let jitter: Double
  /// The seed of what is left to chance; without one, each walk through the delays is different.
  public let seed: UInt64?

  /// Delays that grow by a factor.
  ///
  /// A negative duration counts as none. A factor below 1 or not finite, and a jitter outside 0...1,
  /// are mistakes of the caller, and trap.
  public init(
    initial: Duration = .seconds(1), factor: Double = 2, maximum: Duration = .seconds(60),
    jitter: Double = 0.25, seed: UInt64? = nil
  ) {
    require(
      factor >= 1 && factor.isFinite, "A Backoff needs a finite factor of at least 1.")
    require(jitter >= 0 && jitter <= 1, "A Backoff needs a jitter within 0...1.")
    self.initial = max(initial, .zero)
    self.factor = factor
    self.maximum = max(maximum, .zero)
    self.jitter = jitter
    self.seed = seed
  }
}

extension Backoff {
  /// The delays from the first one on, without an end.
  ///
  ///     print(Array(Backoff(jitter: 0).delays().prefix(4)))  // 1, 2, 4 and 8 seconds
  public func delays() -> Delays {
    Delays(self)
  }

  /// One walk through the delays of a ``Backoff``.
  public struct Delays: Sequence, IteratorProtocol {
    private let backoff: Backoff
    private var full: Duration
    private var random: SplitMix

    init(_ backoff: Backoff) {
      self.backoff = backoff
      full = Swift.min(backoff.initial, backoff.maximum)
      random = SplitMix(seed: backoff.seed ?? .random(in: .min ... .max))
    }

    /// The next delay; there always is one.
    public mutating func next() -> Duration? {
      nextDelay()
    }

    mutating func nextDelay() -> Duration {
      defer { full = grown(full) }
      if backoff.jitter == 0 { return full }
      let share = backoff.jitter * Double.random(in: 0..<1, using: &random)
      let cut = Duration(attoseconds: Int128(Double(full.attoseconds) * share))
      return Swift.max(full - cut, .zero)
    }

    /// Compared before it is converted, so that nothing overflows however often it grows.
    private func grown(_ delay: Duration) -> Duration {
      let grown = Double(delay.attoseconds) * backoff.factor
      guard grown < Double(backoff.maximum.attoseconds) else { return backoff.maximum }
      return Duration(attoseconds: Int128(grown))
    }
  }
}
