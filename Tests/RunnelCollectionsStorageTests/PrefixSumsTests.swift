import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct PrefixSumsTests {
  /// Counts around those at which a level is added or removed: 32 numbers, and 32 groups of them.
  @Test(arguments: [1, 31, 32, 33, 991, 1_023, 1_024, 1_025, 2_100]) func agreeWithAnArray(
    _ count: Int
  ) {
    var random = SeededGenerator(seed: UInt64(count))
    var (sums, model) = (PrefixSums(), [Int]())
    func check() {
      #expect(Array(sums.values) == model, "seed \(count)")
      #expect(sums.total == model.reduce(0, +), "seed \(count)")
      var before = 0
      let areRight = model.enumerated().allSatisfy { place, number in
        defer { before += number }
        return sums.sum(before: place) == before
          && (0..<number).allSatisfy { sums.find(before + $0) == (place, $0) }
      }
      #expect(areRight && sums.sum(before: model.count) == before, "seed \(count)")
    }
    func fill(_ places: Range<Int>) {
      for place in places {
        let amount = Int.random(in: 0...3, using: &random)
        sums.add(amount, at: place)
        model[place] += amount
      }
    }
    func insert(_ length: Int) {
      let place = Int.random(in: 0...model.count, using: &random)
      sums.insertZeros(at: place..<place + length)
      model.insert(contentsOf: repeatElement(0, count: length), at: place)
      fill(place..<place + length)
      check()
    }
    func remove(_ length: Int) {
      let length = min(length, model.count)
      let place = Int.random(in: 0...model.count - length, using: &random)
      sums.removeSubrange(place..<place + length)
      model.removeSubrange(place..<place + length)
      fill(0..<model.count)
      check()
    }
    insert(count)
    for length in [1, 1, 40, 1] { insert(length) }
    for length in [1, 1, 1, 40, 1, 1, 1] { remove(length) }
    remove(model.count)
    insert(1)
  }
}
