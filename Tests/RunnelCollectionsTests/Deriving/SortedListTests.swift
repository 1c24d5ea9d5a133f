import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SortedListTests {
  private struct Book: Equatable {
    let title: String
    var year: Int
  }

  private let books = [
    Book(title: "Emma", year: 1815), Book(title: "Dune", year: 1965),
    Book(title: "It", year: 1986), Book(title: "Carrie", year: 1974),
  ]

  @Test func sourceMoveAffectsEquivalentElementsOnly() {
    let source = CollectionProperty(books)
    let sorted = source.sorted { $0.year < $1.year }
    let validator = ListValidator(sorted)
    var events = 0
    sorted.observe { _ in events += 1 }
    source.move(from: 0, to: 3)
    source.move(from: 2, to: 0)
    #expect(events == 1)
    source[0].year = 1965
    #expect(events == 2)
    #expect(sorted.value.map(\.title) == ["Emma", "Carrie", "Dune", "It"])
    source.move(from: 0, to: 3)
    #expect(events == 3)
    #expect(sorted.value.map(\.title) == ["Emma", "Dune", "Carrie", "It"])
    #expect(validator.problems == [])
  }

  /// The same for many moves at once, each next to an inserted, removed or updated element.
  @Test(arguments: seeds(7)) func movesCombineWithOtherChanges(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let source = CollectionProperty(
      (0..<200).map { Book(title: "\($0)", year: Int(random.next() % 150)) })
    let sorted = source.sorted { $0.year < $1.year }
    let validator = ListValidator(sorted)
    func place() -> Int { Int(random.next() % UInt64(source.count)) }
    for round in 0..<20 {
      source.batch {
        for number in 0..<20 {
          source.move(from: place(), to: place())
          if number % 4 == 0 { source[place()].year = Int(random.next() % 150) }
          if number % 5 == 0 { source.remove(at: place()) }
          if number % 5 == 1 {
            source.insert(
              Book(title: "\(round) \(number)", year: Int(random.next() % 150)), at: place())
          }
        }
      }
      let resorted = source.value.enumerated().sorted {
        ($0.element.year, $0.offset) < ($1.element.year, $1.offset)
      }
      #expect(Array(sorted.value) == resorted.map(\.element), "seed \(seed)")
    }
    #expect(validator.problems == [], "seed \(seed)")
  }

  enum Change: CaseIterable {
    case insert, remove, update, move, batch, otherList, order

    func make(to source: CollectionProperty<[Int]>, _ orders: PushStream<(Int, Int) -> Bool>) {
      switch self {
      case .insert: source.insert(7, at: source.count / 2)
      case .batch:
        source.batch { for number in 0..<300 { source.insert(number % 9, at: source.count / 2) } }
      case .otherList: source.replace(with: [3, 1, 2])
      case .order: orders.next { $0 > $1 }
      case .remove, .update, .move:
        guard !source.isEmpty else { return }
        if self == .remove { source.remove(at: source.count / 2) }
        if self == .update { source[source.count - 1] = 7 }
        if self == .move { source.move(from: 0, to: source.count - 1) }
      }
    }
  }

  /// Short lists build their tables at the first change only.
  @Test(arguments: [0, 9, 1_024, 1_025], Change.allCases)
  func firstChangeOfAShortListIsSound(_ count: Int, _ first: Change) {
    for second in [Change.move, .otherList, .order] {
      var random = SeededGenerator(seed: UInt64(count))
      let source = CollectionProperty(
        (0..<count).map { _ in Int.random(in: 0..<50, using: &random) })
      let orders = PushStream<(Int, Int) -> Bool>()
      let ascending = source.sorted()
      let ordered = source.sorted(by: orders)
      let validators = [ListValidator(ascending), ListValidator(ordered)]
      var isDescending = false
      for change in [first, second, .insert] {
        change.make(to: source, orders)
        if change == .order { isDescending = true }
        #expect(Array(ascending.value) == source.value.sorted(), "seed \(count), \(second)")
        let resorted = isDescending ? source.value.sorted { $0 > $1 } : Array(source.value)
        #expect(Array(ordered.value) == resorted, "seed \(count), \(second)")
      }
      #expect(validators.flatMap { $0.problems } == [], "seed \(count), \(second)")
    }
  }

  /// The order may depend on a table that contains the current elements only.
  @Test(arguments: [1, 30]) func removedElementsAreNotCompared(_ count: Int) {
    var ranks = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, ($0 * 37) % 100) })
    var strangers = 0
    let source = CollectionProperty(Array(0..<100))
    let sorted = source.sorted { one, other in
      guard let rank = ranks[one], let otherRank = ranks[other] else {
        strangers += 1
        return false
      }
      return rank < otherRank
    }
    let validator = ListValidator(sorted)
    source.batch {
      for number in 0..<count {
        let id = source[number]
        ranks[id] = nil
        source.remove(at: number)
        source.move(from: number * 2, to: 60 - number)
      }
    }
    #expect(strangers == 0)
    #expect(sorted.value.map { ranks[$0, default: -1] } == ranks.values.sorted())
    #expect(validator.problems == [])
  }
}
