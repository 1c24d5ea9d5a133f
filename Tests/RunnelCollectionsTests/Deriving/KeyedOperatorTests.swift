import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Operators of dictionaries and sets that use streams, groups and sums.
@Suite struct KeyedOperatorTests {
  private typealias Entry = (key: Int, value: Int)

  @Test(arguments: seeds(2)) func dictionaryOperatorsFollowTheirStreams(_ seed: Int) {
    let numbers = CollectionProperty<[Int: Int]>()
    let divisor = Property(2)
    let flags = (0..<210).map { Property($0 % 3 == 0) }
    let isByKey = Property(true)
    let found = numbers.filter(
      by: divisor.map { divisor in { ($0.key + $0.value) % divisor == 0 } })
    let flagged = numbers.filter(whereLatest: { flags[($0.key + $0.value) % 210] })
    let sorted = numbers.sorted(
      by: isByKey.map { isByKey -> (Entry, Entry) -> Bool in
        isByKey ? { $0.key < $1.key } : { ($0.value, $0.key) < ($1.value, $1.key) }
      })
    let texts = numbers.map { "\($0.key): \($0.value)" }
    let odd = numbers.compactMap { $0.value % 2 == 1 ? $0.key : nil }
    let groups = numbers.grouped { $0.value % 3 }
    let sum = numbers.reduced(0, adding: { $0 + $1.value }, removing: { $0 - $1.value })
    var sums: [Int] = []
    sum.observeNext { sums.append($0) }
    let checks = [CollectionValidator(found), CollectionValidator(flagged)]
    let lists = [ListValidator(sorted.map { [$0.key, $0.value] })]
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<300 {
      numbers.batch {
        edits.batch(on: numbers)
        if number % 7 == 0 { divisor.value = 1 + edits.number(below: 4) }
      }
      flags[edits.number(below: 30)].value.toggle()
      if number % 9 == 0 { isByKey.value.toggle() }
      if number % 11 == 0 { divisor.value = 1 + edits.number(below: 4) }
      let all = Dictionary(numbers.value.map { ($0.key, $0.value) }) { $1 }
      let entries = all.sorted { isByKey.value ? $0 < $1 : ($0.value, $0.key) < ($1.value, $1.key) }
      let isRight = [
        found.value == SharedDictionary(all.filter { ($0.key + $0.value) % divisor.value == 0 }),
        flagged.value
          == SharedDictionary(all.filter { flags[($0.key + $0.value) % 210].value }),
        sorted.value.map { [$0.key, $0.value] } == entries.map { [$0.key, $0.value] },
        texts.value.sorted() == all.map { "\($0.key): \($0.value)" }.sorted(),
        odd.value.sorted() == all.filter { $0.value % 2 == 1 }.keys.sorted(),
        groups.value.allSatisfy { group in group.value.allSatisfy { $0.value % 3 == group.key } },
        groups.value.reduce(0) { $0 + $1.count } == all.count,
        sums.last == all.values.reduce(0, +) && sum.value == sums.last,
      ]
      let problems = checks.flatMap(\.problems) + lists.flatMap(\.problems)
      #expect(
        !isRight.contains(false) && problems == [], "seed \(seed), batch \(number), \(isRight)")
      if isRight.contains(false) || !problems.isEmpty { return }
    }
  }

  @Test(arguments: seeds(2)) func setOperatorsFollowTheirStreams(_ seed: Int) {
    let numbers = CollectionProperty<Set<Int>>()
    let divisor = Property(2)
    let flags = (0..<210).map { Property($0 % 3 == 0) }
    let order = Property<(Int, Int) -> Bool>(<)
    var isUp = true
    let found = numbers.filter(by: divisor.map { divisor in { $0 % divisor == 0 } })
    let flagged = numbers.filter(whereLatest: { flags[$0] })
    let sorted = numbers.sorted(by: order)
    let halves = numbers.compactMap { $0 % 2 == 0 ? $0 / 2 : nil }
    let groups = numbers.grouped { $0 % 3 }
    let sum = numbers.reduced(0, adding: +, removing: -)
    var sums: [Int] = []
    sum.observeNext { sums.append($0) }
    let checks = [CollectionValidator(found), CollectionValidator(flagged)]
    let lists = [ListValidator(sorted), ListValidator(halves)]
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<300 {
      numbers.batch {
        edits.batch(on: numbers)
        if number % 7 == 0 { divisor.value = 1 + edits.number(below: 4) }
      }
      flags[edits.number(below: 16)].value.toggle()
      if number % 9 == 0 {
        isUp.toggle()
        let sign = isUp ? 1 : -1
        order.value = { $0 * sign < $1 * sign }
      }
      let all = Set(numbers.value)
      let isRight = [
        found.value == SharedSet(all.filter { $0 % divisor.value == 0 }),
        flagged.value == SharedSet(all.filter { flags[$0].value }),
        Array(sorted.value) == all.sorted { isUp ? $0 < $1 : $0 > $1 },
        halves.value.sorted() == all.compactMap { $0 % 2 == 0 ? $0 / 2 : nil }.sorted(),
        groups.value.allSatisfy { group in group.value.allSatisfy { $0 % 3 == group.key } },
        groups.value.reduce(0) { $0 + $1.count } == all.count,
        sums.last == all.reduce(0, +) && sum.value == sums.last,
      ]
      let problems = checks.flatMap(\.problems) + lists.flatMap(\.problems)
      #expect(
        !isRight.contains(false) && problems == [], "seed \(seed), batch \(number), \(isRight)")
      if isRight.contains(false) || !problems.isEmpty { return }
    }
  }

  /// The event contains the differences only.
  @Test func newPredicateReportsTheDifference() {
    let numbers = CollectionProperty(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) }))
    let members = CollectionProperty(Set(0..<100))
    let least = Property(50)
    let large = numbers.filter(by: least.map { least in { $0.value >= least } })
    let largeMembers = members.filter(by: least.map { least in { $0 >= least } })
    var extents: [Int?] = []
    large.observe { extents.append($0.changes?.extent) }
    largeMembers.observe { extents.append($0.changes?.extent) }
    least.value = 49
    least.value = 49
    least.value = 52
    #expect(extents == [nil, nil, 1, 1, 3, 3])
  }

  /// Reading a sum visits all elements; following it does not.
  @Test func followingASumVisitsChangedElementsOnly() {
    let numbers = CollectionProperty(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) }))
    var steps = 0
    func counted(_ value: Int) -> Int {
      steps += 1
      return value
    }
    let sum = numbers.reduced(
      0, adding: { counted($0 + $1.value) }, removing: { counted($0 - $1.value) })
    var sums: [Int] = []
    sum.observeNext { sums.append($0) }
    steps = 0
    numbers[3] = 5
    numbers[4] = nil
    numbers[100] = 1
    numbers[5] = 5
    #expect(steps == 6 && sums == [4_950, 4_952, 4_948, 4_949])
  }
}
