import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct JoinedListTests {
  /// A pair that can be compared.
  private struct Pair: Hashable {
    let left: Item
    let right: Item

    init(_ pair: (Item, Item)) { (left, right) = pair }
  }

  private static func join(_ lefts: some Sequence<Item>, _ rights: some Sequence<Item>) -> [Pair] {
    lefts.flatMap { left in
      rights.filter { $0.value == left.value }.map { Pair((left, $0)) }
    }
  }

  /// Records each event of a list of words as its deletes, inserts, updates and moves.
  private func changes(
    of list: LiveCollection<[(String, String)]>, _ edit: () -> Void
  ) -> [String] {
    var all: [String] = []
    let observation = list.observe { event in
      guard let changes = event.changes else { return all.append("\(event.change)") }
      all.append(
        "-\(changes.deletes) +\(changes.inserts) ~\(changes.updates) \(Array(changes.moves))")
    }
    edit()
    observation.dispose()
    return Array(all.dropFirst())
  }

  private let books = CollectionProperty(["Dune", "Emma", "Ilium", "Eve"])
  private let shelves = CollectionProperty(["D1", "E1", "E2"])

  private func joined() -> LiveCollection<[(String, String)]> {
    books.joined(with: shelves, on: { $0.first }, equals: { $0.first })
  }

  // MARK: - Values

  @Test func pairsAreInTheOrderOfBothLists() {
    #expect(
      joined().value.map { "\($0) \($1)" } == ["Dune D1", "Emma E1", "Emma E2", "Eve E1", "Eve E2"])
  }

  @Test func eachEditOfEitherListIsOneEvent() {
    let joined = joined()
    #expect(changes(of: joined) { books[1] = "Erewhon" } == ["-[] +[] ~[1, 2] []"])
    #expect(changes(of: joined) { books[1] = "Ilium" } == ["-[1, 2] +[] ~[] []"])
    #expect(changes(of: joined) { books[1] = "Emma" } == ["-[] +[1, 2] ~[] []"])
    #expect(changes(of: joined) { shelves[2] = "E3" } == ["-[] +[] ~[2, 4] []"])
    #expect(changes(of: joined) { shelves[2] = "I1" } == ["-[2, 4] +[2] ~[] []"])
    #expect(changes(of: joined) { shelves.removeAll() } == ["-[0, 1, 2, 3] +[] ~[] []"])
    #expect(changes(of: joined) { shelves.append("X1") } == [])
  }

  @Test func movesOfEitherListMovePairs() {
    let joined = joined()
    #expect(changes(of: joined) { shelves.move(from: 2, to: 0) }.count == 1)
    #expect(joined.value.map { $0.1 } == ["D1", "E2", "E1", "E2", "E1"])
    #expect(changes(of: joined) { books.move(from: 1, to: 3) }.count == 1)
    #expect(joined.value.map { $0.0 } == ["Dune", "Eve", "Eve", "Emma", "Emma"])
  }

  @Test func resetOfEitherListIsAReset() {
    let joined = joined()
    #expect(changes(of: joined) { books.replace(with: ["Eve"], performDiff: false) } == ["reset"])
    #expect(joined.value.map { $0.1 } == ["E1", "E2"])
    #expect(changes(of: joined) { shelves.replace(with: ["E9"], performDiff: false) } == ["reset"])
    #expect(joined.value.map { $0.1 } == ["E9"])
  }

  @Test func aListCanBeJoinedWithItself() {
    let staff = CollectionProperty([Item(number: 1, value: 0), Item(number: 2, value: 1)])
    let teams = staff.joined(with: staff, on: \.value, equals: \.number)
    let validator = ListValidator(teams.map(Pair.init))
    staff.append(Item(number: 3, value: 2))
    #expect(teams.value.map { [$0.number, $1.number] } == [[2, 1], [3, 2]])
    #expect(validator.problems == [])
  }

  @Test func closuresRunOncePerElement() {
    var calls = 0
    let joined = books.joined(
      with: shelves,
      on: { book in
        calls += 1
        return book.first
      }, equals: { $0.first })
    books.move(from: 0, to: 3)
    books.append("Dracula")
    shelves.replace(with: ["D7"], performDiff: false)
    #expect(calls == 5 && joined.count == 2)
  }

  // MARK: - Disposal

  @Test func releasedJoinKeepsNeitherListNorElements() {
    final class Thing {}
    weak var left: Thing?
    weak var right: Thing?
    let lefts = CollectionProperty<[Thing]>()
    var joined: LiveCollection<[(Thing, Int)]>? = lefts.joined(
      with: CollectionProperty([1]), on: { _ in 1 }, equals: { $0 })
    do {
      let thing = Thing()
      left = thing
      lefts.append(thing)
      #expect(joined?.count == 1)
      lefts.removeAll()
    }
    #expect(left == nil)
    lefts.append(Thing())
    right = lefts[0]
    joined = nil
    lefts.removeAll()
    #expect(right == nil)
  }

  // MARK: - Soundness

  /// Random batches of edits of both lists, one in the other, with resets, and with edits by
  /// observers and by the closures.
  @Test(arguments: seeds(5)) func randomEdits(_ seed: Int) {
    let lists = [CollectionProperty<[Item]>(), CollectionProperty<[Item]>()]
    var edits = RandomEdits(seed: UInt64(seed))
    var (editsLeft, calls) = (0, 0)
    func editFromWithin() {
      calls += 1
      var edits = RandomEdits(seed: UInt64(seed * 100_000 + calls))
      guard editsLeft > 0, edits.number(below: 6) == 0 else { return }
      editsLeft -= 1
      edits.batch(on: lists[edits.number(below: 2)], longest: 8)
    }
    func key(_ item: Item) -> Int {
      editFromWithin()
      return item.value
    }
    let joined = lists[0].joined(with: lists[1], on: key, equals: key).map(Pair.init)
    let validator = ListValidator(joined)
    lists[1].observe { _ in editFromWithin() }
    joined.observe { _ in editFromWithin() }
    for number in 0..<400 {
      let list = lists[edits.number(below: 2)]
      editsLeft = edits.number(below: 4)
      switch edits.number(below: 30) {
      case 0: list.replace(with: list.value.reversed() + list.value, performDiff: false)
      case 1:
        lists[0].batch {
          lists[1].batch { for list in lists { edits.batch(on: list, longest: 8) } }
        }
      case 2: list.removeAll()
      default: edits.batch(on: list, longest: 8)
      }
      editsLeft = 0
      let expected = Self.join(lists[0], lists[1])
      #expect(validator.problems == [], "seed \(seed), edit \(number)")
      #expect(Array(joined.value) == expected, "seed \(seed), edit \(number)")
      if validator.elements != expected || !validator.problems.isEmpty { return }
    }
  }

  /// A key whose equality and hash are random.
  private struct RandomKey: Hashable {
    nonisolated(unsafe) static var random = SeededGenerator(seed: 1)

    static func == (_: Self, _: Self) -> Bool { Bool.random(using: &random) }
    func hash(into hasher: inout Hasher) {
      hasher.combine(Int.random(in: 0..<3, using: &Self.random))
    }
  }

  @Test func inconsistentKeysSendSoundChanges() {
    let lists = [CollectionProperty<[Item]>(), CollectionProperty<[Item]>()]
    let joined = lists[0].joined(
      with: lists[1], on: { _ in RandomKey() }, equals: { _ in RandomKey() })
    let validator = ListValidator(joined.map(Pair.init))
    var edits = RandomEdits(seed: 7)
    for number in 0..<300 {
      edits.batch(on: lists[number % 2], longest: 8)
      #expect(validator.problems == [], "batch \(number)")
    }
    for list in lists { list.removeAll() }
    #expect(joined.isEmpty)
  }
}
