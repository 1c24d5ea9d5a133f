import RunnelTesting
import Testing

@testable import RunnelBus

@Suite struct SeenEventsTests {
  /// Events of one topic, of which some are lost, late or repeated, compared with a set of numbers.
  @Test(arguments: seeds(200)) func rangesMatchSetOfNumbers(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var numbers: [UInt64] = [0]
    for _ in 0..<60 {
      numbers.append(numbers[numbers.count - 1] + UInt64.random(in: 1...9, using: &random))
    }
    var ranges = NumberRanges()
    var model: Set<UInt64> = []
    for _ in 0..<200 {
      let index = Int.random(in: 1..<numbers.count, using: &random)
      let isNew = ranges.insert(after: numbers[index - 1], through: numbers[index])
      #expect(isNew == model.insert(numbers[index]).inserted, "seed \(seed)")
      // The model has no limit of gaps.
      if ranges.ranges.count > NumberRanges.mostGaps { return }
      for (one, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
        #expect(one.after < one.through && one.through < next.after, "seed \(seed)")
      }
    }
  }

  /// Inserts ranges, each from the number before `number`. Returns true for each new one.
  private func insert(_ numbers: [UInt64], into ranges: inout NumberRanges) -> [Bool] {
    numbers.map { ranges.insert(after: $0 - 1, through: $0) }
  }

  @Test func completeTopicIsOneRange() {
    var ranges = NumberRanges()
    let areNew = insert(Array(1...1_000), into: &ranges)
    #expect(!areNew.contains(false))
    #expect(ranges.ranges == [NumberRanges.Range(after: 0, through: 1_000)])
  }

  @Test func oldestGapIsGivenUpFirst() {
    var ranges = NumberRanges()
    _ = insert((1...30).map { 10 * $0 }, into: &ranges)
    #expect(ranges.ranges.count == NumberRanges.mostGaps + 1)
    // The gap after the first one was given up, and the last one was not.
    let areNew = insert([15, 295], into: &ranges)
    #expect(areNew == [false, true])
  }

  @Test func eventsOfOriginsAndTopicsAreApart() {
    var seen = SeenEvents()
    let stamp = EventStamp(origin: 1, number: 5, previous: 0)
    let other = EventStamp(origin: 2, number: 5, previous: 0)
    let events = [(stamp, "a"), (stamp, "a"), (stamp, "b"), (other, "a"), (other, "a")]
    let areNew = events.map { seen.insert($0, on: $1) }
    #expect(areNew == [true, false, true, true, false])
  }

  @Test func generationsForgetUnusedEntries() {
    var entries = Generations<Int, Int>(limit: 100)
    entries[0] = 0
    var isKept = true
    var largestCount = 0
    for key in 1...10_000 {
      entries[key] = key
      if entries[0] != 0 { isKept = false }
      largestCount = max(largestCount, entries.count)
    }
    #expect(isKept && largestCount <= 200, "an entry that is used each time stays")
    let values = [entries[9_950], entries[9_000]]
    #expect(values == [9_950, nil] && entries.hasForgotten)
    entries[9_950] = nil
    let removed = entries[9_950]
    #expect(removed == nil)
  }
}
