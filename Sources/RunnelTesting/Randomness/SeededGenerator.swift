/// Random numbers that come again with the same seed, for random tests that can be repeated.
///
///     var random = SeededGenerator(seed: 42)
///     let script = (1...20).map { _ in Int.random(in: 0...9, using: &random) }
///     print(script)  // the same numbers each time
///
/// The algorithm is SplitMix64; it is part of the promise, so a seed in a bug report stays good.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that starts from a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
