import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct WatchedListTests {
  /// An element with mutable state.
  private final class Task: Equatable, CustomStringConvertible {
    let number: Int
    let isOpen: Property<Bool>

    init(_ number: Int, isOpen: Bool = true) {
      self.number = number
      self.isOpen = Property(isOpen)
    }

    var description: String { "\(number)" }

    static func == (left: Task, right: Task) -> Bool { left === right }
  }

  private func tasks(_ count: Int) -> [Task] { (0..<count).map { Task($0) } }

  @Test func stateChangeInsertsAndDeletesAnElement() {
    let list = CollectionProperty(tasks(4))
    let open = list.filter(whereLatest: { $0.isOpen })
    let log = ChangeLog(open)
    list[1].isOpen.value = false
    list[1].isOpen.value = false
    list[3].isOpen.value = false
    list[1].isOpen.value = true
    list.move(from: 1, to: 3)
    list[3].isOpen.value = false
    #expect(
      log.lines == [
        "+[] -[1] u[] m[] [0, 2, 3]", "+[] -[2] u[] m[] [0, 2]", "+[1] -[] u[] m[] [0, 1, 2]",
        "+[] -[] u[] m[1→2] [0, 2, 1]", "+[] -[2] u[] m[] [0, 2]",
      ])
  }

  @Test func lastValueOfAStreamRemainsAfterCompletion() {
    let streams = (0..<3).map { _ in PushStream<Bool>() }
    let list = CollectionProperty([0, 1, 2])
    let found = list.filter(whereLatest: { streams[$0] })
    #expect(found.isEmpty)
    streams[1].next(true)
    streams[1].end(.completed)
    streams[0].end(.completed)
    list.append(contentsOf: [1])
    #expect(Array(found.value) == [1])
    streams[2].next(true)
    list.remove(at: 0)
    #expect(Array(found.value) == [1, 2])
  }

  @Test func valuesSentAtOnceArePartOfTheChange() {
    let list = CollectionProperty(tasks(2))
    let twice = list.filter(whereLatest: { $0.isOpen.stream.startWith(false) })
    let log = ChangeLog(twice)
    list.append(contentsOf: tasks(3))
    list[0] = Task(9)
    list[0] = Task(8, isOpen: false)
    list[0] = Task(7)
    list.batch {
      list.append(Task(5))
      list.removeLast()
    }
    list.replace(with: tasks(2))
    #expect(
      log.lines == [
        "+[2, 3, 4] -[] u[] m[] [0, 1, 0, 1, 2]", "+[] -[] u[0] m[] [9, 1, 0, 1, 2]",
        "+[] -[0] u[] m[] [1, 0, 1, 2]", "+[0] -[] u[] m[] [7, 1, 0, 1, 2]", "reset [0, 1]",
      ])
  }

  // MARK: - Disposal

  @Test func streamIsObservedWhileItsElementExists() {
    let all = tasks(4)
    let list = CollectionProperty(Array(all[..<3]))
    var counts = [0, 0, 0, 0]
    var found: LiveCollection<[Task]>? = list.filter(whereLatest: { task in
      EventStream<Bool, Never>.deferred {
        counts[task.number] += 1
        return task.isOpen.stream
      }
    })
    #expect(all.map { $0.isOpen.isObserved } == [true, true, true, false])
    list.move(from: 0, to: 2)
    list[0] = all[3]
    #expect(all.map { $0.isOpen.isObserved } == [true, false, true, true])
    list.removeLast()
    #expect(all.map { $0.isOpen.isObserved } == [false, false, true, true])
    #expect(counts == [1, 1, 1, 1])
    #expect(found?.count == 2)
    found = nil
    #expect(all.allSatisfy { !$0.isOpen.isObserved } && !list.isObserved)
    all[2].isOpen.value = false
  }

  @Test func duplicateElementIsObservedTwice() {
    let task = Task(1)
    let list = CollectionProperty([task, Task(2), task])
    let found = list.filter(whereLatest: { $0.isOpen })
    let validator = ListValidator(found)
    task.isOpen.value = false
    list.remove(at: 0)
    task.isOpen.value = true
    #expect(Array(found.value).map(\.number) == [2, 1] && validator.problems == [])
  }

  // MARK: - Reentrancy

  @Test func observersMayChangeOtherElements() {
    let list = CollectionProperty(tasks(10))
    let found = list.filter(whereLatest: { $0.isOpen })
    let validators = [ListValidator(found), ListValidator(found)]
    found.observe { event in
      // The element after the last deleted one is deleted too.
      guard let gone = event.changes?.deletes.ranges.last?.lowerBound else { return }
      if gone < event.collection.count { event.collection[gone].isOpen.value = false }
    }
    list[4].isOpen.value = false
    #expect(Array(found.value).map(\.number) == [0, 1, 2, 3])
    #expect(validators.flatMap(\.problems) == [])
    #expect(validators[1].elements == Array(found.value))
  }

  /// The source has changes that the filter has not handled when the element's stream sends.
  @Test func elementMayChangeBeforePendingChanges() {
    let list = CollectionProperty(tasks(6))
    list.observe { event in
      guard let index = event.changes?.deletes.ranges.first?.lowerBound else { return }
      if index < list.count { list[index].isOpen.value.toggle() }
      if list.count > 2 { list.remove(at: 0) }
      list[0].isOpen.value.toggle()
    }
    let found = list.filter(whereLatest: { $0.isOpen })
    let validator = ListValidator(found)
    list.remove(at: 2)
    #expect(validator.problems == [])
    #expect(Array(found.value) == list.filter { $0.isOpen.value } as [Task])
  }

  /// Observing a stream changes the list and other elements.
  @Test func streamsMayChangeTheListWhenObserved() {
    let list = CollectionProperty(tasks(3))
    let found = list.filter(whereLatest: { task -> EventStream<Bool, Never> in
      if task.number < 3 {
        list.insert(Task(task.number + 10), at: 0)
        list.last?.isOpen.value.toggle()
      }
      return task.isOpen.stream
    })
    let validator = ListValidator(found)
    list.append(Task(1))
    list.batch {
      list[2] = Task(2)
      list.move(from: 0, to: 3)
    }
    #expect(validator.problems == [] && list.count > 6)
    #expect(Array(found.value) == list.filter { $0.isOpen.value } as [Task])
  }

  @Test func insertedElementMayDeleteItself() {
    let list = CollectionProperty([Task(0, isOpen: false), Task(1)])
    let found = list.filter(whereLatest: { $0.isOpen })
    let validator = ListValidator(found)
    found.observe { event in
      if let index = list.value.firstIndex(where: { $0.number == 0 && $0.isOpen.value }) {
        list.remove(at: index)
      }
    }
    list[0].isOpen.value = true
    #expect(Array(found.value).map(\.number) == [1] && validator.problems == [])
  }

  // MARK: - Cost and soundness

  @Test func insertedElementMayChangeARemovedOne() {
    let tasks = tasks(3)
    let list = CollectionProperty(Array(tasks.prefix(2)))
    let open = list.filter(whereLatest: { task in
      if task === tasks[2] { tasks[1].isOpen.value = false }
      return task.isOpen
    })
    let validator = ListValidator(open)
    list.batch {
      list[0] = tasks[2]
      list.remove(at: 1)
    }
    #expect(Array(open.value) == [tasks[2]] && validator.problems == [])
  }

  @Test func removedElementsAreReleased() {
    let list = CollectionProperty(tasks(2))
    let open = list.filter(whereLatest: { $0.isOpen })
    weak let last = list.last
    list.removeLast()
    #expect(last == nil && open.count == 1)
  }

  @Test func changeAmong100000ElementsIsCheap() {
    let list = CollectionProperty(tasks(100_000))
    let found = list.filter(whereLatest: { $0.isOpen })
    let all = Array(list.value)
    list.removeSubrange(10..<1_010)
    for index in stride(from: 20, to: 100_000, by: 20) { all[index].isOpen.value = false }
    #expect(found.count == 99_000 - 4_949)
    list.batch {
      for index in stride(from: 90_000, to: 0, by: -1_000) { list.move(from: index, to: 0) }
    }
    #expect(Array(found.value) == list.filter { $0.isOpen.value } as [Task])
    list.removeAll()
    #expect(found.isEmpty && all.allSatisfy { !$0.isOpen.isObserved })
  }

  /// Each element of the list sends a condition while one insertion is handled.
  @Test func manyConditionsSentByAClosureAreCheap() {
    let limit = Property(0)
    let list = CollectionProperty(Array(0..<20_000))
    var isTold = false
    let found = list.filter(whereLatest: { number in
      if isTold && number < 0 { limit.value = 10_000 }
      return limit.map { $0 <= number }
    })
    isTold = true
    list.append(-1)
    #expect(Array(found.value) == Array(10_000..<20_000))
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let list = CollectionProperty<[Item]>()
    let limits = (0..<8).map { Property($0 % 2 == 0) }
    let found = list.filter(whereLatest: { limits[$0.value] })
    let sorted = found.sorted { $0.value < $1.value }
    let validators = [ListValidator(found), ListValidator(sorted), ListValidator(found)]
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<600 {
      edits.batch(on: list, longest: number % 20 == 0 ? 200 : 16)
      if number % 2 == 0 { limits[edits.number(below: 8)].value.toggle() }
      let expected = Array(list.value).filter { limits[$0.value].value }
      let isRight =
        Array(found.value) == expected
        && Array(sorted.value) == expected.sorted { $0.value < $1.value }
      let problems = validators.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      #expect(validators[0].eventCount == validators[2].eventCount)
      if !isRight || !problems.isEmpty { return }
    }
    list.removeAll()
    #expect(limits.allSatisfy { !$0.isObserved })
  }
}
