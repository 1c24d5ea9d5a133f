import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct BitListTests {
  private func packed(_ bits: [Bool]) -> PackedBits {
    var packed = PackedBits()
    bits.withUnsafeBufferPointer { packed.append($0) { $0 } }
    return packed
  }

  private func problems(of list: BitList, _ model: [Bool]) -> [String] {
    var problems: [String] = []
    if list.count != model.count { problems.append("It has \(list.count) bits.") }
    var ones = 0
    for (index, bit) in model.enumerated() {
      if list[index] != bit { problems.append("At \(index) is \(list[index]).") }
      if list.ones(before: index) != ones { problems.append("Before \(index) are not \(ones).") }
      ones += bit ? 1 : 0
    }
    if list.ones(before: model.count) != ones { problems.append("There are not \(ones).") }
    let all = list.all
    if (0..<all.count).map({ all[$0] }) != model { problems.append("All of them are others.") }
    return problems
  }

  @Test(arguments: [0, 1, 63, 64, 65, 767, 768, 769, 5_000]) func initializedListMatchesTheBits(
    _ count: Int
  ) {
    let model = (0..<count).map { $0 % 3 == 0 || $0 % 7 == 0 }
    #expect(problems(of: BitList(packed(model)), model) == [])
  }

  @Test func insertionIntoANearlyFullChunk() {
    var list = BitList()
    var model: [Bool] = []
    for number in 0..<1_020 {
      list.insert(number % 3 == 0, at: number)
      model.append(number % 3 == 0)
    }
    list.removeSubrange(5..<10)
    model.removeSubrange(5..<10)
    #expect((0..<list.count).map { list[$0] } == model)
    #expect(list.ones(before: list.count) == model.count { $0 })
  }

  @Test(arguments: seeds(2)) func randomEdits(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var list = BitList()
    var model: [Bool] = []
    for number in 0..<600 {
      let isGrowing = number < 300
      let index = Int.random(in: 0...model.count, using: &random)
      let end = Int.random(in: index...model.count, using: &random)
      let bit = Bool.random(using: &random)
      switch Int.random(in: 0..<(isGrowing ? 20 : 12), using: &random) {
      case 0 where number % 4 == 0:
        list.removeSubrange(index..<end)
        model.removeSubrange(index..<end)
      case 1..<3:
        let count = Int.random(in: 0..<(isGrowing ? 1_200 : 100), using: &random)
        let new = (0..<count).map { _ in Bool.random(using: &random) }
        list.insert(contentsOf: packed(new), at: index)
        model.insert(contentsOf: new, at: index)
      case 3..<5 where index < model.count:
        list.set(bit, at: index)
        model[index] = bit
      case 5..<12 where !model.isEmpty:
        for _ in 0..<min(model.count, 200) {
          let index = Int.random(in: 0..<model.count, using: &random)
          let removed = list.remove(at: index)
          #expect(removed == model.remove(at: index), "seed \(seed), edit \(number)")
        }
      default:
        for _ in 0..<200 {
          let index = Int.random(in: 0...model.count, using: &random)
          list.insert(bit, at: index)
          model.insert(bit, at: index)
        }
      }
      guard number % 20 == 0 else { continue }
      let problems = problems(of: list, model)
      #expect(problems == [], "seed \(seed), edit \(number)")
      if !problems.isEmpty { return }
    }
  }

  @Test func differencesAreAscendingIndices() {
    let bits = (0..<200).map { $0 % 5 == 0 }
    var others = bits
    for index in [0, 63, 64, 199] { others[index].toggle() }
    #expect(packed(bits).differences(from: packed(others)) == [0, 63, 64, 199])
    #expect(packed(bits).differenceCount(from: packed(others)) == 4)
    #expect(packed([]).differences(from: packed([])) == [])
  }
}
