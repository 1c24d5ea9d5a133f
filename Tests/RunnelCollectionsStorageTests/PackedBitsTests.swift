import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct PackedBitsTests {
  @Test(arguments: [0, 1, 63, 64, 65, 128, 1_000], 0..<3)
  func wordsAndDifferencesMatchTheBits(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = (0..<count).map { _ in Bool.random(using: &random) }
    let other = (0..<count).map { _ in Bool.random(using: &random) }
    func packed(_ model: [Bool]) -> PackedBits {
      var bits = PackedBits()
      for bit in model { bits.append(bit ? 1 : 0, count: 1) }
      return bits
    }
    let bits = packed(model)
    #expect((0..<bits.count).map { bits[$0] } == model, "seed \(seed)")
    for start in 0..<count {
      let expected = model[start...].prefix(64).enumerated().reduce(UInt64(0)) { word, bit in
        bit.element ? word | 1 << UInt64(bit.offset) : word
      }
      #expect(bits.word(at: start) == expected, "seed \(seed), \(start)")
    }
    var joined = packed([true])
    joined.append(bits)
    #expect((0..<joined.count).map { joined[$0] } == [true] + model, "seed \(seed)")
    let differing = (0..<count).filter { model[$0] != other[$0] }
    #expect(bits.differences(from: packed(other)) == differing, "seed \(seed)")
    #expect(bits.differenceCount(from: packed(other)) == differing.count, "seed \(seed)")
  }
}
