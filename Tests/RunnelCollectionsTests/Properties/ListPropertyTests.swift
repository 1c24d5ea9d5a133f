import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ListPropertyTests {
  @Test func readsLikeAnArray() {
    let list = CollectionProperty([1, 2, 3])
    list.append(4)
    list[0] += 10
    list.insert(5, at: 1)
    #expect(list.removeFirst() == 11)
    #expect(list.removeLast() == 4)
    var seen: [Int] = []
    for element in list { seen.append(element) }
    #expect(seen == [5, 2, 3])
    #expect(list.count == 3 && !list.isEmpty && list.first == 5 && list.last == 3)
    #expect(list[1] == 2)
    #expect(list.contains(3))
  }

  /// The example of ReactiveKit's guide.
  @Test func eventsHaveTheIndicesOfTheirChanges() {
    let names = CollectionProperty(["Steve", "Tim"])
    var lines: [String] = []
    names.observeNext { event in
      lines.append(
        "\(event.collection.count) \(event.inserts) \(event.updates) \(event.deletes) \(event.moves.count)"
      )
    }
    names.append("John")
    names.removeLast()
    names[1] = "Mark"
    names.move(from: 1, to: 0)
    names.replace(with: ["Ann"], performDiff: false)
    #expect(
      lines == [
        "2 [] [] [] 0", "3 [2] [] [] 0", "2 [] [] [2] 0", "2 [] [1] [] 0", "2 [] [] [] 1",
        "1 [] [] [] 0",
      ])
  }

  @Test func predicateThatInsertsIntoTheListTraps() async {
    await #expect(processExitsWith: .failure) {
      let list = CollectionProperty([1, 2, 3])
      list.removeAll { _ in
        list.insert(9, at: 0)
        return true
      }
    }
    await #expect(processExitsWith: .failure) {
      let list = CollectionProperty([1, 2, 3])
      list.sort {
        list.insert(9, at: 0)
        return $0 < $1
      }
    }
  }

  @Test func sortTrapsAfterAChangeThatKeepsTheCount() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let list = CollectionProperty([1, 2, 3])
      list.sort {
        list[0] = 9
        return $0 < $1
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("A closure changed the list that it was called for."))
  }

  @Test func sortStopsAtTheFirstThrow() {
    struct Refusal: Error {}
    let list = CollectionProperty(Array((0..<100).reversed()))
    var count = 0
    #expect(throws: Refusal.self) {
      try list.sort { (_, _) throws(Refusal) in
        count += 1
        throw Refusal()
      }
    }
    #expect(count == 1)
    #expect(list.lastIndex { $0 > 1 } == 97)
  }

  /// Each edit, compared with the same edit of an array.
  @Test func editsLikeAnArray() {
    let list = CollectionProperty<[Int]>()
    var array: [Int] = []
    let validator = ListValidator(list)
    let doubled = list.map { $0 * 2 }
    func check(
      _ edit: (CollectionProperty<[Int]>) -> Void, _ model: (inout [Int]) -> Void,
      sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
      let before = validator.eventCount
      edit(list)
      model(&array)
      #expect(
        validator.elements == array && Array(list.value) == array
          && Array(doubled.value) == array.map { $0 * 2 } && validator.problems == []
          && validator.eventCount <= before + 1,
        sourceLocation: sourceLocation)
    }
    check({ $0.append(contentsOf: 0..<30) }, { $0.append(contentsOf: 0..<30) })
    check(
      { $0.append(contentsOf: stride(from: 9, to: 0, by: -2)) },
      { $0.append(contentsOf: stride(from: 9, to: 0, by: -2)) })
    check({ $0.append(contentsOf: $0) }, { $0.append(contentsOf: $0) })
    check({ $0 += [4, 5] }, { $0 += [4, 5] })
    check(
      { $0.insert(contentsOf: $0.lazy.filter { $0 > 7 }, at: 3) },
      { $0.insert(contentsOf: $0.filter { $0 > 7 }, at: 3) })
    check({ $0.replaceSubrange(1...4, with: [7]) }, { $0.replaceSubrange(1...4, with: [7]) })
    check({ $0[2..<4] = [8, 9, 8] }, { $0[2..<4] = [8, 9, 8] })
    check({ $0[...5].reverse() }, { $0[...5].reverse() })
    check({ $0[0..<0] = $0[1...2] }, { $0[0..<0] = $0[1...2] })
    check({ $0.insert(6, at: $0.endIndex) }, { $0.insert(6, at: $0.endIndex) })
    #expect(list[list.startIndex] == array[0])
    check({ $0.removeSubrange(80...) }, { $0.removeSubrange(80...) })
    check({ $0.removeFirst(3) }, { $0.removeFirst(3) })
    check({ $0.removeLast(2) }, { $0.removeLast(2) })
    check({ $0.removeLast(0) }, { $0.removeLast(0) })
    check({ list in #expect(list.popLast() == array.last) }, { _ = $0.popLast() })
    check({ $0.removeAll { $0 % 3 == 0 } }, { $0.removeAll { $0 % 3 == 0 } })
    check({ $0.removeAll { $0 > 100 } }, { $0.removeAll { $0 > 100 } })
    check({ $0.swapAt(0, 9) }, { $0.swapAt(0, 9) })
    check({ $0.reverse() }, { $0.reverse() })
    check({ $0.sort() }, { $0.sort() })
    check({ $0.sort { $0 % 5 < $1 % 5 } }, { $0.sort { $0 % 5 < $1 % 5 } })
    check { list in
      var random = SeededGenerator(seed: 1)
      list.shuffle(using: &random)
    } _: { array in
      var random = SeededGenerator(seed: 1)
      array.shuffle(using: &random)
    }
    check { list in
      list.batch {
        list.append(3)
        list.sort()
        list[0] = 90
        list.reverse()
      }
    } _: { array in
      array.append(3)
      array.sort()
      array[0] = 90
      array.reverse()
    }
    #expect(Array(list[2...5]) == Array(array[2...5]) && Array(list[..<0]) == [])
    #expect(list.firstIndex(of: 5) == array.firstIndex(of: 5))
    #expect(list.lastIndex(of: 5) == array.lastIndex(of: 5))
    #expect(list.firstIndex { $0 > 100 } == nil && list.lastIndex { $0 > 100 } == nil)
    #expect(list.last { $0 < 9 } == array.last { $0 < 9 } && list.last { $0 > 100 } == nil)
    var (one, other) = (SeededGenerator(seed: 2), SeededGenerator(seed: 2))
    #expect(list.randomElement(using: &one) == array.randomElement(using: &other))
    check({ $0.removeAll() }, { $0.removeAll() })
    #expect(list.randomElement() == nil && list.last { _ in true } == nil)
    check({ list in #expect(list.popLast() == nil) }, { _ in })
    check({ $0.shuffle() }, { _ in })
  }

  @Test func shufflingKeepsTheElements() {
    let list = CollectionProperty(Array(0..<100))
    let validator = ListValidator(list)
    list.shuffle()
    #expect(Array(list.value) != Array(0..<100))
    #expect(list.value.sorted() == Array(0..<100))
    #expect(validator.elements == Array(list.value) && validator.problems == [])
  }

  /// Sorting sends a minimal number of moves.
  @Test func sortingSendsMoves() throws {
    let list = CollectionProperty([1, 2, 3, 0, 4, 4])
    var last: ListChanges<Int>?
    list.observe { last = $0.changes }
    list.sort()
    let changes = try #require(last)
    #expect(changes.moves == [ListMove(from: 3, to: 0)] && changes.deletes.isEmpty)
    list.sort()
    #expect(Array(list.value) == [0, 1, 2, 3, 4, 4])
  }

  /// Inserted elements may be computed lazily, and the computation may change the list.
  @Test func lazyElementsMayChangeTheList() {
    let list = CollectionProperty([1, 2, 3])
    let validator = ListValidator(list)
    func changing(_ elements: [Int]) -> some Collection<Int> {
      elements.lazy.map { element in
        list.insert(-element, at: 0)
        return element
      }
    }
    list.append(contentsOf: changing([4]))
    #expect(Array(list.value) == [-4, 1, 2, 3, 4])
    list.insert(contentsOf: changing([5, 6]), at: 1)
    #expect(Array(list.value) == [-6, 5, 6, -5, -4, 1, 2, 3, 4])
    list.replaceSubrange(0..<2, with: changing([7]))
    #expect(Array(list.value) == [7, 5, 6, -5, -4, 1, 2, 3, 4])
    list.replace(with: changing([8, 9]))
    #expect(Array(list.value) == [8, 9])
    list.replace(with: changing([1, 9]), performDiff: true)
    #expect(Array(list.value) == [1, 9] && validator.problems == [])
  }

  private struct Refusal: Error {}

  @Test func throwingPredicateLeavesTheListUnchanged() {
    let list = CollectionProperty([3, 1, 2])
    let validator = ListValidator(list)
    #expect(throws: Refusal.self) {
      try list.removeAll { if $0 == 1 { throw Refusal() } else { true } }
    }
    #expect(throws: Refusal.self) { try list.sort { _, _ in throw Refusal() } }
    #expect(Array(list.value) == [3, 1, 2] && validator.eventCount == 1)
  }

  @Test func observerReceivesInitialThenChanges() {
    let list = CollectionProperty(["a"])
    var log: [String] = []
    let observation = list.observe { event in
      switch event.change {
      case .initial: log.append("initial \(event.collection)")
      case .reset: log.append("reset \(event.collection)")
      case .changes(let changes): log.append("\(changes.inserts) \(event.collection)")
      }
    }
    list.append("b")
    list.replace(with: ["c"])
    observation.dispose()
    list.append("d")
    #expect(log == ["initial [\"a\"]", "[1] [\"a\", \"b\"]", "reset [\"c\"]"])
  }

  // MARK: - Reentrancy

  /// A change by an observer is visible at once. Other observers receive the events in order (C2).
  @Test func reentrantChangesAreDeliveredInOrder() {
    let list = CollectionProperty([1])
    let validators = [ListValidator(list), ListValidator(list)]
    list.observe { event in
      if event.collection.count < 5 {
        list.append(event.collection.count + 1)
        list[0] = 0
      }
    }
    let late = ListValidator(list)
    let sorted = list.sorted(by: >)
    list.batch {
      list.append(9)
      list.move(from: 0, to: 1)
    }
    #expect((validators + [late]).flatMap(\.problems) == [])
    #expect(validators[0].elements == validators[1].elements)
    #expect(late.elements == validators[0].elements)
    #expect(Array(sorted.value) == Array(list.value).sorted(by: >))
  }

  /// An observer that is added while events are pending starts from the current list, and does not
  /// receive them.
  @Test func observersAddedWhileEventsArePending() {
    let list = CollectionProperty([0])
    var late: [ListValidator<Int>] = []
    var derived: [LiveCollection<[Int]>] = []
    list.observe { event in
      guard event.collection.count < 4 else { return }
      list.append(event.collection.count)
      late.append(ListValidator(list))
      derived.append(list.filter { $0 % 2 == 0 })
    }
    list.append(7)
    #expect(late.flatMap(\.problems) == [])
    #expect(late.allSatisfy { $0.elements == Array(list.value) })
    #expect(derived.allSatisfy { Array($0.value) == list.filter { $0 % 2 == 0 } as [Int] })
  }

  @Test func observerAddedDuringABatchIsSound() {
    let list = CollectionProperty([0, 1])
    let early = ListValidator(list)
    var late: ListValidator<Int>?
    var derived: LiveCollection<[Int]>?
    list.batch {
      list.append(2)
      late = ListValidator(list)
      list.remove(at: 0)
      derived = list.map { $0 * 10 }
      list.append(3)
    }
    #expect(early.problems == [] && late?.problems == [])
    #expect(early.elements == [1, 2, 3] && late?.elements == [1, 2, 3])
    #expect(derived.map { Array($0.value) } == [10, 20, 30])
    #expect(
      early.eventCount == 2, "A batch sends one event, even if observers are added during it.")
  }

  /// An observer that has seen undone edits receives a reset, and derived collections follow it.
  @Test func observerAddedDuringIneffectiveBatchIsReset() {
    let list = CollectionProperty([0, 1])
    let early = ListValidator(list)
    var log: [String] = []
    var derived: LiveCollection<[Int]>?
    list.batch {
      list.append(2)
      list.observe { log.append("\($0)") }
      derived = list.map { $0 * 10 }
      #expect(derived.map { Array($0.value) } == [0, 10, 20])
      list.removeLast()
    }
    #expect(log == ["[0, 1, 2] (initial)", "[0, 1] (reset)"])
    #expect(derived.map { Array($0.value) } == [0, 10])
    list.append(3)
    #expect(log.last == "[0, 1, 3] (inserts [2])")
    #expect(derived.map { Array($0.value) } == [0, 10, 30] && early.problems == [])
  }

  /// A derived collection that is created and released during a batch does not affect other
  /// observers, even if the batch has no effect.
  @Test func collectionsDerivedInABatchCauseNoResets() {
    let list = CollectionProperty([3, 1, 2])
    var log: [String] = []
    list.observe { log.append("\($0.change)") }
    list.batch {
      list.append(4)
      #expect(list.filter { $0 > 1 }.count == 3 && list.observed.count.value == 4)
      #expect(list.sorted().first == 1 && list.grouped { $0 % 2 }.count == 2)
      list[0] = 5
    }
    #expect(log == ["initial", "updates [0], inserts [3]"])
    list.batch {
      list.append(6)
      list.observe { _ in }.dispose()
      #expect(list.filter { $0 > 1 }.count == 4)
      list.removeLast()
    }
    #expect(log.count == 2)
    // A pending event for added observers is not sent a second time.
    let observation = list.observe { _ in list.batch {} }
    list.batch {
      list.append(6)
      list.observe { _ in }
    }
    list.removeLast()
    observation.dispose()
    #expect(log.dropFirst(2) == ["inserts [4]", "deletes [4]"])
    log.removeLast(2)
    // A closure that changes the list does not cause a reset either.
    var isFirst = true
    let same = list.map { element in
      if isFirst { list.append(7) }
      isFirst = false
      return element
    }
    #expect(log.dropFirst(2) == ["inserts [4]"] && same.value == list.value)
  }

  /// An observer's edit during a batch's event is delivered after that event, also to new
  /// observers.
  @Test func observerAddedInABatchThatAnotherChanges() {
    let list = CollectionProperty([0])
    list.observe { event in
      if event.collection.count < 5 { list.append(event.collection.count) }
    }
    let early = ListValidator(list)
    var late: ListValidator<Int>?
    var derived: LiveCollection<[Int]>?
    list.removeAll()
    list.batch {
      list.removeAll()
      late = ListValidator(list)
      list.removeAll()
      derived = list.filter { $0 > 1 }
    }
    #expect(early.problems == [] && late?.problems == [])
    #expect(early.elements == [0, 1, 2, 3, 4] && late?.elements == [0, 1, 2, 3, 4])
    #expect(derived.map { Array($0.value) } == [2, 3, 4])
  }

  @Test func disposingInsideAnEventStopsDelivery() {
    let list = CollectionProperty([0])
    var observation: Disposable?
    var count = 0
    observation = list.observe { _ in
      count += 1
      if count == 2 { observation?.dispose() }
    }
    for number in 0..<5 { list.append(number) }
    #expect(count == 2)
  }

  // MARK: - Failure

  private struct Fault: Error {}

  @Test func throwingBatchSendsItsEditsSoFar() {
    let list = CollectionProperty([0])
    let validator = ListValidator(list)
    #expect(throws: Fault.self) {
      try list.batch {
        list.append(1)
        throw Fault()
      }
    }
    #expect(validator.elements == [0, 1] && validator.eventCount == 2)
    list.append(2)
    #expect(validator.elements == [0, 1, 2])
  }

  @Test func indexOutOfRangeTraps() async {
    await #expect(processExitsWith: .failure) { CollectionProperty([1])[1] = 2 }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).remove(at: -1) }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).insert(2, at: 3) }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).move(from: 0, to: 1) }
    await #expect(processExitsWith: .failure) { CollectionProperty<[Int]>().removeLast() }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).swapAt(0, 1) }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).removeSubrange(0..<2) }
    await #expect(processExitsWith: .failure) { CollectionProperty([1]).removeLast(2) }
    await #expect(processExitsWith: .failure) { _ = CollectionProperty([1])[0...1] }
  }

  @Test func moveTrapsWithItsOwnMessage() async {
    for places in [(0, 2), (2, 0), (-1, 0), (0, -1)] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [source = places.0 as Int, destination = places.1 as Int] in
        CollectionProperty([1, 2]).move(from: source, to: destination)
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("Cannot move from \(places.0) to \(places.1) in a list of 2."))
    }
  }

  @Test func predicateThatChangesTheListTraps() async {
    await #expect(processExitsWith: .failure) {
      let list = CollectionProperty([1, 2, 3])
      list.removeAll { _ in list.popLast() != nil }
    }
    await #expect(processExitsWith: .failure) {
      let list = CollectionProperty([1, 2, 3])
      list.sort { _, _ in list.popLast() != nil }
    }
  }

  // MARK: - Lifetime

  @Test func retainsIntermediateCollections() {
    let list = CollectionProperty([3, 1, 2])
    weak var middle: LiveCollection<[Int]>?
    var end: LiveCollection<[Int]>?
    do {
      let filtered = list.filter { $0 > 1 }
      middle = filtered
      end = filtered.sorted()
    }
    list.append(0)
    list.append(5)
    #expect(middle != nil)
    #expect(end.map { Array($0.value) } == [2, 3, 5])
    end = nil
    #expect(middle == nil)
    #expect(!list.isObserved)
  }

  // MARK: - Reading

  @Test func readingSendsDifferingValues() {
    let list = CollectionProperty([1, 2])
    let count = list.reading { $0.count }
    var counts: [Int] = []
    count.observeNext { counts.append($0) }
    list[0] = 5
    list.append(3)
    list.append(contentsOf: [])
    #expect(counts == [2, 3])
    #expect(count.value == 3)
  }

  @Test func remoteChangesTheList() async {
    let seen = await ManualContext.onThread { home in
      let list = CollectionProperty([1])
      let worker = ThreadContext()
      let remote = list.remote
      worker.execute { remote.send { $0.append(2) } }
      home.run(until: { list.count == 2 })
      return Array(list.value)
    }
    #expect(seen == [1, 2])
  }

  @Test func partitioningIndexFindsStartOfSecondPart() {
    let list = CollectionProperty([1, 3, 3, 5])
    for (bound, index) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 3), (5, 3), (6, 4)] {
      #expect(list.partitioningIndex { $0 >= bound } == index)
    }
    #expect(CollectionProperty<[Int]>([]).partitioningIndex { _ in true } == 0)
  }
}
