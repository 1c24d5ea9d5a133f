import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SectionPropertyTests {
  fileprivate typealias Library = CollectionProperty<Sections<String, Int>>

  fileprivate func library() -> Library {
    CollectionProperty(sections: [
      ListSection("A", [1, 2]), ListSection("B", []), ListSection("C", [3]),
    ])
  }

  @Test func readsBySectionAndPath() {
    let library = library()
    #expect(library.count == 3 && !library.isEmpty)
    #expect(library[0].header == "A")
    #expect(Array(library[0].items) == [1, 2])
    #expect(library[ItemPath(section: 2, item: 0)] == 3)
    #expect("\(ItemPath(section: 2, item: 0))" == "2.0")
  }

  @Test func reportsItemChangesBySection() throws {
    let library = library()
    var events: [CollectionEvent<Sections<String, Int>>] = []
    library.observe { events.append($0) }
    let validator = SectionValidator(library)
    library.append(4, toSection: 1)
    library[ItemPath(section: 0, item: 1)] = 9
    #expect(library.remove(at: ItemPath(section: 0, item: 0)) == 1)
    library.insert(7, at: ItemPath(section: 0, item: 0))
    library.move(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 1))
    #expect(events.count == 6)
    let items = try #require(events[1].changes?.items.first)
    #expect(items.section == 1 && items.newSection == 1)
    #expect(Array(items.changes.inserts) == [0])
    #expect(Array(try #require(events[2].changes?.items.first).changes.updates) == [1])
    #expect(try #require(events[5].changes?.items.first).changes.moves.count == 1)
    #expect(Array(library[0].items) == [9, 7])
    #expect(validator.problems == [])
  }

  @Test func headerChangeIsReportedOnce() {
    let library = library()
    var headers: [[Int]] = []
    library.observe { event in
      if let changes = event.changes { headers.append(Array(changes.headers)) }
    }
    library.setHeader("Z", ofSection: 0)
    library.append(4, toSection: 0)
    #expect(headers == [[0], []])
  }

  @Test func inverseIndicesAreAscending() throws {
    let library = library()
    var changes: SectionChanges<String, Int>?
    library.observe { changes = $0.changes }
    library.batch {
      for section in 0..<3 {
        library.setHeader("\(section)", ofSection: section)
        library.append(9, toSection: section)
      }
      library.moveSection(from: 0, to: 2)
    }
    let inverse = try #require(changes?.inverse)
    #expect(Array(inverse.headers) == [0, 1, 2])
    #expect(inverse.items.map(\.section) == [0, 1, 2])
  }

  @Test func moveToItselfOutOfRangeTraps() async {
    await #expect(processExitsWith: .failure) {
      let library = CollectionProperty(sections: [ListSection("A", [1])])
      library.move(from: ItemPath(section: 0, item: 5), to: ItemPath(section: 0, item: 5))
    }
  }

  @Test func stepsUseIndicesOfTheCurrentSections() {
    let library = library()
    var steps: [SectionStep<String, Int>] = []
    library.observe { steps += $0.changes?.steps ?? [] }
    library.batch {
      library.setHeader("Z", ofSection: 2)
      library.append(contentsOf: [8, 9], toSection: 2)
      library.moveSection(from: 2, to: 0)
      library.removeSection(at: 2)
      library.append(ListSection("new", [5]))
    }
    #expect(
      steps == [
        .header(2, "Z"), .items(section: 2, .insert(1, [8, 9])), .delete(1..<2),
        .move(from: 1, to: 0), .insert(2, [ListSection("new", [5])]),
      ])
  }

  /// Items with ids: one that is hashable, and one that is equatable only.
  private struct Page: Identifiable, Hashable {
    let id: Int
    var text: String
  }

  private struct Book: Identifiable, Equatable {
    let id: Int
    var text: String
  }

  @Test func itemsWithTheSameIdAreUpdated() throws {
    let pages = CollectionProperty(sections: [ListSection("A", [Page(id: 1, text: "a")])])
    let books = CollectionProperty(sections: [ListSection("A", [Book(id: 1, text: "a")])])
    let validator = SectionValidator(pages)
    var updates: [[Int]] = []
    pages.observe { updates += $0.changes?.items.map { Array($0.changes.updates) } ?? [] }
    books.observe { updates += $0.changes?.items.map { Array($0.changes.updates) } ?? [] }
    pages.replace(
      with: [ListSection("A", [Page(id: 2, text: "b"), Page(id: 1, text: "A")])],
      performDiff: true)
    books.replace(
      with: [ListSection("A", [Book(id: 2, text: "b"), Book(id: 1, text: "A")])],
      performDiff: true)
    #expect(updates == [[0], [0]] && validator.problems == [])
    #expect(books[0].items.map(\.text) == ["b", "A"])
  }

  @Test func batchAcrossSectionsSendsOneEvent() throws {
    let library = library()
    let validator = SectionValidator(library)
    var last: SectionChanges<String, Int>?
    library.observe { last = $0.changes }
    library.batch {
      library.move(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 2, item: 1))
      library.moveSection(from: 2, to: 0)
      library.setHeader("Z", ofSection: 0)
      library.insert(ListSection("new", [5]), at: 1)
      library.append(6, toSection: 1)
      library.removeSection(at: 3)
    }
    let changes = try #require(last)
    #expect(changes.moves == [ListMove(from: 2, to: 0)])
    #expect(Array(changes.headers) == [2])
    #expect(Array(changes.inserts) == [1] && Array(changes.deletes) == [1])
    #expect(changes.items.map(\.section) == [0, 2])
    #expect(changes.items.map(\.newSection) == [2, 0])
    #expect(Array(library.value).map(\.header) == ["Z", "new", "A"])
    #expect(Array(library[0].items) == [3, 1] && Array(library[1].items) == [5, 6])
    #expect(validator.problems == [])
    #expect(validator.eventCount == 2)
  }

  @Test func ineffectiveBatchSendsNothing() {
    let library = library()
    let validator = SectionValidator(library)
    library.batch {}
    library.batch {
      library.append(8, toSection: 0)
      library.remove(at: ItemPath(section: 0, item: 2))
    }
    library.batch {
      library.insert(ListSection("gone", [1]), at: 0)
      library.append(8, toSection: 0)
      library.removeSection(at: 0)
    }
    library.batch {
      library.moveSection(from: 0, to: 2)
      library.moveSection(from: 2, to: 0)
    }
    #expect(validator.eventCount == 1)
    library.append(8, toSection: 0)
    #expect(validator.eventCount == 2 && validator.problems == [])
  }

  @Test func replacingSendsAReset() {
    let library = library()
    var resets = 0
    library.observe { if case .reset = $0.change { resets += 1 } }
    let validator = SectionValidator(library)
    library.batch {
      library.append(8, toSection: 0)
      library.replace(with: [ListSection("only", [1])])
      library.append(2, toSection: 0)
    }
    #expect(resets == 1)
    #expect(Array(library[0].items) == [1, 2])
    library.append(3, toSection: 0)
    library.removeAll()
    #expect(library.isEmpty && validator.problems == [])
  }

  @Test func replacingWithADiffReportsDifferences() throws {
    let library = library()
    let validator = SectionValidator(library)
    var last: SectionChanges<String, Int>?
    library.observe { last = $0.changes }
    library.replace(
      with: [
        ListSection("C", [3, 4]), ListSection("new", [1]), ListSection("A", [2, 1]),
      ], performDiff: true)
    let changes = try #require(last)
    #expect(Array(changes.inserts) == [1] && Array(changes.deletes) == [1])
    #expect(changes.moves.count == 1 && changes.headers.isEmpty)
    #expect(changes.items.map(\.section) == [0, 2])
    #expect(changes.items.map(\.changes.moves.count) == [1, 0])
    library.replace(with: Array(library.value), performDiff: true)
    #expect(validator.eventCount == 2)
    library.replace(with: [ListSection("A", [1])], performDiff: false)
    #expect(validator.problems == [])
  }

  /// Random sections with a diff, alone and within batches, including duplicate headers.
  @Test(arguments: seeds(3)) func diffsAreSound(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let library = Library(sections: [])
    let validator = SectionValidator(library)
    for _ in 0..<200 {
      let sections = (0..<number(below: 6)).map { _ in
        ListSection("\(number(below: 6))", (0..<number(below: 5)).map { _ in number(below: 6) })
      }
      library.batch {
        if number(below: 3) == 0 { library.append(ListSection("x", [1])) }
        if number(below: 3) == 0, !library.isEmpty { library.append(7, toSection: 0) }
        library.replace(with: sections, performDiff: true)
        if number(below: 3) == 0, !library.isEmpty { library.append(8, toSection: 0) }
      }
      #expect(validator.problems == [], "seed \(seed)")
      #expect(validator.sections == Array(library.value), "seed \(seed)")
      if !validator.problems.isEmpty { return }
    }
  }

  @Test func observerMayChangeTheSections() {
    let library = library()
    var counts: [[Int]] = []
    library.observe { event in
      if event.collection[1].items.count < 3 { library.append(0, toSection: 1) }
    }
    let validator = SectionValidator(library)
    library.observe { counts.append($0.collection.map(\.items.count)) }
    library.append(4, toSection: 0)
    #expect(library[1].items.count == 3)
    #expect(counts.last == [3, 3, 1])
    #expect(validator.problems == [])
  }

  @Test func remoteChangesSendOneEvent() {
    let home = ManualContext()
    home.use {
      let library = library()
      let validator = SectionValidator(library)
      let remote = library.remote
      remote.send { library in library.batch { library.append(1, toSection: 2) } }
      home.run()
      #expect(Array(library[2].items) == [3, 1])
      #expect(validator.eventCount == 2 && validator.problems == [])
    }
  }

  @Test func updateAmongManyItemsIsCheap() {
    let sections = (0..<1_000).map { ListSection($0, 0..<1_000) }
    let library = CollectionProperty(sections: sections)
    var insertCount = 0
    var snapshots: [SharedArray<ListSection<Int, Int>>] = []
    library.observe { event in
      insertCount += event.changes?.items.reduce(0) { $0 + $1.changes.inserts.count } ?? 0
      snapshots.append(event.collection)
    }
    for number in 0..<1_000 { library.append(number, toSection: number) }
    #expect(insertCount == 1_000)
    #expect(snapshots[500][499].items.count == 1_001 && snapshots[500][500].items.count == 1_000)
  }

  @Test(arguments: seeds(3)) func randomBatchesAreSound(_ seed: Int) {
    let library = Library(sections: [])
    let validator = SectionValidator(library)
    var edits = RandomSectionEdits(seed: UInt64(seed))
    for number in 0..<1_000 {
      edits.batch(on: library)
      #expect(validator.problems == [], "seed \(seed), batch \(number)")
      #expect(validator.sections == Array(library.value), "seed \(seed), batch \(number)")
      if !validator.problems.isEmpty { return }
    }
  }
}

extension SectionPropertyTests {
  /// Each change can be applied to other sections, undone there and applied again. Bound
  /// collections receive it as a change too.
  @Test(arguments: seeds(3)) func changesApplyToOtherSectionsAndBack(_ seed: Int) {
    let library = Library(sections: [])
    let (other, bound) = (Library(sections: []), Library(sections: []))
    let validators = [SectionValidator(other), SectionValidator(bound)]
    var last: CollectionEvent<Sections<String, Int>>?
    var resets = 0
    library.observe { last = $0 }
    library.bind(to: bound)
    bound.observe { if $0.changes == nil { resets += 1 } }
    var edits = RandomSectionEdits(seed: UInt64(seed))
    for number in 0..<500 {
      let before = Array(other.value)
      edits.batch(on: library)
      guard let event = last.take() else { continue }
      if let changes = event.changes {
        other.apply(changes)
        let after = Array(other.value)
        other.apply(changes.inverse)
        #expect(Array(other.value) == before, "seed \(seed), batch \(number)")
        other.apply(changes)
        #expect(Array(other.value) == after, "seed \(seed), batch \(number)")
      } else {
        other.replace(with: event.collection)
        resets -= 1
      }
      let isRight = other.value == library.value && bound.value == library.value
      let problems = validators.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
    #expect(resets <= 1, "Changes came as resets: seed \(seed).")
  }

  @Test func iteratesOverSections() {
    var headers: [String] = []
    for section in library() { headers.append(section.header) }
    #expect(headers == ["A", "B", "C"])
  }
}

/// A generator of random edits of sections, with every available operation.
private struct RandomSectionEdits {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func section() -> ListSection<String, Int> {
    ListSection("\(number(4))", (0..<number(4)).map { _ in number(10) })
  }

  mutating func batch(on library: CollectionProperty<Sections<String, Int>>, depth: Int = 0) {
    library.batch {
      for _ in 0..<number(7) {
        if depth < 2 && number(8) == 0 {
          batch(on: library, depth: depth + 1)
        } else {
          operation(on: library)
        }
      }
    }
  }

  private mutating func operation(on library: CollectionProperty<Sections<String, Int>>) {
    guard !library.isEmpty else { return library.append(section()) }
    let index = number(library.count)
    let other = number(library.count)
    let count = library[index].items.count
    let otherCount = library[other].items.count
    switch number(16) {
    case 0 where library.count < 6: library.insert(section(), at: index)
    case 1: library.removeSection(at: index)
    case 2, 3: library.moveSection(from: index, to: other)
    case 4: library.setHeader("\(number(4))", ofSection: index)
    case 5 where number(10) == 0: library.removeAll()
    case 6 where number(10) == 0: library.replace(with: [section(), section(), section()])
    case 7, 8: library.insert(number(10), at: ItemPath(section: index, item: number(count + 1)))
    case 9 where count > 0: library.remove(at: ItemPath(section: index, item: number(count)))
    case 10 where count > 0: library[ItemPath(section: index, item: number(count))] = number(10)
    case 11, 12:
      guard count > 0 else { return }
      let there = index == other ? count : otherCount + 1
      library.move(
        from: ItemPath(section: index, item: number(count)),
        to: ItemPath(section: other, item: number(there)))
    case 13:
      let start = number(count + 1)
      library.replaceItems(start..<count, ofSection: index, with: [number(10), number(10)])
    default: library.append(number(10), toSection: index)
    }
  }
}
