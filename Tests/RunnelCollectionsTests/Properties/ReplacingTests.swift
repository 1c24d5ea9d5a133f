import RunnelCollections
import RunnelTesting
import Testing

@Suite struct ReplacingTests {
  /// An element that is identifiable but not hashable.
  private struct Book: Identifiable, Equatable {
    let id: Int
    var title: String
  }

  /// An element that is hashable, but matched by its id.
  private struct Page: Identifiable, Hashable {
    let id: Int
    var text: String
  }

  private final class Calls {
    var count = 0
    /// An action that runs once, at the next comparison.
    var onEqual: (() -> Void)?
  }

  /// An element that counts its comparisons and hashes.
  private struct Counting: Hashable {
    let number: Int
    let calls: Calls

    static func == (left: Counting, right: Counting) -> Bool {
      left.calls.count += 1
      left.calls.onEqual.take()?()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      calls.count += 1
      hasher.combine(number)
    }
  }

  @Test func changesAtTheEndAreNotHashed() {
    let calls = Calls()
    let list = CollectionProperty((0..<10_000).map { Counting(number: $0, calls: calls) })
    var lines: [String] = []
    list.observe { event in
      guard let changes = event.changes else { return }
      lines.append("+\(changes.inserts) -\(changes.deletes) \(changes.extent)")
    }
    var other = list.value
    other.append(Counting(number: -1, calls: calls))
    other.append(Counting(number: -2, calls: calls))
    list.replace(with: other, performDiff: true)
    // The lists share all elements except at the end.
    #expect(calls.count < 1_000)
    #expect(list.count == 10_002)
    other.removeLast(3)
    calls.count = 0
    list.replace(with: Array(other), performDiff: true)
    // One comparison at the end, and 9,999 from the start. No element is hashed.
    #expect(calls.count == 10_000)
    list.replace(with: Array(other), performDiff: true)
    #expect(lines == ["+[10000, 10001] -[] 2", "+[] -[9999, 10000, 10001] 3"])
    list.replace(with: [], performDiff: true)
    list.replace(with: [Counting(number: 1, calls: calls)], performDiff: true)
    #expect(lines.count == 4 && list.count == 1)
  }

  /// The new inner list shares storage with the old one.
  @Test func flattenedListGrowsWithAnInnerOne() {
    let rooms = CollectionProperty(["a": SharedArray(0..<2_000)])
    let all = rooms.values.flattened()
    let validator = ListValidator(all)
    rooms["a"]?.append(-1)
    rooms["a"]?.removeLast(2)
    rooms["a"]?.insert(-2, at: 0)
    rooms["b"] = [5]
    rooms["a"]?.removeLast()
    #expect(Set(all.value) == Set([-2, 5] + Array(0..<1_998)) && all.count == 2_000)
    #expect(validator.problems == [])
    #expect(validator.eventCount == 6)
  }

  @Test func editsDuringComparisonAreOverwritten() {
    let calls = Calls()
    func counting(_ numbers: Int...) -> [Counting] {
      numbers.map { Counting(number: $0, calls: calls) }
    }
    let list = CollectionProperty(counting(1, 2))
    let validator = ListValidator(list)
    calls.onEqual = { list.append(contentsOf: counting(9)) }
    list.replace(with: counting(1, 3), performDiff: true)
    #expect(list.map(\.number).value.elementsEqual([1, 3]))
    calls.onEqual = { list.append(contentsOf: counting(9)) }
    list.replace(with: counting(1, 3, 4), performDiff: true)
    #expect(list.map(\.number).value.elementsEqual([1, 3, 4]))
    #expect(validator.elements.map(\.number) == [1, 3, 4])
    #expect(validator.problems == [])
  }

  @Test func diffSendsOneEvent() {
    let list = CollectionProperty(["a", "b", "c", "d"])
    let log = ChangeLog(list)
    list.replace(with: ["d", "a", "x", "c"], performDiff: true)
    list.replace(with: ["d", "a", "x", "c"], performDiff: true)
    list.replace(with: ["d", "a", "x", "c"], performDiff: false)
    list.replace(with: [], performDiff: true)
    list.replace(with: ["p", "p"], performDiff: true)
    #expect(
      log.lines == [
        "+[2] -[1] u[] m[3→0] [\"d\", \"a\", \"x\", \"c\"]",
        "reset [\"d\", \"a\", \"x\", \"c\"]", "+[] -[0, 1, 2, 3] u[] m[] []",
        "+[0, 1] -[] u[] m[] [\"p\", \"p\"]",
      ])
  }

  @Test func elementsWithTheSameIdAreUpdated() {
    let books = CollectionProperty([Book(id: 1, title: "a"), Book(id: 2, title: "b")])
    let pages = CollectionProperty([Page(id: 1, text: "a"), Page(id: 2, text: "b")])
    let (ofBooks, ofPages) = (ChangeLog(books.map(\.title)), ChangeLog(pages.map(\.text)))
    books.replace(with: [Book(id: 2, title: "B"), Book(id: 1, title: "a")], performDiff: true)
    pages.replace(with: [Page(id: 1, text: "A"), Page(id: 3, text: "c")], performDiff: true)
    #expect(ofBooks.lines == ["+[] -[] u[1] m[1→0] [\"B\", \"a\"]"])
    #expect(ofPages.lines == ["+[1] -[1] u[0] m[] [\"A\", \"c\"]"])
  }

  /// An element that is compared by number, with a mark that distinguishes instances.
  private struct Marked: Hashable {
    let number: Int
    let mark: Character

    static func == (left: Marked, right: Marked) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// This holds for the collection and for earlier derived collections.
  @Test func equalElementsKeepTheOldInstance() {
    func marked(_ numbers: [Int], _ mark: Character) -> [Marked] {
      numbers.map { Marked(number: $0, mark: mark) }
    }
    let list = CollectionProperty(marked([1, 2, 3], "a"))
    let set = CollectionProperty(Set(marked([1, 2, 3], "a")))
    let dictionary = CollectionProperty([1: Marked(number: 1, mark: "a")])
    let sections = CollectionProperty(sections: [ListSection(0, marked([1, 2], "a"))])
    let texts = list.map { "\($0.number)\($0.mark)" }
    let validator = ListValidator(texts)
    list.replace(with: marked([3, 1, 4], "b"), performDiff: true)
    #expect(texts.value == ["3a", "1a", "4b"])
    list.batch {
      list.append(Marked(number: 5, mark: "c"))
      list.replace(with: marked([5, 4, 3, 6], "d"), performDiff: true)
    }
    #expect(texts.value == ["5c", "4b", "3a", "6d"] && validator.problems == [])
    #expect(list.value.map { "\($0.number)\($0.mark)" } == Array(texts.value))
    set.replace(with: marked([1, 4], "b"), performDiff: true)
    #expect(set.value.map { "\($0.number)\($0.mark)" }.sorted() == ["1a", "4b"])
    var changes: [SetChanges<Marked>?] = []
    set.observe { changes.append($0.changes) }
    set.batch {
      set.removeAll()
      set.formUnion(marked([1, 4], "z"))
    }
    #expect(set.value.map { "\($0.number)\($0.mark)" }.sorted() == ["1a", "4b"])
    #expect(changes.count == 1)
    dictionary.replace(with: [1: Marked(number: 1, mark: "b")], performDiff: true)
    #expect(dictionary[1]?.mark == "a")
    sections.replace(with: [ListSection(0, marked([2, 1, 3], "b"))], performDiff: true)
    #expect(sections[0].items.map { "\($0.number)\($0.mark)" } == ["2a", "1a", "3b"])
  }

  @Test func diffWithinABatchJoinsItsEvent() {
    let list = CollectionProperty([1, 2, 3])
    let log = ChangeLog(list)
    list.batch {
      list.append(4)
      list.replace(with: [3, 4, 1], performDiff: true)
      list.remove(at: 0)
    }
    list.batch {
      list.replace(with: [1, 4], performDiff: true)
      list.replace(with: [4, 1], performDiff: true)
    }
    list.batch {
      list.replace(with: [9])
      list.replace(with: [9, 8], performDiff: true)
    }
    #expect(
      log.lines == ["+[0] -[1, 2] u[] m[] [4, 1]", "reset [9, 8]"])
  }

  @Test func observerMayChangeTheList() {
    let list = CollectionProperty([1, 2, 3])
    let validators = [ListValidator(list), ListValidator(list.sorted())]
    list.observe { event in
      if event.collection.count < 6 {
        let backwards = event.collection.reversed() as [Int]
        list.replace(with: [event.collection.count] + backwards, performDiff: true)
      }
    }
    list.replace(with: [3, 1], performDiff: true)
    #expect(validators.flatMap(\.problems) == [] && list.count == 6)
  }

  /// Replaces a list by any other list, with duplicates. The batch may contain other edits.
  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let list = CollectionProperty<[Item]>()
    let books = CollectionProperty<[Book]>()
    let sorted = list.sorted { $0.value < $1.value }
    let validators = [ListValidator(list), ListValidator(sorted)]
    let ofBooks = ListValidator(books)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<400 {
      let target = CollectionProperty(list.map { $0 } as [Item])
      for _ in 0..<3 { edits.batch(on: target, longest: number % 20 == 0 ? 200 : 16) }
      list.batch {
        if number % 3 == 0 { edits.batch(on: list) }
        list.replace(with: target.value, performDiff: true)
        if number % 6 == 0 { list.replace(with: target.value, performDiff: true) }
      }
      let titles = target.value.map { Book(id: $0.number % 10, title: "\($0.value)") }
      books.batch {
        if number % 3 == 0 && !books.isEmpty { books.removeLast() }
        books.replace(with: titles, performDiff: true)
      }
      let isRight =
        list.value == target.value && Array(books.value) == titles
        && Array(sorted.value) == target.value.sorted { $0.value < $1.value }
      let problems = validators.flatMap(\.problems) + ofBooks.problems
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  @Test func replacesDictionariesAndSetsWithDiffs() {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39, "Molly": 7])
    let tags = CollectionProperty(Set([1, 2]))
    let (ofAges, ofTags) = (CollectionValidator(ages), CollectionValidator(tags))
    var updates: [SharedDictionary<String, Int>] = []
    ages.observe { updates.append($0.changes?.updates.mapValues(\.new) ?? [:]) }
    ages.replace(with: ["Jim": 34, "Bones": 39, "Ann": 1], performDiff: true)
    ages.replace(with: ["Jim": 34, "Bones": 39, "Ann": 1], performDiff: true)
    ages.batch {
      ages["Jim"] = nil
      ages.replace(with: ["Jim": 35], performDiff: true)
    }
    tags.replace(with: [2, 3], performDiff: true)
    tags.replace(with: [3, 2], performDiff: true)
    tags.replace(with: [4], performDiff: false)
    #expect(updates == [[:], ["Jim": 34], ["Jim": 35]])
    #expect(ages.value == ["Jim": 35] && tags.value == [4])
    #expect(ofAges.problems + ofTags.problems == [] && ofTags.eventCount == 3)
  }
}
