import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Closures of operators that observe or edit the source during a change.
@Suite struct ReentrantClosureTests {
  /// An action that runs once, after a number of calls of a closure.
  private final class Trap {
    var action: (() -> Void)?
    var rest = 0

    func spring() {
      rest -= 1
      if rest < 0 { action.take()?() }
    }
  }

  private typealias List = CollectionProperty<[Int]>

  private static let changes: [(String, @Sendable (List) -> Void)] = [
    ("update", { $0[3] = 9 }),
    ("insert", { $0.insert(2, at: 4) }),
    ("remove", { $0.remove(at: 0) }),
    ("move", { $0.move(from: 3, to: 9) }),
    (
      "few",
      { list in
        list.batch {
          list.move(from: 3, to: 9)
          list[2] = 8
          list.insert(1, at: 0)
        }
      }
    ),
    ("many", { list in list.batch { for index in 0..<20 { list[index] = (index * 7) % 5 } } }),
    ("another list", { $0.replace(with: [5, 2, 4, 4]) }),
  ]

  private let trap = Trap()
  private let list = List((0..<20).map { $0 % 5 })

  /// Makes all changes. During each of them, `observe` creates an observer. Its closure returns the
  /// problems at the end.
  private func check(
    _ observe: @escaping () -> () -> [String],
    isRight: () -> Bool,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let problems = observe()
    var lateCount = 0
    for (name, change) in Self.changes {
      for (count, isEditing) in [0, 1, 2, 5, 30].flatMap({ [($0, false), ($0, true)] }) {
        var lateProblems: (() -> [String])?
        trap.rest = count
        trap.action = { [list] in
          lateProblems = observe()
          if isEditing { list.move(from: 0, to: 2) }
        }
        change(list)
        if trap.action.take() == nil { lateCount += 1 }
        let isFine = isRight()
        list.append(7)
        let all = problems() + (lateProblems?() ?? [])
        #expect(
          isFine && isRight() && all == [], "\(name), \(count), \(isEditing)",
          sourceLocation: sourceLocation)
        list.replace(with: (0..<20).map { $0 % 5 })
      }
    }
    #expect(lateCount > 20, "Nobody is asked.", sourceLocation: sourceLocation)
  }

  private func check<Element: Equatable>(
    _ derived: LiveCollection<[Element]>, _ expected: @escaping ([Int]) -> [Element],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    check(
      {
        let validator = ListValidator(derived)
        return { validator.problems }
      }, isRight: { [list] in Array(derived.value) == expected(Array(list.value)) },
      sourceLocation: sourceLocation)
  }

  @Test func orderMayObserveTheList() {
    check(
      list.sorted { [trap] in
        trap.spring()
        return $0 < $1
      }
    ) { $0.sorted() }
  }

  @Test func predicateMayObserveTheList() {
    check(
      list.filter { [trap] in
        trap.spring()
        return $0 % 2 == 0
      }
    ) { $0.filter { $0 % 2 == 0 } }
  }

  @Test func conditionMayObserveTheList() {
    check(
      list.filter(whereLatest: { [trap] element in
        trap.spring()
        return Property(element % 2 == 0)
      })
    ) { $0.filter { $0 % 2 == 0 } }
  }

  @Test func transformMayObserveTheList() {
    check(
      list.map { [trap] in
        trap.spring()
        return -$0
      }
    ) { $0.map { -$0 } }
  }

  @Test func flatMapTransformMayObserveTheList() {
    check(
      list.flatMap { [trap] in
        trap.spring()
        return [$0, $0]
      }
    ) { $0.flatMap { [$0, $0] } }
  }

  /// The elements of inner lists are read while blocks are lifted.
  @Test func innerCollectionMayObserveTheList() {
    check(
      list.map { [trap] element in
        (0..<2).lazy.map { _ in
          trap.spring()
          return element
        }
      }.flattened()
    ) { $0.flatMap { [$0, $0] } }
  }

  @Test func flatMapToListsMayObserveTheList() {
    check(
      list.flatMap { [trap] in
        trap.spring()
        return List([$0, $0])
      }
    ) { $0.flatMap { [$0, $0] } }
  }

  @Test func distinctKeyMayObserveTheList() {
    check(
      list.distinct { [trap] in
        trap.spring()
        return $0
      }
    ) { elements in
      var known: Set<Int> = []
      return elements.filter { known.insert($0).inserted }
    }
  }

  @Test func groupKeyMayObserveTheList() {
    let groups = list.grouped { [trap] in
      trap.spring()
      return $0 % 3
    }
    check(
      {
        let validators = groups.map { ListValidator($0) }.value
        let validator = ListValidator(groups.map { $0.key })
        return { validators.flatMap { $0.problems } + validator.problems }
      },
      isRight: { [list] in
        groups.value.allSatisfy { group in
          Array(group.value) == list.value.filter { $0 % 3 == group.key }
        } && groups.count == Set(list.value.map { $0 % 3 }).count
      })
  }

  @Test func sectionKeyMayObserveTheList() {
    let sections = list.sectioned { [trap] in
      trap.spring()
      return $0 % 3
    }
    check(
      {
        let validator = SectionValidator(sections)
        return { validator.problems }
      },
      isRight: { [list] in
        sections.value.map { $0.header } == Set(list.value.map { $0 % 3 }).sorted()
          && sections.value.allSatisfy { section in
            Array(section.items) == list.value.filter { $0 % 3 == section.header }
          }
      })
  }

  // MARK: - Creation

  private typealias Asked = (Int) -> Int

  /// Operators whose closures call a function that can trigger the trap.
  private static let operators:
    [(
      name: String, make: @Sendable (List, @escaping Asked) -> LiveCollection<[Int]>,
      expected: @Sendable ([Int]) -> [Int]
    )] = [
      ("map", { list, ask in list.map { -ask($0) } }, { $0.map { -$0 } }),
      ("filter", { list, ask in list.filter { ask($0) > 1 } }, { $0.filter { $0 > 1 } }),
      ("sorted", { list, ask in list.sorted { ask($0) < $1 } }, { $0.sorted() }),
      (
        "flatMap", { list, ask in list.flatMap { [ask($0), $0] } },
        { $0.flatMap { [$0, $0] } }
      ),
      (
        "flatMap lists", { list, ask in list.flatMap { List([ask($0)]) } }, { $0 }
      ),
      (
        "distinct", { list, ask in list.distinct { ask($0) % 2 } },
        { list in
          var known: Set<Int> = []
          return list.filter { known.insert($0 % 2).inserted }
        }
      ),
      (
        "joined",
        { list, ask in
          list.joined(with: list, on: { ask($0) }, equals: { ask($0) }).map { $0 * 10 + $1 }
        },
        { all in all.flatMap { one in all.filter { $0 == one }.map { one * 10 + $0 } } }
      ),
      (
        "grouped", { list, ask in list.grouped { ask($0) }.map { $0.key }.sorted() },
        { Set($0).sorted() }
      ),
      (
        "whereLatest", { list, ask in list.filter(whereLatest: { Property(ask($0) > 1) }) },
        { $0.filter { $0 > 1 } }
      ),
      (
        "by", { list, ask in list.filter(by: Property { ask($0) > 1 }) }, { $0.filter { $0 > 1 } }
      ),
      (
        "sorted by", { list, ask in list.sorted(by: Property { ask($0) < $1 }) },
        { $0.sorted() }
      ),
    ]

  /// Closures edit the list while the operator is created, also within a batch.
  @Test(arguments: [false, true]) func closuresMayEditDuringCreation(_ isInBatch: Bool) {
    for (name, make, expected) in Self.operators {
      var springCount = 0
      for count in 0..<12 {
        let list = List([4, 0, 2, 1, 3])
        var validators = [ListValidator(list)]
        var derived: LiveCollection<[Int]>?
        trap.rest = count
        trap.action = {
          list.remove(at: 0)
          list.append(contentsOf: [8, 7])
        }
        func derive() {
          let new = make(list) { [trap] in
            trap.spring()
            return $0
          }
          derived = new
          validators.append(ListValidator(new))
        }
        if isInBatch {
          list.batch {
            list.append(6)
            derive()
            list.swapAt(0, 1)
          }
        } else {
          derive()
        }
        if trap.action == nil { springCount += 1 }
        for step in 0..<3 {
          let right = expected(Array(list.value))
          #expect(
            derived.map { Array($0.value) } == right, "\(name), \(count), \(step)")
          list.batch {
            list[1] = step
            list.insert(9, at: 2)
          }
        }
        #expect(validators.flatMap(\.problems) == [], "\(name), \(count)")
        trap.action = nil
      }
      #expect(springCount > 4, "\(name)")
    }
  }

  @Test func keyedClosuresMayEditTheirSource() {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39])
    let tags = CollectionProperty(Set(["new", "red"]))
    trap.action = {
      ages["Jim"] = nil
      ages["Uhura"] = 28
      tags.formUnion(["urgent"])
    }
    let known = ages.mapValues { [trap] in
      trap.spring()
      return -$0
    }
    #expect(known.value == ["Bones": -39, "Uhura": -28])
    trap.action = {
      tags.remove("new")
      tags.insert("late")
    }
    let long = tags.filter { [trap] in
      trap.spring()
      return $0.count > 3
    }
    #expect(long.value == ["urgent", "late"])
    let validators = (CollectionValidator(known), CollectionValidator(long))
    ages["Jim"] = 34
    tags.formSymmetricDifference(["late", "later"])
    #expect(known.value == ["Bones": -39, "Uhura": -28, "Jim": -34])
    #expect(long.value == ["urgent", "later"])
    #expect(validators.0.problems == [] && validators.1.problems == [])
  }

  // MARK: - Comparisons of elements

  /// Comparisons of headers and items edit the sections that are being replaced.
  @Test func comparisonsMayEditReplacedSections() {
    for (count, action) in (0..<30).flatMap({ count in (0..<4).map { (count, $0) } }) {
      func section(_ header: Int, _ items: [Int]) -> ListSection<Asking, Asking> {
        ListSection(
          Asking(id: header, trap: trap), items.map { Asking(id: $0, value: $0 % 2, trap: trap) })
      }
      let library = CollectionProperty(sections: [
        section(0, [1, 2, 3]), section(1, [4, 5]), section(2, [6, 7, 8, 9]),
      ])
      var validators = [SectionValidator(library)]
      trap.rest = count
      trap.action = {
        if action == 0 { library.removeSection(at: 0) }
        if action == 1 { library.remove(at: ItemPath(section: 2, item: 1)) }
        if action == 2 { library.setHeader(Asking(id: 9, trap: trap), ofSection: 1) }
        if action != 1 { validators.append(SectionValidator(library)) }
      }
      let others = [section(2, [9, 6, 7]), section(3, [1]), section(0, [3, 2, 1])]
      library.batch {
        library.replace(with: others, performDiff: true)
        trap.action = nil
      }
      #expect(library.value.map { $0.header.id } == [2, 3, 0], "\(count), \(action)")
      #expect(
        library.value.map { $0.items.map { $0.id } } == [[9, 6, 7], [1], [3, 2, 1]],
        "\(count), \(action)")
      #expect(validators.flatMap { $0.problems } == [], "\(count), \(action)")
    }
  }

  /// Comparisons of values edit the dictionary that is being replaced.
  @Test func comparisonsMayEditReplacedDictionary() {
    for count in 0..<6 {
      func values(_ keys: [Int: Int]) -> [Int: Asking] {
        keys.mapValues { Asking(id: $0, trap: trap) }
      }
      let dictionary = CollectionProperty(values([1: 1, 2: 2, 3: 3, 4: 4]))
      let validators = [CollectionValidator(dictionary), CollectionValidator(dictionary)]
      trap.rest = count
      trap.action = {
        dictionary[2] = nil
        dictionary[7] = Asking(id: 8, trap: trap)
      }
      dictionary.batch {
        dictionary.replace(with: values([2: 2, 3: 0, 4: 4, 5: 5]), performDiff: true)
        trap.action = nil
      }
      #expect(dictionary.value == SharedDictionary(values([2: 2, 3: 0, 4: 4, 5: 5])), "\(count)")
      #expect(validators.flatMap { $0.problems } == [], "\(count)")
    }
  }

  /// An element that runs an action when it is compared.
  private struct Asking: Identifiable, Hashable {
    let id: Int
    var value = 0
    let trap: Trap

    static func == (one: Asking, other: Asking) -> Bool {
      one.trap.spring()
      return one.id == other.id && one.value == other.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// Comparisons of elements edit the list that is being replaced.
  @Test(
    arguments: [false, true],
    ["observe", "edit", "edit and observe", "edit much and observe", "observe and edit"])
  func comparisonsMayEditReplacedList(_ isTouched: Bool, _ action: String) {
    for count in 0..<12 {
      let list = CollectionProperty((0..<10).map { Asking(id: $0, trap: trap) })
      var validators = [ListValidator(list)]
      trap.rest = count
      list.batch {
        if isTouched { list.move(from: 0, to: 9) }
        trap.action = {
          if action.hasPrefix("edit") { list.remove(at: 3) }
          if action.contains("much") { list.move(from: 0, to: 4) }
          if action.contains("observe") { validators.append(ListValidator(list)) }
          if action.hasSuffix("edit") { list.remove(at: 3) }
        }
        let others = [9, 3, 4, 11, 1, 0, 7].map { Asking(id: $0, value: $0 % 2, trap: trap) }
        list.replace(with: others, performDiff: true)
        trap.action = nil
      }
      list.remove(at: 0)
      #expect(list.map { $0.id }.value == [3, 4, 11, 1, 0, 7], "\(count)")
      #expect(validators.flatMap { $0.problems } == [], "\(count)")
    }
  }

  /// The new list is equal to the old one, so only the comparisons edit it.
  @Test(arguments: [false, true])
  func replacingWithAnEqualListUndoesEdits(_ isTouched: Bool) {
    for count in 0..<12 {
      let list = CollectionProperty((0..<10).map { Asking(id: $0, trap: trap) })
      let validator = ListValidator(list)
      trap.rest = count
      list.batch {
        if isTouched { list.move(from: 0, to: 9) }
        let same = Array(list.value)
        trap.action = { list.remove(at: 3) }
        list.replace(with: same, performDiff: true)
        trap.action = nil
      }
      #expect(list.count == 10 && validator.problems == [], "\(count)")
    }
  }
}
