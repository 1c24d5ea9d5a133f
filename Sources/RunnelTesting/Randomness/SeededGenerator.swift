import RunnelStreams

/// Random numbers that come again with the same seed, for random tests that can be repeated.
///
///     var random = SeededGenerator(seed: 42)
///     let script = (1...20).map { _ in Int.random(in: 0...9, using: &random) }
///     print(script)  // the same numbers each time
///
/// The algorithm is SplitMix64; it is part of the promise, so a seed in a bug report stays good.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix

  /// A generator that starts from a seed.
  public init(seed: UInt64) {
    generator = SplitMix(seed: seed)
  }

  /// The next number.
  public mutating func next() -> UInt64 { generator.next() }
}
