import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct PackedBitsTests {
  @Test(arguments: [0, 1, 63, 64, 65, 128, 1_000], 0..<3)
  func rangesAndRanksMatchTheBits(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = (0..<count).map { _ in Bool.random(using: &random) }
    var bits = PackedBits()
    for bit in model { bits.append(bit ? 1 : 0, count: 1) }
    let ranked = RankedBits(bits)
    for _ in 0..<50 {
      let start = Int.random(in: 0...count, using: &random)
      let end = Int.random(in: start...count, using: &random)
      let ones = model[..<start].count { $0 }
      #expect(ranked.ones(before: start) == ones, "seed \(seed), before \(start)")
      var part = PackedBits()
      part.append(1, count: seed == 0 ? 0 : 1)
      part.append(bits, start..<end)
      let expected = (seed == 0 ? [] : [true]) + model[start..<end]
      #expect((0..<part.count).map { part[$0] } == expected, "seed \(seed), \(start)..<\(end)")
    }
  }
}
