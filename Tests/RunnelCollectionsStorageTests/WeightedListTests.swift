import RunnelCollections
import RunnelTesting
import Testing

@Suite struct WeightedListTests {
  @Test func emptyListHasNoWeights() {
    let list = WeightedList()
    #expect(list.count == 0)
    #expect(list.total == 0)
    #expect(list.sum(before: 0) == 0)
    #expect(Array(list) == [])
  }

  @Test func zerosAreSkipped() {
    let list = WeightedList([0, 2, 0, 0, 3, 0])
    #expect(list.total == 5)
    #expect((0...6).map(list.sum) == [0, 0, 2, 2, 2, 5, 5])
    let found = (0..<5).map { list.index(ofOffset: $0) }
    #expect(found.map(\.index) == [1, 1, 4, 4, 4])
    #expect(found.map(\.rest) == [0, 1, 0, 1, 2])
  }

  @Test func largeWeightsAreSummed() {
    let greatest = Int(Int32.max)
    let list = WeightedList(repeatElement(greatest, count: 2000))
    #expect(list.total == 2000 * greatest)
    #expect(list.sum(before: 1999) == 1999 * greatest)
    #expect(list.index(ofOffset: 1777 * greatest - 1) == (1776, greatest - 1))
  }

  /// A copy keeps its weights.
  @Test func copiesAreIndependent() {
    var list = WeightedList(0..<3000)
    let copy = list
    list.set(7, at: 1500)
    list.remove(at: 20)
    list.insert(9, at: 0)
    list.removeSubrange(100..<2900)
    #expect(Array(copy) == Array(0..<3000))
    #expect(copy.total == 3000 * 2999 / 2)
  }

  /// Edits at one end, at one place or anywhere have the same result as those of an array.
  @Test(arguments: [3, 300, 1 << 20]) func agreesWithAnArray(upTo greatest: Int) {
    for seed in seeds(1) as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let start = (0..<Int.random(in: 0...3000, using: &random)).map { _ in
        weight(upTo: greatest, using: &random)
      }
      var pair = Pair(list: WeightedList(start), model: start)
      for _ in 0..<8 {
        // Each phase is long enough to split and merge many chunks.
        let phase = Phase.allCases.randomElement(using: &random) ?? .mixed
        for _ in 0..<400 {
          pair.change(in: phase, upTo: greatest, using: &random)
          pair.checkSomewhere(seed: seed, using: &random)
        }
        pair.checkAll(seed: seed)
      }
    }
  }

  /// A list that shrinks keeps no empty chunks, so that searches stay fast.
  @Test func emptiedListCanBeFilledAgain() {
    var list = WeightedList(repeatElement(1, count: 20_000))
    for _ in 0..<3 {
      while list.count > 0 { list.remove(at: list.count / 3) }
      #expect(list.total == 0)
      #expect(Array(list) == [])
      for weight in 0..<3000 { list.insert(weight, at: weight) }
      #expect(Array(list) == Array(0..<3000))
      for weight in 0..<3000 { list.insert(weight, at: 0) }
      #expect(Array(list) == (0..<3000).reversed() + Array(0..<3000))
      list.removeSubrange(0..<list.count)
      #expect(list.count == 0)
      list.insert(repeating: 2, count: 5000, at: 0)
      #expect(list.total == 10_000)
    }
  }
}

private enum Phase: CaseIterable { case growing, shrinking, mixed, appending, prepending, bulk }

private func weight(upTo greatest: Int, using random: inout SeededGenerator) -> Int {
  Bool.random(using: &random) ? 0 : Int.random(in: 0...greatest, using: &random)
}

/// A list, and the array that it is compared with.
private struct Pair {
  var list: WeightedList
  var model: [Int]

  mutating func change(in phase: Phase, upTo greatest: Int, using random: inout SeededGenerator) {
    let index = Int.random(in: 0...model.count, using: &random)
    let weight = weight(upTo: greatest, using: &random)
    switch phase {
    case .growing: insert(weight, at: index)
    case .shrinking where index < model.count: remove(at: index)
    case .shrinking: break
    case .appending: insert(weight, at: model.count)
    case .prepending: insert(weight, at: 0)
    case .mixed where index == model.count: insert(weight, at: index)
    case .mixed:
      switch Int.random(in: 0..<3, using: &random) {
      case 0: insert(weight, at: index)
      case 1: remove(at: index)
      default:
        let old = list.set(weight, at: index)
        #expect(old == model[index])
        model[index] = weight
      }
    case .bulk:
      let length = Int.random(in: 0...Int.random(in: 0...1500, using: &random), using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where model.count < 10_000:
        list.insert(repeating: weight, count: length, at: index)
        model.insert(contentsOf: repeatElement(weight, count: length), at: index)
      case 1 where model.count < 10_000:
        let weights = (0..<length).map { $0 % (greatest + 1) }
        list.insert(contentsOf: weights, at: index)
        model.insert(contentsOf: weights, at: index)
      default:
        let range = index..<min(index + length, model.count)
        list.removeSubrange(range)
        model.removeSubrange(range)
      }
    }
  }

  private mutating func insert(_ weight: Int, at index: Int) {
    list.insert(weight, at: index)
    model.insert(weight, at: index)
  }

  private mutating func remove(at index: Int) {
    let removed = list.remove(at: index)
    #expect(removed == model.remove(at: index))
  }

  func checkSomewhere(seed: UInt64, using random: inout SeededGenerator) {
    guard let index = model.indices.randomElement(using: &random), list.count == model.count
    else { return #expect(list.count == model.count, "seed \(seed)") }
    // The macro is slow, and this check runs thousands of times.
    if list[index] != model[index] { Issue.record("\(index) is wrong, seed \(seed)") }
  }

  func checkAll(seed: UInt64) {
    #expect(Array(list) == model, "seed \(seed)")
    var sum = 0
    for (index, weight) in model.enumerated() {
      guard list.sum(before: index) == sum, list[index] == weight else {
        Issue.record("The sum before \(index) is wrong, seed \(seed)")
        return
      }
      for rest in [0, weight / 2, weight - 1] where weight > 0 {
        guard list.index(ofOffset: sum + rest) == (index, rest) else {
          Issue.record("The offset \(sum + rest) has the wrong index, seed \(seed)")
          return
        }
      }
      sum += weight
    }
    #expect(list.total == sum, "seed \(seed)")
    #expect(list.sum(before: model.count) == sum, "seed \(seed)")
  }
}
