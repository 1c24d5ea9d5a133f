/// Delays between attempts. They grow by a factor up to a maximum, and a part of each is random.
///
///     let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(10))
///     api.load().retry(8, backoff: backoff).observe(next: { show($0) })
///
/// A backoff is a value: each observation uses its own sequence of delays from the start.
public struct Backoff: Sendable, Hashable {
  /// The first delay.
  public let initial: Duration
  /// The factor by which each delay is longer than the previous one.
  public let factor: Double
  /// The longest delay.
  public let maximum: Duration
  /// The random part of each delay: 0 for none, 1 for all of it. A delay of 8 seconds with a jitter
  /// of 0.25 becomes a delay between 6 and 8 seconds. Jitter keeps many clients that failed
  /// together from retrying at the same moment.
  public let jitter: Double
  /// The seed of the random part. If it is nil, each sequence of delays is different.
  public let seed: UInt64?

  /// Creates delays that grow by a factor.
  ///
  /// A negative duration counts as zero. A factor that is below 1 or not finite traps, and so does
  /// a jitter outside 0...1.
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
  /// Returns the infinite sequence of delays, from the first one on.
  ///
  ///     print(Array(Backoff(jitter: 0).delays().prefix(4)))  // 1, 2, 4 and 8 seconds
  public func delays() -> Delays {
    Delays(self)
  }

  /// The infinite sequence of delays of a ``Backoff``.
  public struct Delays: Sequence, IteratorProtocol {
    private let backoff: Backoff
    private var full: Duration
    private var random: SplitMix

    init(_ backoff: Backoff) {
      self.backoff = backoff
      full = Swift.min(backoff.initial, backoff.maximum)
      random = SplitMix(seed: backoff.seed ?? .random(in: .min ... .max))
    }

    /// Returns the next delay. It is never nil.
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

    /// Returns the delay after the given one. It compares before it converts, so that the
    /// conversion cannot overflow.
    private func grown(_ delay: Duration) -> Duration {
      let grown = Double(delay.attoseconds) * backoff.factor
      guard grown < Double(backoff.maximum.attoseconds) else { return backoff.maximum }
      return Duration(attoseconds: Int128(grown))
    }
  }
}
