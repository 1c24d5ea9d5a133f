import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ConcatenatedListsTests {
  @Test func containsOneListAfterTheOther() {
    let first = CollectionProperty(["a", "b"])
    let second = CollectionProperty<[String]>()
    let all = first.concatenated(with: second, CollectionProperty(["x"]).sorted())
    let validator = ListValidator(all)
    #expect(Array(all.value) == ["a", "b", "x"])
    second.append("c")
    first.remove(at: 0)
    first.move(from: 0, to: 0)
    #expect(Array(all.value) == ["b", "c", "x"])
    #expect(validator.eventCount == 3)
    #expect(Array(first.concatenated().value) == ["b"])
  }

  /// A list that occurs several times sends one event for all of its occurrences.
  @Test func aListMayOccurSeveralTimes() {
    let list = CollectionProperty([1, 2])
    let all = list.concatenated(with: list, CollectionProperty([0]), list)
    let validator = ListValidator(all)
    var log: [String] = []
    all.observe { event in
      guard let changes = event.changes else { return }
      log.append("\(changes.inserts) \(changes.updates) \(changes.deletes) \(changes.moves)")
    }
    list.batch {
      list.append(3)
      list[0] = 5
    }
    list.move(from: 0, to: 2)
    list.remove(at: 1)
    #expect(log == ["[2, 5, 9] [0, 2, 5] [] []", "[] [] [] [0→2, 3→5, 7→9]", "[] [] [1, 4, 8] []"])
    #expect(validator.problems == [])
    #expect(Array(all.value) == [2, 5, 2, 5, 0, 2, 5])
  }

  @Test func resetAffectsOneListOnly() {
    let lists = [[1, 2], [3], [4, 5]].map { CollectionProperty($0) }
    let all = lists[0].concatenated(with: lists[1], lists[2])
    let validator = ListValidator(all)
    all.observe { event in
      if let changes = event.changes {
        #expect("\(changes.deletes) \(changes.inserts)" == "[2] [2, 3]")
      }
    }
    lists[1].replace(with: [7, 8])
    #expect(validator.elements == [1, 2, 7, 8, 4, 5] && validator.eventCount == 2)
    #expect(validator.problems == [])
  }

  /// Random batches, some of them nested, on lists of which two occur twice.
  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let lists = (0..<3).map { _ in CollectionProperty<[Item]>() }
    let order = [0, 1, 0, 2, 1]
    let all = lists[0].concatenated(with: lists[1], lists[0], lists[2], lists[1])
    let validators = [ListValidator(all), ListValidator(all)]
    let sorted = all.sorted { $0.value < $1.value }
    let ofSorted = ListValidator(sorted)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<500 {
      let list = lists[edits.number(below: 3)]
      let longest = number % 20 == 0 ? 200 : 10
      if edits.number(below: 4) == 0 {
        lists[edits.number(below: 3)].batch { edits.batch(on: list, longest: longest) }
      } else {
        edits.batch(on: list, longest: longest)
      }
      let expected = order.flatMap { Array(lists[$0].value) }
      #expect((validators + [ofSorted]).flatMap(\.problems) == [], "seed \(seed), batch \(number)")
      #expect(Array(all.value) == expected, "seed \(seed), batch \(number)")
      #expect(validators.allSatisfy { $0.elements == expected }, "seed \(seed), batch \(number)")
      #expect(
        ofSorted.elements == expected.sorted { $0.value < $1.value },
        "seed \(seed), batch \(number)")
      if Array(all.value) != expected || ofSorted.problems != [] { return }
    }
  }

  // MARK: - Reentrancy

  @Test func observersMayChangeTheLists() {
    let first = CollectionProperty([0])
    let second = CollectionProperty([0])
    let all = first.concatenated(with: second, first)
    let early = ListValidator(all)
    first.observe { event in
      if event.collection.count < 4 { second.append(event.collection.count) }
    }
    second.observe { event in
      if event.collection.count < 6 { first.insert(event.collection.count, at: 0) }
    }
    all.observe { event in
      if event.collection.count < 20 { first.append(9) }
    }
    let late = ListValidator(all)
    second.batch {
      second.removeAll()
      first.removeLast()
    }
    #expect(early.problems == [] && late.problems == [])
    #expect(Array(all.value) == Array(first.value) + Array(second.value) + Array(first.value))
    #expect(early.elements == Array(all.value) && late.elements == Array(all.value))
  }

  /// Unsent edits of a batch are visible at once, and are delivered once.
  @Test func concatenatingWithinABatchIsSound() {
    let first = CollectionProperty([0])
    let second = CollectionProperty([1])
    // An event of one list makes the other one change within its batch.
    second.observe { event in if event.collection.count > 1 { first.insert(8, at: 0) } }
    var made: [LiveCollection<[Int]>] = []
    var validators: [ListValidator<Int>] = []
    first.batch {
      first.append(5)
      second.batch {
        second.append(2)
        let all = first.concatenated(with: second)
        made.append(all)
        validators.append(ListValidator(all))
        second.append(3)
      }
      first.append(6)
    }
    #expect(validators.flatMap(\.problems) == [])
    #expect(Array(first.value) == [8, 0, 5, 6] && Array(second.value) == [1, 2, 3])
    #expect(made.map { Array($0.value) } == [[8, 0, 5, 6, 1, 2, 3]])
    #expect(validators.map(\.elements) == made.map { Array($0.value) })
  }

  // MARK: - Lifetime

  @Test func retainsAndReleasesItsLists() {
    weak var released: CollectionProperty<[Int]>?
    let first = CollectionProperty([0])
    weak var middle: LiveCollection<[Int]>?
    weak var end: LiveCollection<[Int]>?
    do {
      let second = CollectionProperty([1])
      released = second
      let sorted = second.sorted()
      middle = sorted
      let all = first.concatenated(with: sorted)
      end = all
      first.append(5)
      #expect(Array(all.value) == [0, 5, 1] && middle != nil)
    }
    #expect(released == nil && middle == nil && end == nil)
    #expect(!first.isObserved)
  }

  // MARK: - Cost

  /// The cost of a change does not depend on the length of the lists.
  @Test func changeOfAHugeListIsCheap() {
    let lists = (0..<3).map { CollectionProperty(Array($0 * 100_000..<($0 + 1) * 100_000)) }
    let all = lists[0].concatenated(with: lists[1], lists[2])
    var calls = 0
    let mapped = all.map { number -> Int in
      calls += 1
      return -number
    }
    calls = 0
    for number in 0..<300 {
      let list = lists[number % 3]
      list.insert(7, at: number * 300)
      list.move(from: number, to: list.count - 1 - number)
      list.remove(at: list.count / 2)
    }
    #expect(calls == 300)
    #expect(mapped.count == 300_000 && mapped[299_999] == -lists[2][99_999])
    lists[1].removeAll()
    #expect(Array(all.value) == Array(lists[0].value) + Array(lists[2].value))
  }
}
