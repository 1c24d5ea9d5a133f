import RunnelTesting
import Testing

@testable import RunnelCollections

/// The validators find what is wrong.
@Suite struct ValidatorTests {
  private typealias Edits = ManyEdits<Int>

  /// What a validator says of a change of [1, 2, 3].
  private func problems(
    to after: [Int], of elements: [Int]? = nil, _ note: (inout Edits) -> Void
  ) -> [String] {
    let list = LiveCollection<[Int]>(ListEditor([1, 2, 3]))
    let validator = ListValidator(list)
    var edits = Edits()
    note(&edits)
    let changes = ListChanges(.many(ManyChanges(edits, of: SharedArray(elements ?? after))))
    list.core.events.next(CollectionEvent(SharedArray(after), .changes(changes)))
    #expect(validator.eventCount == 2 && validator.elements == after)
    return validator.problems
  }

  @Test func whatIsRightIsRight() {
    #expect(problems(to: [1, 2, 3, 4]) { $0.inserts.append(3..<4) } == [])
    #expect(
      problems(to: [1, 3]) { edits in
        edits.deletes.append(1..<2)
        edits.deleted = [2]
      } == [])
    #expect(problems(to: [2, 1, 3]) { $0.moves = [ListMove(from: 1, to: 0)] } == [])
    #expect(problems(to: [1, 9, 3]) { $0.update(1, from: 2, at: 1) } == [])
  }

  @Test func faultsOfListsAreFound() {
    let faults: [(after: [Int], of: [Int]?, problem: String, note: (inout Edits) -> Void)] = [
      ([1, 2, 3], nil, "says nothing", { _ in }),
      ([1, 2, 3, 4], nil, "become", { $0.inserts.append(0..<1) }),
      ([1, 9, 3], nil, "become", { $0.update(0, from: 1, at: 0) }),
      ([2, 1, 3], nil, "become", { $0.moves = [ListMove(from: 2, to: 0)] }),
      ([1, 2, 3, 4, 5], nil, "do not add up", { $0.inserts.append(3..<4) }),
      ([1, 2, 3, 4], nil, "out of range", { $0.inserts.append(4..<5) }),
      (
        [1, 2], nil, "twice",
        { edits in
          edits.deletes.append(2..<3)
          edits.deleted = [3]
          edits.moves = [ListMove(from: 2, to: 0)]
        }
      ),
      (
        [1, 2], nil, "deleted is updated",
        { edits in
          edits.deletes.append(2..<3)
          edits.deleted = [3]
          edits.update(2, from: 3, at: 1)
        }
      ),
      (
        [1, 2], nil, "Taken back",
        { edits in
          edits.deletes.append(2..<3)
          edits.deleted = [7]
        }
      ),
      ([1, 9, 3], nil, "Taken back", { $0.update(1, from: 7, at: 1) }),
      ([1, 2, 3, 4], [1, 2, 3, 5], "another list than the event", { $0.inserts.append(3..<4) }),
    ]
    for fault in faults {
      let problems = problems(to: fault.after, of: fault.of, fault.note)
      #expect(problems.contains { $0.contains(fault.problem) }, "\(fault.problem): \(problems)")
    }
  }

  @Test func faultsOfSectionsAreFound() {
    typealias Section = ListSection<String, Int>
    typealias Changes = SectionChanges<String, Int>
    let before = [Section("A", [1]), Section("B", [2])]
    func problems(
      to after: [Section], headers: [Int] = [], items: [Changes.Items] = [],
      _ note: (inout ManyEdits<Section>) -> Void
    ) -> [String] {
      let library = LiveCollection<Sections<String, Int>>(SectionEditor(SharedArray(before)))
      let validator = SectionValidator(library)
      var edits = ManyEdits<Section>()
      note(&edits)
      let changes = Changes(
        headers: IndexRuns(ascending: headers), items: items,
        list: ListChanges(.many(ManyChanges(edits, of: SharedArray(after)))))
      library.core.events.next(CollectionEvent(SharedArray(after), .changes(changes)))
      return validator.problems
    }
    func appended(at section: Int) -> Changes.Items {
      var edits = Edits()
      edits.inserts.append(1..<2)
      let changes = ListChanges(.many(ManyChanges(edits, of: [1, 9])))
      return .init(section: section, newSection: section, changes: changes)
    }
    let more = [Section("A", [1, 9]), Section("B", [2])]
    let update: (inout ManyEdits<Section>) -> Void = { $0.update(0, from: before[0], at: 0) }
    #expect(problems(to: more, items: [appended(at: 0)], update) == [])
    let faults: [(String, [String])] = [
      ("says nothing", problems(to: before) { _ in }),
      ("have changed without a word", problems(to: more, headers: [0], update)),
      ("of section 0 have changed", problems(to: more, items: [appended(at: 1)], update)),
      (
        "told twice", problems(to: more, items: [appended(at: 0), appended(at: 0)], update)
      ),
      (
        "header of section 0",
        problems(to: [Section("C", [1, 9]), before[1]], items: [appended(at: 0)], update)
      ),
      (
        "were others",
        problems(to: more, items: [appended(at: 0)]) { $0.update(0, from: before[1], at: 0) }
      ),
    ]
    for (problem, found) in faults {
      #expect(found.contains { $0.contains(problem) }, "\(problem): \(found)")
    }
  }

  @Test func faultsOfDictionariesAndSetsAreFound() {
    let ages = LiveCollection<[String: Int]>(KeyedEditor(["Jim": 33]))
    let validator = CollectionValidator(ages)
    func tell(_ changes: KeyedChanges<String, Int>, _ after: SharedDictionary<String, Int>) {
      ages.core.events.next(CollectionEvent(after, .changes(changes)))
    }
    tell(
      KeyedChanges(inserts: ["Bones": 39], updates: [:], deletes: [:]), ["Jim": 33, "Bones": 39])
    #expect(validator.problems == [])
    tell(
      KeyedChanges(inserts: ["Bones": 40], updates: [:], deletes: [:]), ["Jim": 33, "Bones": 39])
    tell(KeyedChanges(inserts: [:], updates: [:], deletes: [:]), ["Jim": 33, "Bones": 39])
    tell(KeyedChanges(inserts: [:], updates: [:], deletes: ["Jim": 34]), ["Bones": 39])
    #expect(validator.problems.count == 4 && validator.elements == ["Bones": 39])

    let tags = LiveCollection<Set<Int>>(MemberEditor([1]))
    let ofTags = CollectionValidator(tags)
    tags.core.events.next(CollectionEvent([1, 2], .changes(.init(inserts: [2], deletes: []))))
    #expect(ofTags.problems == [] && ofTags.eventCount == 2)
    tags.core.events.next(CollectionEvent([1, 2], .changes(.init(inserts: [2], deletes: [1]))))
    #expect(ofTags.problems.count == 2)
  }
}
