import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct DistinctListTests {
  /// Returns the first element of each key.
  private func firsts<Element, Key: Hashable>(
    _ list: SharedArray<Element>, by key: (Element) -> Key
  ) -> [Element] {
    var seen: Set<Key> = []
    return list.filter { seen.insert(key($0)).inserted }
  }

  /// A log of the changes of a list, one line for each event.
  private final class Log {
    var lines: [String] = []

    init<Element>(_ list: LiveCollection<[Element]>) {
      list.observe { [unowned self] event in
        guard let changes = event.changes else { return lines.append("\(event.collection)") }
        lines.append(
          "\(changes.inserts) \(changes.updates) \(changes.deletes) \(changes.moves)")
      }
    }
  }

  @Test func nextDuplicateReplacesARemovedFirst() {
    let list = CollectionProperty(["a", "b", "a", "c", "a"])
    let distinct = list.distinct()
    let log = Log(distinct)
    list.append("b")
    list.remove(at: 0)
    list.remove(at: 1)
    list.insert("c", at: 0)
    list.move(from: 0, to: 4)
    #expect(Array(list.value) == ["b", "c", "a", "b", "c"])
    #expect(
      log.lines == [
        #"["a", "b", "c"]"#, "[1] [] [0] []", "[2] [] [1] []", "[0] [] [1] []", "[1] [] [0] []",
      ])
    #expect(Array(distinct.value) == ["b", "c", "a"])
  }

  @Test func updatesMayChangeTheFirstElement() {
    let list = CollectionProperty([10, 20, 11, 30])
    let distinct = list.distinct { $0 / 10 }
    let log = Log(distinct)
    // Updates that keep the key: of a first element, then of a duplicate.
    list[0] = 12
    list[2] = 15
    // Updates that change the key: to a new one, to an existing one, and back.
    list[3] = 40
    list[3] = 16
    list[3] = 40
    // The next duplicate replaces the first one.
    list[0] = 50
    // Two elements change places.
    list.batch {
      list[0] = 25
      list[1] = 55
    }
    #expect(
      log.lines == [
        "[10, 20, 30]", "[] [0] [] []", "[] [2] [] []", "[] [] [2] []", "[2] [] [] []",
        "[2] [0] [] []", "[] [0, 1] [] []",
      ])
    #expect(Array(distinct.value) == [25, 55, 15, 40])
  }

  @Test func movesOfShownElements() {
    let list = CollectionProperty(["a", "b", "c", "a"])
    let distinct = list.distinct()
    let log = Log(distinct)
    list.move(from: 1, to: 2)
    list.move(from: 3, to: 1)
    list.move(from: 0, to: 1)
    #expect(
      log.lines.count == 3 && log.lines[1] == "[] [] [] [1→2]", "\(log.lines)")
    #expect(Array(distinct.value) == ["a", "c", "b"])
  }

  @Test func resetsAndIneffectiveChanges() {
    let list = CollectionProperty<[Int]>()
    let distinct = list.distinct()
    let validator = ListValidator(distinct)
    list.append(contentsOf: [1, 1, 2, 1])
    list.replace(with: [3, 2, 3])
    #expect(validator.elements == [3, 2])
    list.removeSubrange(0..<2)
    list.removeAll()
    list.append(3)
    #expect(validator.elements == [3] && validator.problems == [])
  }

  // MARK: - Random changes

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let byValue = source.distinct { $0.value }
    let byNumber = source.distinct { $0.number }
    let values = source.map { $0.value % 4 }
    let distinct = values.distinct()
    let sorted = byValue.sorted { $0.number < $1.number }
    let validators = [
      ListValidator(byValue), ListValidator(byValue), ListValidator(byNumber),
      ListValidator(sorted),
    ]
    let ofDistinct = ListValidator(distinct)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<400 {
      edits.batch(on: source, longest: number % 20 == 0 ? 200 : 15)
      let problems = validators.flatMap(\.problems) + ofDistinct.problems
      let first = firsts(source.value) { $0.value }
      let isRight =
        validators[0].elements == first && validators[1].elements == first
        && validators[2].elements == firsts(source.value) { $0.number }
        && ofDistinct.elements == firsts(values.value) { $0 }
        && validators[3].elements == first.sorted { $0.number < $1.number }
      #expect(problems == [], "seed \(seed), batch \(number)")
      #expect(isRight, "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  /// A key with an inconsistent `==` or hash, or one that is not equal to itself.
  private struct InconsistentKey: Hashable {
    let value: Int
    // Safety: a single test creates and uses such keys, on one thread.
    nonisolated(unsafe) static var random = SeededGenerator(seed: 1)

    static func == (one: InconsistentKey, other: InconsistentKey) -> Bool {
      Int.random(in: 0..<3, using: &random) == 0
    }
    func hash(into hasher: inout Hasher) {
      Int.random(in: 0..<4, using: &Self.random).hash(into: &hasher)
    }
  }

  @Test func inconsistentKeysAreTolerated() {
    let source = CollectionProperty<[Item]>()
    let distinct = source.distinct { InconsistentKey(value: $0.value) }
    let nans = source.distinct { $0.value == 1 ? Double.nan : Double($0.value) }
    let validators = [ListValidator(distinct), ListValidator(nans)]
    var edits = RandomEdits(seed: 5)
    for _ in 0..<1_000 { edits.batch(on: source, longest: 20) }
    #expect(validators.flatMap(\.problems) == [])
    let ones = source.value.filter { $0.value == 1 }
    #expect(nans.value.filter { $0.value == 1 } == ones)
  }

  // MARK: - Reentrancy

  @Test func observersMayChangeTheSource() {
    let list = CollectionProperty([1, 2, 1, 3])
    let distinct = list.distinct()
    let early = ListValidator(distinct)
    list.observe { event in
      if event.collection.count < 9 { list.insert(event.collection.count % 4, at: 0) }
    }
    var events = 0
    distinct.observe { _ in
      events += 1
      if events < 5 { list.remove(at: 0) }
    }
    let late = ListValidator(distinct)
    list.batch {
      list.removeLast()
      list.move(from: 0, to: 2)
    }
    list.append(7)
    let expected = firsts(list.value) { $0 }
    #expect(early.problems == [] && late.problems == [])
    #expect(early.elements == expected && late.elements == expected)
  }

  @Test func outlivesTheSourceProperty() {
    weak var source: CollectionProperty<[Int]>?
    var distinct: LiveCollection<[Int]>?
    do {
      let list = CollectionProperty([1, 1])
      source = list
      distinct = list.distinct()
      list.append(2)
    }
    #expect(distinct.map { Array($0.value) } == [1, 2] && source == nil)
    distinct = nil
  }

  // MARK: - Cost

  /// A counter of comparisons.
  private final class Counter {
    var comparisons = 0
  }

  private struct Counted: Hashable {
    let value: Int
    let counter: Counter

    static func == (one: Counted, other: Counted) -> Bool {
      one.counter.comparisons += 1
      return one.value == other.value
    }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
  }

  /// 100,000 elements with three values, whose first elements are removed repeatedly.
  @Test func changeAmongManyDuplicatesIsCheap() {
    let source = CollectionProperty((0..<100_000).map { $0 % 3 })
    let counter = Counter()
    var calls = 0
    let distinct = source.distinct { value in
      calls += 1
      return Counted(value: value, counter: counter)
    }
    let validator = ListValidator(distinct)
    (calls, counter.comparisons) = (0, 0)
    for number in 0..<500 {
      source.remove(at: 0)
      source.insert(number % 3, at: 50_000)
      source.move(from: 0, to: 75_000)
      source[number * 50] = (number + 1) % 3
    }
    #expect(calls == 1_000 && counter.comparisons <= 2_000)
    #expect(validator.problems == [])
    #expect(validator.elements == firsts(source.value) { $0 })
    source.removeSubrange(500..<2_500)
    #expect(validator.elements == firsts(source.value) { $0 })
  }
}
