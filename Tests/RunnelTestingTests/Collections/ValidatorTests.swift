import RunnelTesting
import Testing

@testable import RunnelCollections

/// The problems that validators find.
@Suite struct ValidatorTests {
  private typealias Run = RunList.Run

  /// Returns the problems that a validator finds in a change of [1, 2, 3].
  private func problems(
    to after: [Int], of elements: [Int]? = nil, runs: [Run], gone: [OldElement<Int>] = [],
    replaced: [OldElement<Int>] = []
  ) -> [String] {
    let list = LiveCollection<[Int]>(ListEditor([1, 2, 3]))
    let validator = ListValidator(list)
    let changes = ManyChanges(
      SharedArray(elements ?? after), of: Arrangement(runs), gone: gone, replaced: replaced)
    list.core.events.next(
      CollectionEvent(SharedArray(after), .changes(ListChanges(.many(changes)))))
    #expect(validator.eventCount == 2 && validator.elements == after)
    return validator.problems
  }

  private func new(_ count: Int = 1) -> Run { Run(origin: Run.new, count: count) }
  private func kept(_ origins: Range<Int>) -> Run {
    Run(origin: origins.lowerBound, count: origins.count)
  }
  private func moved(_ origin: Int) -> Run { Run(origin: origin, count: 1, isMoved: true) }
  private func updated(_ origin: Int) -> Run { Run(origin: origin, count: 1, isUpdated: true) }

  @Test func validChangesHaveNoProblems() {
    #expect(problems(to: [1, 2, 3, 4], runs: [kept(0..<3), new()]) == [])
    #expect(
      problems(to: [1, 3], runs: [kept(0..<1), kept(2..<3)], gone: [OldElement(2, at: 1)]) == [])
    #expect(problems(to: [2, 1, 3], runs: [moved(1), kept(0..<1), kept(2..<3)]) == [])
    #expect(
      problems(
        to: [1, 9, 3], runs: [kept(0..<1), updated(1), kept(2..<3)],
        replaced: [OldElement(2, at: 1)]) == [])
  }

  @Test func problemsOfListsAreFound() {
    let updatesSecond = [kept(0..<1), updated(1), kept(2..<3)]
    let faults = [
      ("empty changeset", problems(to: [1, 2, 3], runs: [kept(0..<3)])),
      ("no update was reported", problems(to: [1, 2, 3, 4], runs: [new(), kept(0..<3)])),
      (
        "no update was reported",
        problems(
          to: [1, 9, 3], runs: [updated(0), kept(1..<3)], replaced: [OldElement(1, at: 0)])
      ),
      ("no update was reported", problems(to: [2, 1, 3], runs: [moved(2), kept(0..<2)])),
      ("do not add up", problems(to: [1, 2, 3, 4, 5], runs: [kept(0..<3), new()])),
      ("out of range", problems(to: [1, 2, 3, 4], runs: [kept(0..<4), new()])),
      (
        "twice",
        problems(to: [1, 2], runs: [moved(2), kept(0..<2)], gone: [OldElement(3, at: 2)])
      ),
      (
        "deleted and updated",
        problems(
          to: [1, 2], runs: [kept(0..<2), updated(2)], gone: [OldElement(3, at: 2)],
          replaced: [OldElement(3, at: 2)])
      ),
      (
        "differs from the previous list",
        problems(to: [1, 2], runs: [kept(0..<2)], gone: [OldElement(7, at: 2)])
      ),
      (
        "differs from the previous list",
        problems(to: [1, 9, 3], runs: updatesSecond, replaced: [OldElement(7, at: 1)])
      ),
      (
        "differs from that of the event",
        problems(to: [1, 2, 3, 4], of: [1, 2, 3, 5], runs: [kept(0..<3), new()])
      ),
    ]
    for (problem, found) in faults {
      #expect(found.contains { $0.contains(problem) }, "\(problem): \(found)")
    }
  }

  @Test func problemsOfSectionsAreFound() {
    typealias Section = ListSection<String, Int>
    typealias Changes = SectionChanges<String, Int>
    let before = [Section("A", [1]), Section("B", [2])]
    func problems(
      to after: [Section], headers: [Int] = [], items: [Changes.Items] = [], runs: [Run],
      replaced: [OldElement<Section>] = []
    ) -> [String] {
      let library = LiveCollection<Sections<String, Int>>(SectionEditor(SharedArray(before)))
      let validator = SectionValidator(library)
      let list = ManyChanges(
        SharedArray(after), of: Arrangement(runs), gone: [], replaced: replaced)
      let changes = Changes(
        headers: IndexRuns(ascending: headers), items: items, list: ListChanges(.many(list)))
      library.core.events.next(CollectionEvent(SharedArray(after), .changes(changes)))
      return validator.problems
    }
    func appended(at section: Int) -> Changes.Items {
      let changes = ManyChanges(
        [1, 9], of: [kept(0..<1), new()], gone: [], replaced: [])
      return .init(section: section, newSection: section, changes: ListChanges(.many(changes)))
    }
    let more = [Section("A", [1, 9]), Section("B", [2])]
    func problemsOfMore(
      headers: [Int] = [], items: [Changes.Items] = [], to after: [Section]? = nil,
      from old: Section? = nil
    ) -> [String] {
      problems(
        to: after ?? more, headers: headers, items: items, runs: [updated(0), kept(1..<2)],
        replaced: [OldElement(old ?? before[0], at: 0)])
    }
    #expect(problemsOfMore(items: [appended(at: 0)]) == [])
    let faults: [(String, [String])] = [
      ("empty changeset", problems(to: before, runs: [kept(0..<2)])),
      ("no change was reported", problemsOfMore(headers: [0])),
      ("of section 0 have changed", problemsOfMore(items: [appended(at: 1)])),
      ("reported twice", problemsOfMore(items: [appended(at: 0), appended(at: 0)])),
      (
        "header of section 0",
        problemsOfMore(items: [appended(at: 0)], to: [Section("C", [1, 9]), before[1]])
      ),
      (
        "differ from the previous sections",
        problemsOfMore(items: [appended(at: 0)], from: before[1])
      ),
    ]
    for (problem, found) in faults {
      #expect(found.contains { $0.contains(problem) }, "\(problem): \(found)")
    }
  }

  @Test func problemsOfDictionariesAndSetsAreFound() {
    let ages = LiveCollection<[String: Int]>(DictionaryEditor(["Jim": 33]))
    let validator = CollectionValidator(ages)
    func send(_ changes: DictionaryChanges<String, Int>, _ after: SharedDictionary<String, Int>) {
      ages.core.events.next(CollectionEvent(after, .changes(changes)))
    }
    send(
      DictionaryChanges(inserts: ["Bones": 39], updates: [:], deletes: [:]),
      ["Jim": 33, "Bones": 39])
    #expect(validator.problems == [])
    send(
      DictionaryChanges(inserts: ["Bones": 40], updates: [:], deletes: [:]),
      ["Jim": 33, "Bones": 39])
    send(DictionaryChanges(inserts: [:], updates: [:], deletes: [:]), ["Jim": 33, "Bones": 39])
    send(DictionaryChanges(inserts: [:], updates: [:], deletes: ["Jim": 34]), ["Bones": 39])
    #expect(validator.problems.count == 4 && validator.elements == ["Bones": 39])

    let tags = LiveCollection<Set<Int>>(SetEditor([1]))
    let ofTags = CollectionValidator(tags)
    tags.core.events.next(CollectionEvent([1, 2], .changes(.init(inserts: [2], deletes: []))))
    #expect(ofTags.problems == [] && ofTags.eventCount == 2)
    tags.core.events.next(CollectionEvent([1, 2], .changes(.init(inserts: [2], deletes: [1]))))
    #expect(ofTags.problems.count == 2)
  }
}
