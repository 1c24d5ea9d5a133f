import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct CollectionBindingTests {
  @Test func boundListFollowsItsSource() {
    let list = CollectionProperty(["a", "b"])
    let copy = CollectionProperty(["x"])
    let validator = ListValidator(copy)
    let binding = list.bind(to: copy)
    list.batch {
      list.append("c")
      list.move(from: 0, to: 2)
    }
    #expect(Array(copy.value) == ["b", "c", "a"])
    // The initial event, the reset of the binding, and one change.
    #expect(validator.eventCount == 3)
    copy.append("mine")
    list.remove(at: 0)
    #expect(Array(copy.value) == ["c", "a"])
    binding.dispose()
    list.removeAll()
    #expect(Array(copy.value) == ["c", "a"])
    #expect(validator.problems == [])
  }

  @Test func streamResetsABoundList() {
    let answers = PushStream<[Int]>()
    let list = CollectionProperty([0])
    let sorted = list.sorted()
    let validator = ListValidator(sorted)
    let binding = answers.bind(to: list)
    #expect(Array(list.value) == [0])
    answers.next([3, 1, 2])
    list.append(0)
    #expect(Array(sorted.value) == [0, 1, 2, 3])
    answers.next([])
    #expect(sorted.isEmpty)
    binding.dispose()
    answers.next([4])
    #expect(list.isEmpty && !answers.isObserved)
    #expect(validator.problems == [])
  }

  @Test func streamDoesNotRetainABoundList() {
    let answers = PushStream<[Int]>()
    do {
      let list = CollectionProperty<[Int]>()
      answers.bind(to: list)
      #expect(answers.isObserved)
    }
    #expect(!answers.isObserved)
    var list: CollectionProperty<[Int]>? = CollectionProperty()
    let odd = list?.filter { $0 % 2 == 1 }
    if let list { answers.bind(to: list) }
    list = nil
    answers.next([1, 2, 3])
    #expect(odd.map { Array($0) } == [1, 3])
  }

  @Test func twoListsMayBeBoundToEachOther() {
    let one = CollectionProperty([1, 2])
    let other = CollectionProperty([3])
    one.bind(to: one)
    one.bind(to: other)
    other.bind(to: one)
    let validators = [ListValidator(one), ListValidator(other)]
    one.append(3)
    other.batch {
      other.remove(at: 0)
      other.move(from: 1, to: 0)
    }
    one[0] = 7
    other.replace(with: [4, 5])
    one.removeLast()
    #expect(Array(one.value) == [4] && Array(other.value) == [4])
    #expect(validators.flatMap(\.problems) == [])
    #expect(validators.map(\.eventCount) == [6, 6])
  }

  @Test func bindingEndsWithItsTarget() {
    let list = CollectionProperty([1])
    do {
      let copy = CollectionProperty<[Int]>()
      list.bind(to: copy)
    }
    #expect(!list.isObserved)
  }

  @Test func boundDictionariesAndSetsFollow() {
    let ages = CollectionProperty(["Jim": 33])
    let tags = CollectionProperty(Set([1]))
    let (ageCopy, tagCopy) = (CollectionProperty<[String: Int]>(), CollectionProperty<Set<Int>>())
    let (check, ofTags) = (CollectionValidator(ageCopy), CollectionValidator(tagCopy))
    ages.bind(to: ageCopy)
    ageCopy.bind(to: ages)
    tags.bind(to: tagCopy)
    ages["Bones"] = 39
    ageCopy["Jim"] = nil
    #expect(ages.value == ["Bones": 39] && ageCopy.value == ages.value)
    // The initial events, the resets of the bindings, and the changes.
    #expect(check.eventCount == 4)
    tags.formUnion([2, 3])
    tagCopy.insert(9)
    #expect(tagCopy.value == [1, 2, 3, 9])
    tags.remove(1)
    #expect(tagCopy.value == [2, 3])
    tags.remove(2)
    #expect(tagCopy.value == [3] && check.problems + ofTags.problems == [])
    #expect(ofTags.eventCount == 6)
  }

  // MARK: - Reentrancy

  /// A change by an observer, before the binding receives the first one, is part of the same event.
  @Test func observerChangeJoinsTheEvent() {
    let list = CollectionProperty([1])
    let copy = CollectionProperty<[Int]>()
    list.observe { if $0.collection.count == 2 { list.append(3) } }
    list.bind(to: copy)
    var inserts: [[Int]] = []
    copy.observe { inserts.append($0.changes.map { Array($0.inserts) } ?? []) }
    list.append(2)
    #expect(Array(copy.value) == [1, 2, 3] && inserts == [[], [1, 2]])
  }

  /// The same for changes that are undone at once, so that no other event follows.
  @Test func undoneObserverChangeIsNotBound() {
    let list = CollectionProperty([1])
    let copy = CollectionProperty<[Int]>()
    let validator = ListValidator(copy)
    list.observe { event in
      guard event.collection.count == 2 else { return }
      list.batch {
        list.append(3)
        list.removeLast()
      }
    }
    list.bind(to: copy)
    copy.bind(to: list)
    list.batch {
      list.append(2)
      list.observe { _ in }
      list.append(7)
      list.removeLast()
    }
    #expect(Array(list.value) == [1, 2] && Array(copy.value) == [1, 2])
    list.append(5)
    #expect(Array(copy.value) == [1, 2, 5] && validator.problems == [])
  }

  /// Edits that arrive during a batch and are undone in it are undone in all bound collections.
  @Test func batchUndoingABoundChangeIsPropagated() {
    let (list, copy) = (CollectionProperty([1]), CollectionProperty<[Int]>())
    list.bind(to: copy)
    copy.bind(to: list)
    let validators = [ListValidator(list), ListValidator(copy)]
    copy.batch {
      list.append(2)
      #expect(Array(copy.value) == [1, 2])
      copy.removeLast()
    }
    #expect(Array(list.value) == [1] && Array(copy.value) == [1])
    #expect(validators.flatMap(\.problems) == [])
  }

  /// The same for collections that are empty for a moment, since empty collections are identical.
  @Test func batchRestoringElementsIsPropagated() {
    let (tags, copy) = (CollectionProperty(Set([1])), CollectionProperty<Set<Int>>())
    let (list, listCopy) = (CollectionProperty([1]), CollectionProperty<[Int]>())
    tags.bind(to: copy)
    copy.bind(to: tags)
    list.bind(to: listCopy)
    listCopy.bind(to: list)
    let validators = [CollectionValidator(tags), CollectionValidator(copy)]
    copy.batch {
      copy.remove(1)
      tags.remove(1)
      copy.insert(1)
    }
    listCopy.batch {
      listCopy.removeAll()
      list.removeAll()
      listCopy.append(1)
    }
    #expect(tags.value == [1] && copy.value == [1])
    #expect(Array(list.value) == [1] && Array(listCopy.value) == [1])
    #expect(validators.flatMap(\.problems) == [])
  }

  private struct Tag: Hashable {
    let id: Int
    let name: String

    static func == (one: Tag, other: Tag) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// One of two equal members or keys is removed and the other one inserted, in the same event.
  @Test func boundCollectionsKeepTheSameInstances() {
    let (old, new) = (Tag(id: 1, name: "old"), Tag(id: 1, name: "new"))
    let tags = CollectionProperty(Set([old]))
    tags.observe { if $0.collection.isEmpty { tags.insert(new) } }
    let copy = CollectionProperty<Set<Tag>>()
    tags.bind(to: copy)
    let members = copy.members
    tags.remove(old)
    #expect(copy.value.map(\.name) == tags.value.map(\.name))
    #expect(members.value.map(\.name) == copy.value.map(\.name))

    let pages = CollectionProperty([old: 1])
    let otherPages = CollectionProperty<[Tag: Int]>()
    pages.bind(to: otherPages)
    let keys = otherPages.keys
    otherPages.batch {
      pages[old] = nil
      pages[new] = 2
    }
    #expect(otherPages.value.map(\.key.name) == pages.value.map(\.key.name))
    #expect(keys.value.map(\.name) == otherPages.value.map(\.key.name))
  }

  private func areEqual(_ lists: [CollectionProperty<[Item]>]) -> Bool {
    lists.allSatisfy { $0.value == lists[0].value }
  }

  /// Collections bound in a circle come to rest, although observers before and after the bindings
  /// change them.
  @Test(arguments: seeds(5)) func listsBoundInACircleComeToRest(_ seed: Int) {
    var edits = RandomEdits(seed: UInt64(seed))
    let lists = (0..<2 + seed % 2).map { _ in CollectionProperty<[Item]>() }
    let validators = lists.map { ListValidator($0) }
    var budget = 0
    var eventCount = 0
    func disturb(_ list: CollectionProperty<[Item]>) {
      list.observe { _ in
        eventCount += 1
        // A separate generator, because the one above may be in use.
        var others = RandomEdits(seed: UInt64(seed * 1_000_000 + eventCount))
        guard budget > 0, others.number(below: 3) == 0 else { return }
        budget -= 1
        let changed = lists[others.number(below: lists.count)]
        if others.number(below: 2) == 0 {
          others.operation(on: changed, longest: 20)
        } else {
          others.batch(on: changed, longest: 20)
        }
      }
    }
    lists.forEach(disturb)
    for (index, list) in lists.enumerated() { list.bind(to: lists[(index + 1) % lists.count]) }
    lists.forEach(disturb)
    for number in 0..<500 {
      budget = edits.number(below: 4)
      let before = eventCount
      lists[0].batch { edits.batch(on: lists[edits.number(below: lists.count)], longest: 20) }
      // In a circle of three, a collection may keep a change that was undone until the next change.
      if lists.count > 2, !areEqual(lists) {
        budget = 0
        lists[0].append(Item(number: -1, value: number))
      }
      let isRight = areEqual(lists)
      let problems = validators.flatMap(\.problems)
      #expect(
        isRight && problems == [] && eventCount - before <= 80, "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  /// The same for dictionaries and sets.
  @Test(arguments: seeds(3)) func dictionariesAndSetsInACircleComeToRest(_ seed: Int) {
    var edits = RandomKeys(seed: UInt64(seed))
    let (ages, otherAges) = (CollectionProperty<[Int: Int]>(), CollectionProperty<[Int: Int]>())
    let (tags, otherTags) = (CollectionProperty<Set<Int>>(), CollectionProperty<Set<Int>>())
    let checks = [CollectionValidator(ages), CollectionValidator(otherAges)]
    let tagChecks = [CollectionValidator(tags), CollectionValidator(otherTags)]
    var budget = 0
    var eventCount = 0
    func disturb() {
      eventCount += 1
      // A separate generator, because the one above may be in use.
      var others = RandomKeys(seed: UInt64(seed * 1_000_000 + eventCount))
      guard budget > 0, others.number(below: 3) == 0 else { return }
      budget -= 1
      switch others.number(below: 4) {
      case 0: others.batch(on: ages)
      case 1: others.batch(on: otherAges)
      case 2: others.batch(on: tags)
      default: others.batch(on: otherTags)
      }
    }
    ages.observe { _ in disturb() }
    tags.observe { _ in disturb() }
    ages.bind(to: otherAges)
    otherAges.bind(to: ages)
    tags.bind(to: otherTags)
    otherTags.bind(to: tags)
    otherAges.observe { _ in disturb() }
    otherTags.observe { _ in disturb() }
    for number in 0..<500 {
      budget = 3
      edits.batch(on: number % 2 == 0 ? ages : otherAges)
      edits.batch(on: number % 3 == 0 ? tags : otherTags)
      let isRight = ages.value == otherAges.value && tags.value == otherTags.value
      let problems = checks.flatMap(\.problems) + tagChecks.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  @Test func sectionsBoundToEachOtherComeToRest() {
    let library = CollectionProperty(sections: [ListSection("A", [1])])
    let copy = CollectionProperty<Sections<String, Int>>(sections: [])
    library.observe { if $0.collection[0].items.count == 2 { library.append(3, toSection: 0) } }
    let validators = [SectionValidator(library), SectionValidator(copy)]
    library.bind(to: copy)
    copy.bind(to: library)
    library.append(2, toSection: 0)
    copy.append(ListSection("B", [4]))
    #expect(library.value == copy.value && library.map { $0.items.count } == [3, 1])
    #expect(validators.flatMap(\.problems) == [] && validators.map(\.eventCount) == [4, 4])
  }

  @Test func bindingReleasesItsSource() {
    let copy = CollectionProperty<[Int]>([])
    var references: [() -> Disposable?] = []
    for number in 0..<1_000 {
      let binding = CollectionProperty([number]).bind(to: copy)
      references.append { [weak binding] in binding }
    }
    #expect(copy.value == [999])
    #expect(references.count { $0() != nil } < 100)
  }

  // MARK: - Applying changes

  @Test func inverseChangesUndoEdits() throws {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39])
    let tags = CollectionProperty(Set([1, 2]))
    var last: (DictionaryChanges<String, Int>?, SetChanges<Int>?)
    ages.observe { last.0 = $0.changes }
    tags.observe { last.1 = $0.changes }
    ages.replace(with: ["Jim": 34, "Uhura": 28], performDiff: true)
    tags.replace(with: [2, 3], performDiff: true)
    let done = last
    ages.apply(try #require(done.0).inverse)
    tags.apply(try #require(done.1).inverse)
    #expect(ages.value == ["Jim": 33, "Bones": 39] && tags.value == [1, 2])
    ages.apply(try #require(done.0))
    tags.apply(try #require(done.1))
    #expect(ages.value == ["Jim": 34, "Uhura": 28] && tags.value == [2, 3])
  }

  /// A change can be applied to any list of the same length.
  @Test(arguments: seeds(2)) func changesApplyToOtherLists(_ seed: Int) {
    var edits = RandomEdits(seed: UInt64(seed))
    let list = CollectionProperty<[Item]>()
    var changes: ListChanges<Item>?
    list.observe { changes = $0.changes }
    for number in 0..<500 {
      changes = nil
      let other = CollectionProperty(list.value.map { Item(number: -$0.number, value: 9) })
      let validator = ListValidator(other)
      list.batch { for _ in 0..<number % 8 { edits.batch(on: list, longest: 60) } }
      guard let changes else { continue }
      other.apply(changes)
      other.apply(changes.inverse)
      #expect(validator.problems == [], "seed \(seed), batch \(number)")
      #expect(validator.eventCount == 3 && other.count == changes.oldCount)
      if !validator.problems.isEmpty { return }
    }
  }

  /// A diff without differences keeps the storage identical.
  @Test func replacingByAnEqualListKeepsTheBinding() {
    let (one, other) = (CollectionProperty([1, 2]), CollectionProperty<[Int]>())
    one.bind(to: other)
    let log = ChangeLog(other)
    let before = other.value
    other.replace(with: [1, 2], performDiff: true)
    #expect(other.value.isIdentical(to: before))
    one.append(3)
    #expect(log.lines == ["+[2] -[] u[] m[] [1, 2, 3]"])
  }

  @Test func changesOfOtherLengthsTrap() async {
    await #expect(processExitsWith: .failure) {
      let list = CollectionProperty([1])
      list.observe { if let changes = $0.changes { CollectionProperty([1, 2]).apply(changes) } }
      list.append(2)
    }
    await #expect(processExitsWith: .failure) {
      let library = CollectionProperty(sections: [ListSection("A", [1])])
      let other = CollectionProperty(sections: [ListSection("A", [1]), ListSection("B", [])])
      library.observe { if let changes = $0.changes { other.apply(changes) } }
      library.append(ListSection("B", []))
    }
  }
}
