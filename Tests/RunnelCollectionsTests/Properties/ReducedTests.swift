import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ReducedTests {
  @Test func reducesWithoutAnInverse() {
    let list = CollectionProperty([1, 2])
    let sum = list.reduced(0, +)
    let all = list.reduced(into: Set<Int>()) { $0.insert($1) }
    var sums: [Int] = []
    var sets: [Set<Int>] = []
    sum.observeNext { sums.append($0) }
    all.observeNext { sets.append($0) }
    list.append(2)
    list.move(from: 0, to: 1)
    #expect(sums == [3, 5] && sets == [[1, 2]])
    #expect(sum.value == 5 && all.value == [1, 2])
  }

  /// The old value is removed once.
  @Test func repeatedUpdateRemovesTheOldValueOnce() {
    let list = CollectionProperty([1, 2, 3])
    let target = CollectionProperty<[Int]>()
    list.sorted().bind(to: target)
    var sums: [Int] = []
    target.reduced(0, adding: +, removing: -).observeNext { sums.append($0) }
    target.batch { for number in [9, 0, 8] { list[0] = number } }
    #expect(sums == [6, 13])
  }

  @Test func changeVisitsChangedElementsOnly() {
    let list = CollectionProperty(Array(0..<1_000))
    var steps = 0
    let sum = list.reduced(
      0,
      adding: {
        steps += 1
        return $0 + $1
      },
      removing: {
        steps += 1
        return $0 - $1
      })
    var sums: [Int] = []
    let observation = sum.observeNext { sums.append($0) }
    steps = 0
    list.append(7)
    list[0] = 5
    list[0] = 5
    list.remove(at: 1)
    list.move(from: 0, to: 9)
    list.batch {
      list.append(3)
      list.append(-3)
    }
    #expect(steps == 1 + 2 + 2 + 1 + 2)
    #expect(sums == [499_500, 499_507, 499_512, 499_511])
    #expect(sum.value == 499_511)
    observation.dispose()
    #expect(!list.isObserved)
  }

  @Test func nonEquatableValuesAreAlwaysSent() {
    let list = CollectionProperty([1, 2])
    let mean = list.reduced(
      (sum: 0, count: 0), adding: { ($0.sum + $1, $0.count + 1) },
      removing: { ($0.sum - $1, $0.count - 1) })
    var sums: [Int] = []
    mean.observeNext { sums.append($0.sum) }
    list.swapAt(0, 1)
    list.append(4)
    #expect(sums == [3, 3, 7] && mean.value.count == 3)
  }

  @Test func observerMayChangeTheList() {
    let list = CollectionProperty([1])
    let sum = list.reduced(0, adding: +, removing: -)
    var sums: [Int] = []
    sum.observeNext {
      sums.append($0)
      if $0 < 8 { list.append($0) }
    }
    #expect(sums == [1, 2, 4, 8])
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let list = CollectionProperty<[Item]>()
    let sum = list.reduced(0, adding: { $0 + $1.value }, removing: { $0 - $1.value })
    var last: Int?
    var repeated = 0
    sum.observeNext {
      if $0 == last { repeated += 1 }
      last = $0
    }
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: list, longest: number % 20 == 0 ? 200 : 16)
      let expected = list.value.reduce(0) { $0 + $1.value }
      #expect(last == expected && sum.value == expected, "seed \(seed), batch \(number)")
      if last != expected { return }
    }
    #expect(repeated == 0)
  }
}
