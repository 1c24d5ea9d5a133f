import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Compares groups by identity, not by elements.
extension ListGroup: Equatable {
  /// Returns true when both are the same object.
  public static func == (one: ListGroup, other: ListGroup) -> Bool { one === other }
}

@Suite struct GroupedListTests {
  private typealias Groups = LiveCollection<[ListGroup<Int, Int>]>

  /// A log of the events of the groups and of their elements, in order of delivery.
  private final class Log {
    var lines: [String] = []

    init(_ groups: Groups) {
      groups.observe { [unowned self] event in
        guard let changes = event.changes else {
          lines.append("groups \(event.collection.map(\.key))")
          return event.collection.forEach(follow)
        }
        lines.append("groups \(changes.inserts) \(changes.deletes) \(changes.moves)")
        for index in changes.inserts { follow(event.collection[index]) }
      }
    }

    private func follow(_ group: ListGroup<Int, Int>) {
      group.observe { [unowned self] event in
        guard let changes = event.changes else {
          return lines.append("\(group.key) \(event.collection)")
        }
        lines.append(
          "\(group.key) \(changes.inserts) \(changes.updates) \(changes.deletes) \(changes.moves)")
      }
    }

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private func content(_ groups: Groups) -> [[Int]] { groups.map { Array($0.value) } }

  /// An observer that observes all groups again after each change of the list receives each event
  /// once.
  @Test func groupsMayBeObservedAgainAfterEachChange() {
    let list = CollectionProperty([1, 3, 2])
    let groups = list.grouped { $0 % 2 }
    var log: [String] = []
    var observations: [Disposable] = []
    groups.observe { event in
      for observation in observations { observation.dispose() }
      observations = event.collection.map { group in
        group.observe { log.append("\(group.key) \($0)") }
      }
    }
    groups[0].observe { log.append("first \($0)") }
    log = []
    list.batch {
      list.append(5)
      list.insert(4, at: 0)
    }
    #expect(
      log == ["0 [4, 2] (initial)", "1 [1, 3, 5] (initial)", "first [1, 3, 5] (inserts [2])"])
    #expect("\(groups)" == "[0: [4, 2], 1: [1, 3, 5]]")
    list.append(6)
    #expect(log.last == "0 [4, 2, 6] (inserts [2])")
  }

  @Test func groupsAreInsertedAndDeleted() {
    let list = CollectionProperty([10, 20, 11])
    let groups = list.grouped { $0 / 10 }
    let log = Log(groups)
    #expect(log.take() == ["groups [1, 2]", "1 [10, 11]", "2 [20]"])
    list.append(30)
    #expect(log.take() == ["groups [2] [] []", "3 [30]"])
    list.append(12)
    #expect(log.take() == ["1 [2] [] [] []"])
    list.remove(at: 1)
    #expect(log.take() == ["groups [] [1] []", "2 [] [] [0] []"])
    list[0] = 13
    #expect(log.take() == ["1 [] [0] [] []"])
    // Updates that change the key: of one of several elements, of the only one, and to a new key.
    list[1] = 31
    #expect(log.take() == ["1 [] [] [1] []", "3 [0] [] [] []"])
    list.batch {
      list.removeAll()
      list.append(contentsOf: [40, 10, 41])
    }
    #expect(content(groups) == [[40, 41], [10]])
    #expect(list.value.count == 3 && groups.map(\.id) == [4, 1])
  }

  /// Groups are in the order of their first elements.
  @Test func groupsMoveWithTheirFirstElements() {
    let list = CollectionProperty([10, 20, 11, 30])
    let groups = list.grouped { $0 / 10 }
    let log = Log(groups)
    _ = log.take()
    list.remove(at: 0)
    #expect(log.take() == ["groups [] [] [0→1]", "1 [] [] [0] []"])
    list.insert(31, at: 0)
    #expect(log.take() == ["groups [] [] [2→0]", "3 [0] [] [] []"])
    list.move(from: 0, to: 3)
    #expect(log.take() == ["groups [] [] [0→2]", "3 [] [] [] [0→1]"])
    // The first element is moved, so the same group moves.
    let group = groups[0]
    list.batch {
      list.remove(at: 0)
      list.append(22)
    }
    #expect(
      content(groups) == [[11], [30, 31], [22]])
    #expect(groups[2] === group)
    // The group is deleted.
    list.removeLast()
    list.append(23)
    #expect(group.isEmpty && groups[2] !== group && groups[2].key == 2)
  }

  @Test func resetsKeepTheGroups() {
    let list = CollectionProperty([10, 20])
    let groups = list.grouped { $0 / 10 }
    let log = Log(groups)
    let (one, two) = (groups[0], groups[1])
    _ = log.take()
    list.replace(with: [30, 21, 31])
    #expect(content(groups) == [[30, 31], [21]] && groups[1] === two && one.isEmpty)
    #expect(Set(log.take()).isSuperset(of: ["groups [3, 2]", "1 []", "2 [21]", "3 [30, 31]"]))
    list.append(22)
    #expect(Array(two.value) == [21, 22])
  }

  // MARK: - Random changes

  /// Returns the expected groups of a list.
  private func groups(_ list: [Item]) -> [[Item]] {
    var groups: [[Item]] = []
    var places: [Int: Int] = [:]
    for item in list {
      if let place = places[item.value] {
        groups[place].append(item)
      } else {
        places[item.value] = groups.count
        groups.append([item])
      }
    }
    return groups
  }

  /// A validator of each group while it exists, and after it was deleted.
  private final class Watch {
    var validators: [ObjectIdentifier: ListValidator<Item>] = [:]
    var kept: [ListGroup<Int, Item>] = []
    var eventCount = 0

    init(_ groups: LiveCollection<[ListGroup<Int, Item>]>) {
      groups.observe { [unowned self] event in
        eventCount += 1
        for group in event.collection where validators[ObjectIdentifier(group)] == nil {
          kept.append(group)
          validators[ObjectIdentifier(group)] = ListValidator(group)
        }
      }
    }

    func elements(of group: ListGroup<Int, Item>) -> [Item] {
      validators[ObjectIdentifier(group)]?.elements ?? []
    }
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let grouped = source.grouped { $0.value }
    let flat = grouped.flattened()
    let sorted = grouped.sorted { $0.key < $1.key }
    let validators = [ListValidator(grouped), ListValidator(grouped), ListValidator(sorted)]
    let ofFlat = ListValidator(flat)
    let watch = Watch(grouped)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<300 {
      let eventCount = validators[0].eventCount
      edits.batch(on: source, longest: number % 20 == 0 ? 200 : 15)
      let expected = groups(Array(source.value))
      let problems =
        validators.flatMap(\.problems) + ofFlat.problems
        + watch.validators.values.flatMap(\.problems)
      #expect(problems == [], "seed \(seed), batch \(number)")
      let isRight =
        grouped.map { Array($0.value) } == expected
        && validators.prefix(2).allSatisfy { $0.elements == Array(grouped.value) }
        && grouped.allSatisfy { watch.elements(of: $0) == Array($0.value) }
        && ofFlat.elements == expected.flatMap { $0 }
        && sorted.map(\.key) == Set(source.value.map(\.value)).sorted()
        && watch.kept.allSatisfy { group in
          group.isEmpty || grouped.contains { $0 === group }
        }
      #expect(isRight, "seed \(seed), batch \(number)")
      #expect(validators[0].eventCount <= eventCount + 1, "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  @Test func keysThatAreNotEqualToThemselvesAreTolerated() {
    let source = CollectionProperty<[Item]>()
    let grouped = source.grouped { $0.value < 4 ? Double.nan : Double($0.value) }
    let validator = ListValidator(grouped)
    var edits = RandomEdits(seed: 3)
    for _ in 0..<300 { edits.batch(on: source, longest: 20) }
    #expect(validator.problems == [])
    let nans = source.value.filter { $0.value < 4 }
    #expect(grouped.filter { $0.key.isNaN }.map { Array($0.value) } == nans.map { [$0] })
  }

  // MARK: - Reentrancy

  @Test func observersMayChangeTheSource() {
    let list = CollectionProperty([10, 20, 11])
    let groups = list.grouped { $0 / 10 }
    let early = ListValidator(groups)
    var left = 20
    func change(_ body: () -> Void) {
      guard left > 0 else { return }
      left -= 1
      body()
    }
    list.observe { event in change { list.insert(event.collection.count * 7, at: 0) } }
    groups.observe { event in
      change { list.move(from: 0, to: list.count - 1) }
      event.collection.first?.observe { event in
        if !event.collection.isEmpty { change { list[0] += 10 } }
      }
    }
    let flat = groups.flattened()
    let ofFlat = ListValidator(flat)
    let late = ListValidator(groups)
    list.batch {
      list.remove(at: 0)
      list.append(35)
    }
    #expect(early.problems == [] && late.problems == [] && ofFlat.problems == [])
    #expect(early.elements == Array(groups.value) && late.elements == Array(groups.value))
    #expect(ofFlat.elements == content(groups).flatMap { $0 })
    #expect(ofFlat.elements.sorted() == list.value.sorted())
    #expect(left == 0)
  }

  // MARK: - Lifetime

  @Test func groupsStopChangingWhenTheirListIsReleased() {
    let list = CollectionProperty([10, 20])
    weak var gone: ListGroup<Int, Int>?
    var kept: ListGroup<Int, Int>?
    weak var all: Groups?
    do {
      let groups = list.grouped { $0 / 10 }
      all = groups
      gone = groups[0]
      kept = groups[1]
      list.append(21)
    }
    #expect(all == nil && gone == nil && !list.isObserved)
    list.append(22)
    #expect(kept.map { Array($0.value) } == [20, 21])
  }

  // MARK: - Cost

  /// 100,000 elements in three groups, then in as many groups as elements.
  @Test(arguments: [3, 100_000]) func changeAmongManyElementsIsCheap(_ keys: Int) {
    let source = CollectionProperty(Array(0..<100_000))
    var calls = 0
    let groups = source.grouped { value in
      calls += 1
      return value % keys
    }
    var events = 0
    groups.observe { _ in events += 1 }
    let flat = groups.flattened()
    var changes = 0
    flat.observe { event in
      changes += event.changes.map { $0.inserts.count + $0.updates.count + $0.deletes.count } ?? 0
    }
    (calls, events) = (0, 0)
    for number in 0..<500 {
      source.remove(at: 50_000)
      source.insert(number, at: 60_000 - number)
      source.move(from: 70_000, to: 80_000)
      source[90_000 - number] = number
    }
    #expect(calls == 1_000 && events <= 2_000 && changes <= 3_000)
    #expect(flat.count == 100_000 && groups.reduce(0) { $0 + $1.count } == 100_000)
  }
}
