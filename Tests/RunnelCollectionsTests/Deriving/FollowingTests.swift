import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelCollections

/// Collections that follow both a list and a stream of predicates, orders or ranges.
@Suite struct FollowingTests {
  /// An observer that receives each event before the followers of the list.
  private final class First {
    var actions: [() -> Void] = []

    init(_ list: CollectionProperty<[Int]>) {
      list.observe { [self] event in
        guard event.changes != nil, !actions.isEmpty else { return }
        actions.removeFirst()()
      }
    }
  }

  private typealias Follow = @Sendable (CollectionProperty<[Int]>) -> AnyObject

  private static let followers: [(String, Follow)] = [
    ("filter", { $0.filter { $0 % 2 == 0 } }),
    ("filter by", { $0.filter(by: Property { $0 % 2 == 0 }) }),
    ("sorted", { $0.sorted() }),
    ("sorted by", { $0.sorted(by: Property(>)) }),
    ("slice", { $0.slice(10..<700) }),
    ("slice by", { $0.slice(by: Property(10..<700)) }),
    ("map", { $0.map { -$0 } }),
    ("distinct", { $0.distinct() }),
    ("reversed", { $0.reversed() }),
    ("joined", { $0.joined(with: $0, on: { $0 }, equals: { $0 + 1 }) }),
    ("enumerated", { $0.enumerated() }),
    ("grouped", { $0.grouped { $0 % 10 } }),
    ("filter by each", { $0.filter { Property($0 % 2 == 0) } }),
    ("flatMap", { $0.flatMap { [$0, $0] } }),
    ("count", { list in list.observed.count.observeNext { _ in } }),
    ("first", { list in list.observed.first.observeNext { _ in } }),
    ("reduced", { list in list.reduced(0, +).observeNext { _ in } }),
  ]

  /// A retained copy of the list would make each change copy a path.
  @Test(arguments: followers.indices)
  func followersDoNotRetainTheList(_ number: Int) {
    let (name, follow) = Self.followers[number]
    let list = CollectionProperty(Array(0..<1_000))
    let follower = follow(list)
    var roots: Set<ObjectIdentifier> = []
    func note() {
      if let root = list.live.editor.list.root { roots.insert(ObjectIdentifier(root)) }
    }
    note()
    let edits: [() -> Void] = [
      { list[500] = 3_000 }, { list[500] = 3_001 }, { list.append(3_002) }, { list.remove(at: 20) },
      { list.move(from: 10, to: 800) },
      { list.batch { for index in 100..<200 { list[index] += 5_000 } } },
    ]
    for edit in edits {
      edit()
      note()
    }
    #expect(roots.count == 1, "\(name)")
    withExtendedLifetime(follower) {}
  }

  @Test func predicateWaitsForPendingChanges() {
    let list = CollectionProperty(Array(0..<10))
    let predicates = PushStream<(Int) -> Bool>()
    let first = First(list)
    let filtered = list.filter(by: predicates)
    let log = ChangeLog(filtered)
    predicates.next { $0 % 2 == 0 }
    first.actions = [
      {
        list.append(12)
        predicates.next { $0 % 5 == 0 }
        predicates.next { $0 % 3 == 0 }
      }
    ]
    list[1] = 30
    #expect(Array(filtered.value) == [0, 30, 3, 6, 9, 12])
    #expect(
      log.lines == [
        "+[0, 1, 2, 3, 4] -[] u[] m[] [0, 2, 4, 6, 8]",
        "+[1] -[] u[] m[] [0, 30, 2, 4, 6, 8]",
        "+[2, 4, 5] -[2, 3, 5] u[] m[] [0, 30, 3, 6, 9, 12]",
      ])
  }

  @Test func rangeWaitsForPendingChanges() {
    let list = CollectionProperty(Array(0..<10))
    let ranges = Property(0..<2)
    let first = First(list)
    let page = list.slice(by: ranges)
    let log = ChangeLog(page)
    first.actions = [{ ranges.value = 1..<4 }]
    list.remove(at: 2)
    #expect(log.lines == ["+[1, 2] -[0] u[] m[] [1, 3, 4]"])
  }

  @Test func predicateWaitsForTheEndOfABatch() {
    let list = CollectionProperty(Array(0..<6))
    let predicate = Property<(Int) -> Bool> { $0 % 2 == 0 }
    let filtered = list.filter(by: predicate)
    let log = ChangeLog(filtered)
    list.batch {
      list.append(6)
      predicate.value = { _ in false }
      predicate.value = { $0 > 3 }
      list.append(7)
    }
    // A batch without effect sends nothing.
    list.batch {
      list.append(8)
      predicate.value = { $0 > 5 }
      list.removeLast()
    }
    predicate.value = { $0 > 6 }
    #expect(
      log.lines == [
        "+[1, 2, 3] -[0, 1] u[] m[] [4, 5, 6, 7]", "+[] -[0, 1] u[] m[] [6, 7]",
        "+[] -[0] u[] m[] [7]",
      ])
  }

  /// A sort order calls a closure while an element is lifted. A range that arrives then must wait.
  @Test(arguments: [0, 1, 4]) func rangeSentByASortOrderWaits(_ delay: Int) {
    let list = CollectionProperty([3, 1, 2])
    let (range, predicate) = (Property(0..<2), Property<(Int) -> Bool> { _ in true })
    var left = Int.max
    let sorted = list.sorted { one, other in
      left -= 1
      if left == 0 {
        range.value = 0..<3
        predicate.value = { $0 > 1 }
      }
      return one < other
    }
    let page = sorted.slice(by: range)
    let filtered = sorted.filter(by: predicate)
    let validators = [ListValidator(sorted), ListValidator(page), ListValidator(filtered)]
    left = delay + 1
    list[0] = 5
    list.batch {
      list.move(from: 0, to: 2)
      list.insert(4, at: 1)
      list.remove(at: 0)
    }
    #expect(left <= 0)
    #expect(Array(page.value) == Array(sorted.value.prefix(3)))
    #expect(Array(filtered.value) == Array(sorted.value.filter { $0 > 1 }))
    #expect(validators.flatMap(\.problems) == [])
  }

  /// An element of the old list sends a predicate in `deinit`, before the list is replaced.
  @Test func predicateSentInDeinitIsApplied() {
    final class Element {
      let number: Int
      let onRelease: () -> Void

      init(_ number: Int, onRelease: @escaping () -> Void = {}) {
        (self.number, self.onRelease) = (number, onRelease)
      }

      deinit { onRelease() }
    }
    let predicate = Property<(Element) -> Bool> { $0.number % 2 == 0 }
    let list = CollectionProperty([Element(1) { predicate.value = { $0.number % 3 == 0 } }])
    let filtered = list.filter(by: predicate)
    let numbers = filtered.map(\.number)
    let validator = ListValidator(numbers)
    list.replace(with: (0..<1_000).map { Element($0) })
    #expect(Array(numbers.value) == (0..<1_000).filter { $0 % 3 == 0 })
    #expect(validator.problems == [])
  }

  /// Observers before and after the followers change the list, the predicate, the order and the
  /// range at random times.
  @Test(arguments: seeds(3)) func randomReentrantChanges(_ seed: Int) {
    var dice = RandomEdits(seed: UInt64(seed))
    let list = CollectionProperty<[Item]>()
    // An operation may interrupt another one, so each has its own generator.
    func edit() {
      var edits = RandomEdits(seed: UInt64(dice.number(below: 1 << 40)))
      edits.operation(on: list, longest: 40)
    }
    let (divisor, isDescending, range) = (Property(2), Property(false), Property(0..<5))
    var left = 0
    func disturb() {
      guard left > 0 else { return }
      left -= 1
      switch dice.number(below: 8) {
      case 0, 1: edit()
      case 2: divisor.value = 2 + dice.number(below: 3)
      case 3: isDescending.value.toggle()
      case 4:
        let start = dice.number(below: 10)
        range.value = start..<start + dice.number(below: 10)
      case 5:
        list.batch {
          edit()
          disturb()
          edit()
        }
      default: break
      }
    }
    list.observe { _ in disturb() }
    let filtered = list.filter(
      by: divisor.map { divisor in
        { item in
          if dice.number(below: 30) == 0 { disturb() }
          return item.value % divisor != 0
        }
      })
    filtered.observe { _ in disturb() }
    let sorted = filtered.sorted(
      by: isDescending.map { isDescending -> (Item, Item) -> Bool in
        { one, other in
          if dice.number(below: 100) == 0 { disturb() }
          return isDescending ? one.value > other.value : one.value < other.value
        }
      })
    sorted.observe { _ in disturb() }
    let page = sorted.slice(by: range)
    page.observe { _ in disturb() }
    list.observe { _ in disturb() }
    let validators = [list.live, filtered, sorted, page].map { ListValidator($0) }
    for number in 0..<300 {
      left = dice.number(below: 12)
      list.batch { for _ in 0..<dice.number(below: 6) { edit() } }
      left = 0
      let passing = Array(list.value).filter { $0.value % divisor.value != 0 }
      let expected =
        isDescending.value
        ? passing.sorted { $0.value > $1.value } : passing.sorted { $0.value < $1.value }
      #expect(Array(filtered.value) == passing, "seed \(seed), batch \(number)")
      #expect(Array(sorted.value) == expected, "seed \(seed), batch \(number)")
      #expect(
        Array(page.value) == Array(expected[range.value.clamped(to: 0..<expected.count)]),
        "seed \(seed), batch \(number)")
      let problems = validators.flatMap(\.problems)
      #expect(problems == [], "seed \(seed), batch \(number)")
      if !problems.isEmpty || Array(sorted.value) != expected { return }
    }
  }
}
