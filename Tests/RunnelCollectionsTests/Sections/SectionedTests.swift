import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SectionedTests {
  @Test func hasASectionForEachKey() {
    let words = CollectionProperty(["kiwi", "fig", "plum", "pear", "date", "lime"])
    let byLength = words.sectioned { $0.count }
    #expect(byLength.value.map(\.header) == [3, 4])
    #expect(Array(byLength[1].items) == ["kiwi", "plum", "pear", "date", "lime"])
    let longestFirst = words.sectioned(by: { $0.count }, sortedBy: >)
    #expect(longestFirst.value.map(\.header) == [4, 3])
  }

  @Test func sectionsAppearAndVanishWithElements() throws {
    let words = CollectionProperty(["fig", "kiwi"])
    let byLength = words.sectioned { $0.count }
    let validator = SectionValidator(byLength)
    var last: SectionChanges<Int, String>?
    byLength.observe { last = $0.changes }
    words.append("banana")
    #expect(Array(try #require(last).inserts) == [2] && last?.items.isEmpty == true)
    words.remove(at: 0)
    #expect(Array(try #require(last).deletes) == [0])
    words[1] = "plum"
    #expect(Array(try #require(last).deletes) == [1])
    #expect(last?.items.map(\.section) == [0])
    #expect(byLength.value.map { Array($0.items) } == [["kiwi", "plum"]])
    words.removeAll()
    #expect(byLength.isEmpty && validator.problems == [])
  }

  @Test func updateWithinASectionIsReportedOnce() throws {
    let words = CollectionProperty(["fig", "kiwi", "plum"])
    let byLength = words.sectioned { $0.count }
    var last: SectionChanges<Int, String>?
    byLength.observe { last = $0.changes }
    words[2] = "lime"
    #expect(Array(try #require(last?.items.first).changes.updates) == [1])
    words.move(from: 2, to: 0)
    #expect(try #require(last?.items.first).changes.moves == [ListMove(from: 1, to: 0)])
    #expect(Array(byLength[1].items) == ["lime", "kiwi"])
    last = nil
    words.move(from: 0, to: 1)
    #expect(last == nil)
  }

  @Test func keyClosureRunsOncePerElement() {
    var asked = 0
    let numbers = CollectionProperty(Array(0..<100_000))
    let sections = numbers.sectioned { number in
      asked += 1
      return number % 100
    }
    let validator = SectionValidator(sections)
    #expect(asked == 100_000)
    numbers.insert(7, at: 50_000)
    numbers.move(from: 99_999, to: 0)
    numbers.remove(at: 70_000)
    #expect(asked == 100_001)
    #expect(sections[7].items.count == 1_001)
    #expect(validator.problems == [])
  }

  @Test(arguments: seeds(5)) func randomBatchesAreSound(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let sections = source.sectioned { $0.value }
    let backwards = source.filter { $0.value % 3 != 0 }.sectioned(by: { $0.value }, sortedBy: >)
    let validators = [
      SectionValidator(sections), SectionValidator(sections), SectionValidator(backwards),
    ]
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<300 {
      edits.batch(on: source, longest: number % 10 == 0 ? 200 : 12)
      let all = Array(source.value)
      let expected = Dictionary(grouping: all) { $0.value }.sorted { $0.key < $1.key }
      #expect(
        Array(sections.value) == expected.map { ListSection($0.key, $0.value) },
        "seed \(seed), batch \(number)")
      #expect(
        Array(backwards.value)
          == expected.filter { $0.key % 3 != 0 }.reversed().map { ListSection($0.key, $0.value) },
        "seed \(seed), batch \(number)")
      #expect(validators.flatMap(\.problems) == [], "seed \(seed), batch \(number)")
      #expect(validators[0].eventCount == validators[1].eventCount)
      if !validators.flatMap(\.problems).isEmpty { return }
    }
  }

  @Test func observerMayChangeTheSource() {
    let words = CollectionProperty(["fig"])
    let byLength = words.sectioned { $0.count }
    let validator = SectionValidator(byLength)
    byLength.observe { event in
      let count = event.collection.count
      if count < 3 { words.append(String(repeating: "x", count: count)) }
    }
    #expect(byLength.value.map { Array($0.items) } == [["x"], ["xx"], ["fig"]])
    #expect(validator.sections == Array(byLength.value))
    #expect(validator.problems == [])
  }

  /// An inconsistent order of keys yields an unspecified order.
  @Test(arguments: seeds(5)) func inconsistentOrderIsTolerated(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let source = CollectionProperty<[Item]>()
    let sections = source.sectioned(
      by: { $0.value }, sortedBy: { _, _ in Bool.random(using: &random) })
    let validator = SectionValidator(sections)
    var edits = RandomEdits(seed: UInt64(seed))
    for _ in 0..<100 {
      edits.batch(on: source)
      #expect(sections.value.reduce(0) { $0 + $1.items.count } == source.count, "seed \(seed)")
    }
    #expect(validator.problems == [], "seed \(seed)")
  }

  /// A key that is not equal to itself has a section for each of its elements, which is deleted
  /// with the element.
  @Test(arguments: seeds(5)) func keysUnequalToThemselvesLeaveNoSections(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let sections = source.sectioned { $0.value % 2 == 0 ? Double.nan : Double($0.value) }
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<200 {
      edits.batch(on: source)
      let unlike = sections.value.filter { $0.header.isNaN }
      #expect(unlike.allSatisfy { $0.items.count == 1 }, "seed \(seed), batch \(number)")
      #expect(
        unlike.count == source.value.filter { $0.value % 2 == 0 }.count,
        "seed \(seed), batch \(number)")
      #expect(sections.value.reduce(0) { $0 + $1.items.count } == source.count, "seed \(seed)")
    }
  }
}
