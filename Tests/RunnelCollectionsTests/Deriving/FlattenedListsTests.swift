import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct FlattenedListsTests {
  private typealias List = CollectionProperty<[Int]>

  /// A log of the changes of a list, one line for each event.
  private final class Log {
    var lines: [String] = []

    init(_ list: LiveCollection<[Int]>) {
      list.observe { [unowned self] event in
        guard let changes = event.changes else { return lines.append("all") }
        lines.append(
          "\(changes.inserts) \(changes.updates) \(changes.deletes) \(changes.moves)")
      }
    }
  }

  @Test func listsAreInsertedDeletedAndChanged() {
    let lists = [[1, 2], [], [3]].map { List($0) }
    let outer = CollectionProperty(lists)
    let all = outer.flattened()
    let log = Log(all)
    lists[1].append(7)
    outer.remove(at: 0)
    lists[0].append(9)
    outer.append(lists[0])
    lists[0][1] = 5
    outer.removeAll()
    #expect(
      log.lines == [
        "all", "[2] [] [] []", "[] [] [0, 1] []", "[2, 3, 4] [] [] []", "[] [3] [] []",
        "[] [] [0, 1, 2, 3, 4] []",
      ])
    #expect(all.isEmpty && lists.allSatisfy { !$0.isObserved })
  }

  @Test func movingAListMovesItsElements() {
    let lists = [[1, 2], [], [3, 4, 5], [6]].map { List($0) }
    let outer = CollectionProperty(lists)
    let all = outer.flattened()
    let log = Log(all)
    let validator = ListValidator(all)
    outer.move(from: 0, to: 2)
    outer.move(from: 0, to: 3)
    outer.batch {
      outer.move(from: 2, to: 0)
      outer.move(from: 0, to: 2)
    }
    outer.batch {
      outer.move(from: 0, to: 2)
      outer.move(from: 2, to: 1)
      outer[0] = List([8])
    }
    #expect(log.lines == ["all", "[] [] [] [0→3, 1→4]", "[0] [] [3, 4] []"])
    #expect(validator.problems == [])
    #expect(Array(all.value) == outer.flatMap { Array($0) } as [Int])
  }

  /// Replacing a list with the same list changes nothing.
  @Test func reorderedListsAreFollowedAtTheirPlaces() {
    let lists = [List([1]), List([2])]
    let outer = CollectionProperty(lists)
    let all = outer.flattened()
    let validator = ListValidator(all)
    outer.replace(with: lists.reversed())
    lists[1].append(3)
    #expect(Array(all.value) == [2, 3, 1] && validator.problems == [])
  }

  @Test func replacedListIsNoLongerObserved() {
    let lists = [List([1]), List([2])]
    let outer = CollectionProperty([lists[0]])
    let all = outer.flattened()
    outer.replace(with: [lists[1]])
    #expect(!lists[0].isObserved && lists[1].isObserved && Array(all.value) == [2])
  }

  @Test func anotherListReplacesAnInnerOne() {
    let lists = [[1, 2], [3]].map { List($0) }
    let outer = CollectionProperty(lists)
    let all = outer.flattened()
    let log = Log(all)
    outer[0] = lists[0]
    outer[1] = lists[0]
    lists[0].append(4)
    outer[0] = List([5])
    #expect(!lists[1].isObserved)
    #expect(
      log.lines == ["all", "[2, 3] [] [2] []", "[2, 5] [] [] []", "[0] [] [0, 1, 2] []"])
    #expect(Array(all.value) == [5, 1, 2, 4])
    outer.replace(with: lists)
    lists[1].replace(with: [0])
    #expect(log.lines.suffix(2) == ["all", "[3] [] [3] []"])
    #expect(Array(all.value) == [1, 2, 4, 0])
  }

  @Test func flatMapFollowsTheReturnedLists() {
    let source = CollectionProperty([1, 2])
    var lists: [Int: List] = [:]
    var calls = 0
    let all = source.flatMap { number -> List in
      calls += 1
      let list = List([number])
      lists[number] = list
      return list
    }
    let validator = ListValidator(all)
    lists[2]?.append(20)
    source.insert(3, at: 0)
    source.move(from: 0, to: 2)
    source[0] = 5
    lists[5]?.append(50)
    lists[1]?.append(10)
    #expect(Array(all.value) == [5, 50, 2, 20, 3])
    #expect(calls == 4 && validator.problems == [])
  }

  // MARK: - Random changes

  /// Random batches on the outer list and on inner ones, several of which occur more than once.
  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    var edits = RandomEdits(seed: UInt64(seed))
    let lists = (0..<6).map { _ in CollectionProperty<[Item]>() }
    let outer = CollectionProperty<[CollectionProperty<[Item]>]>()
    let all = outer.flattened()
    let sorted = all.sorted { $0.value < $1.value }
    let validators = [ListValidator(all), ListValidator(all), ListValidator(sorted)]
    func change(depth: Int) {
      for _ in 0..<edits.number(below: 5) {
        let list = lists[edits.number(below: lists.count)]
        if depth < 2, edits.number(below: 5) == 0 {
          outer.batch { change(depth: depth + 1) }
        } else if depth < 2, edits.number(below: 5) == 0 {
          list.batch { change(depth: depth + 1) }
        } else if edits.number(below: 2) == 0 {
          edits.batch(on: list, longest: edits.number(below: 20) == 0 ? 40 : 6)
        } else {
          changeOuter()
        }
      }
    }
    func changeOuter() {
      let list = lists[edits.number(below: lists.count)]
      guard outer.count > 0 else { return outer.append(list) }
      let index = edits.number(below: outer.count)
      let other = edits.number(below: outer.count)
      switch edits.number(below: 12) {
      case 0..<3 where outer.count < 10: outer.insert(list, at: index)
      case 3: outer.append(contentsOf: [list, CollectionProperty([Item(number: 1, value: 2)])])
      case 4, 5: outer.remove(at: index)
      case 6, 7: outer.move(from: index, to: other)
      case 8: outer.swapAt(index, other)
      case 9: outer.removeSubrange(min(index, other)..<max(index, other))
      case 10 where edits.number(below: 10) == 0: outer.replace(with: [list, lists[0], list])
      default: outer[index] = list
      }
    }
    for number in 0..<300 {
      change(depth: 0)
      let expected = outer.value.flatMap { Array($0.value) }
      #expect(validators.flatMap(\.problems) == [], "seed \(seed), batch \(number)")
      #expect(
        validators[0].elements == expected && validators[1].elements == expected,
        "seed \(seed), batch \(number)")
      #expect(
        Array(sorted.value) == expected.sorted { $0.value < $1.value },
        "seed \(seed), batch \(number)")
      if validators[0].elements != expected { return }
    }
  }

  // MARK: - Reentrancy

  @Test func observersMayChangeInnerAndOuterLists() {
    let lists = [[1], [2], [3]].map { List($0) }
    let outer = CollectionProperty([lists[0], lists[1], lists[0]])
    let all = outer.flattened()
    let early = ListValidator(all)
    lists[0].observe { event in
      if event.collection.count < 4 { lists[1].append(event.collection.count) }
      if outer.count > 1 { outer.remove(at: 0) }
    }
    lists[1].observe { event in
      if event.collection.count < 4 { outer.append(lists[0]) }
    }
    all.observe { event in
      guard event.collection.count < 12 else { return }
      lists[0].insert(9, at: 0)
      outer.insert(lists[2], at: 0)
    }
    outer.observe { event in
      if event.collection.count < 6 { lists[2].append(event.collection.count) }
    }
    let late = ListValidator(all)
    outer.batch {
      lists[0].append(5)
      outer.move(from: 0, to: outer.count - 1)
      lists[1].remove(at: 0)
    }
    let expected = outer.value.flatMap { Array($0.value) }
    #expect(early.problems == [] && late.problems == [])
    #expect(early.elements == expected && late.elements == expected)
  }

  /// A list that appends another one to the outer list when its events are requested.
  private final class Growing: ObservableList {
    typealias Base = [Int]
    let list: LiveCollection<[Int]>
    var grow: (() -> Void)?

    init(_ list: List) { self.list = list.live }

    var live: LiveCollection<[Int]> {
      grow.take()?()
      return list
    }
  }

  @Test func innerListMayInsertAnotherWhenObserved() {
    let (one, other) = (List([1, 2]), List([3]))
    let growing = Growing(one)
    let outer = CollectionProperty([growing])
    growing.grow = { outer.append(Growing(other)) }
    let all = outer.flattened()
    let validator = ListValidator(all)
    other.append(9)
    one.append(8)
    #expect(all.value == [1, 2, 8, 3, 9] && validator.problems == [])
  }

  /// A list that is inserted during its own batch appears with its current elements. The event at
  /// the end of the batch does not duplicate them.
  @Test func listsMayBeInsertedDuringTheirBatch() {
    let inner = List([1])
    let outer = CollectionProperty<[List]>()
    let all = outer.flattened()
    let validator = ListValidator(all)
    let other = List([5])
    other.batch {
      other.append(6)
      inner.batch {
        inner.append(2)
        outer.append(contentsOf: [other, inner])
        inner.append(3)
        #expect(Array(all.value) == [5, 6, 1, 2])
      }
      other.remove(at: 0)
    }
    #expect(Array(all.value) == [6, 1, 2, 3])
    #expect(validator.problems == [] && validator.elements == [6, 1, 2, 3])
  }

  /// The same, for a batch whose edits cancel out.
  @Test func listInsertedDuringAnIneffectiveBatch() {
    let (inner, other) = (List([1]), List([5]))
    let outer = CollectionProperty<[List]>()
    let all = outer.flattened()
    let validators = [ListValidator(all), ListValidator(other)]
    other.batch {
      other.append(6)
      inner.batch {
        inner.append(2)
        outer.append(contentsOf: [other, inner])
        #expect(Array(all.value) == [5, 6, 1, 2])
      }
      other.removeLast()
    }
    #expect(Array(all.value) == [5, 1, 2])
    #expect(validators.flatMap(\.problems) == [] && validators[0].elements == [5, 1, 2])
  }

  /// A list is inserted a second time while two of its events are pending, during a batch that has
  /// no effect.
  @Test func listInsertedAgainBeforePendingChanges() {
    let inner = List([1, 2])
    let outer = CollectionProperty([inner])
    inner.observe { event in
      guard event.changes != nil, event.collection.count == 3 else { return }
      inner.append(4)
      outer.append(inner)
    }
    let all = outer.flattened()
    let validator = ListValidator(all)
    inner.append(3)
    #expect(Array(all.value) == [1, 2, 3, 4, 1, 2, 3, 4])
    inner.batch {
      inner.insert(0, at: 0)
      outer.append(inner)
      inner.remove(at: 0)
    }
    #expect(Array(all.value) == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
    #expect(validator.problems == [])
  }

  // MARK: - Lifetime

  @Test func retainsAndReleasesItsSources() {
    weak var inner: List?
    weak var outer: CollectionProperty<[List]>?
    var all: LiveCollection<[Int]>?
    let kept = List([0])
    do {
      let list = List([1])
      let lists = CollectionProperty([list, kept])
      inner = list
      outer = lists
      all = lists.flattened()
      kept.append(5)
    }
    #expect(all.map { Array($0.value) } == [1, 0, 5])
    #expect(inner?.count == 1 && kept.isObserved)
    all = nil
    #expect(inner == nil && outer == nil && !kept.isObserved)
  }

  // MARK: - Cost

  /// 100,000 lists, and one that is very long.
  @Test func changeAmongManyListsIsCheap() {
    let lists = (0..<100_000).map { List([$0, -$0]) }
    let huge = List(Array(0..<100_000))
    let outer = CollectionProperty(lists)
    outer.insert(huge, at: 50_000)
    let all = outer.flattened()
    var calls = 0
    var updates = 0
    let mapped = all.map { number -> Int in
      calls += 1
      return number + 1
    }
    all.observe { updates += $0.changes?.updates.count ?? 0 }
    calls = 0
    for number in 0..<1_000 {
      lists[number * 97].append(3)
      lists[number * 89][0] = 4
      huge.insert(7, at: number * 90)
      outer.move(from: number, to: 100_000 - number)
      outer.remove(at: number)
    }
    #expect(calls == 3_000 && updates == 1_000)
    outer.move(from: 49_000, to: 5)
    #expect(calls == 3_000)
    let expected = outer.value.flatMap { $0.value.map { $0 + 1 } }
    #expect(Array(mapped.value) == expected)
  }
}
