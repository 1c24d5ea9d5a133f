import RunnelTesting
import Testing

@Suite struct SeededGeneratorTests {
  @Test func numbersAreThoseOfSplitMix64() {
    var random = SeededGenerator(seed: 1_234_567)
    let numbers = (1...3).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func equalSeedsRepeatTheSequence() {
    var first = SeededGenerator(seed: 7)
    var same = SeededGenerator(seed: 7)
    var other = SeededGenerator(seed: 8)
    let numbers = (1...10).map { _ in first.next() }
    #expect(numbers == (1...10).map { _ in same.next() })
    #expect(numbers != (1...10).map { _ in other.next() })
  }
}
