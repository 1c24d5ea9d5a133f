import RunnelStreams

/// A random number generator that repeats its sequence for the same seed, for repeatable random
/// tests.
///
///     var random = SeededGenerator(seed: 42)
///     let script = (1...20).map { _ in Int.random(in: 0...9, using: &random) }
///     print(script)  // the same numbers each time
///
/// The algorithm is SplitMix64. It will not change, so a seed in a bug report stays valid.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix

  /// Creates a generator from a seed.
  public init(seed: UInt64) {
    generator = SplitMix(seed: seed)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 { generator.next() }
}
