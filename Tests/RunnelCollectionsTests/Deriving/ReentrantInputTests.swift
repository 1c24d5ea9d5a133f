import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Closures that trigger another event of their own operator. The result must be that of the latest
/// closure.
@Suite struct ReentrantInputTests {
  private typealias Edit = @Sendable (CollectionProperty<[Int]>) -> Void

  private static let edits: [(String, Edit)] = [
    ("an update", { $0[5] = 105 }),
    ("an insertion", { $0.insert(7, at: 3) }),
    ("a removal", { $0.remove(at: 2) }),
    ("a move", { $0.move(from: 9, to: 1) }),
    ("updates", { list in list.batch { for index in 0..<20 { list[index] += 100 } } }),
    ("growth", { $0.append(contentsOf: 200..<400) }),
    (
      "growth and loss",
      { list in
        list.batch {
          list.removeSubrange(0..<10)
          list.append(contentsOf: 300..<390)
          list.insert(2, at: 30)
        }
      }
    ),
    ("loss", { $0.removeSubrange(5..<50) }),
    ("another list", { $0.replace(with: Array(60..<90)) }),
  ]

  @Test(arguments: edits.indices, [0, 1, 7])
  func predicateMaySendAnotherPredicate(_ number: Int, _ delay: Int) {
    let (name, edit) = Self.edits[number]
    let list = CollectionProperty(Array(0..<60))
    let predicates = PushStream<(Int) -> Bool>()
    var (isSent, isTold, asked) = (false, false, 0)
    let filtered = list.filter(by: predicates)
    let validator = ListValidator(filtered)
    let last: (Int) -> Bool = { $0 % 3 == 0 }
    predicates.next { element in
      asked += 1
      if isTold && !isSent && asked > delay {
        isSent = true
        predicates.next(last)
      }
      return element % 2 == 0
    }
    (isTold, asked) = (true, 0)
    edit(list)
    if isSent { #expect(Array(filtered.value) == list.value.filter(last), "\(name)") }
    list.append(3)
    list.remove(at: 0)
    if isSent { #expect(Array(filtered.value) == list.value.filter(last), "\(name)") }
    #expect(validator.problems == [])
  }

  @Test(arguments: edits.indices, [0, 1, 7])
  func orderMaySendAnotherOrder(_ number: Int, _ delay: Int) {
    let (name, edit) = Self.edits[number]
    let list = CollectionProperty(Array(0..<60))
    let orders = PushStream<(Int, Int) -> Bool>()
    var (isSent, isTold, asked) = (false, false, 0)
    let sorted = list.sorted(by: orders)
    let validator = ListValidator(sorted)
    orders.next { one, other in
      asked += 1
      if isTold && !isSent && asked > delay {
        isSent = true
        orders.next(>)
      }
      return one < other
    }
    (isTold, asked) = (true, 0)
    edit(list)
    if isSent { #expect(Array(sorted.value) == list.value.sorted(by: >), "\(name)") }
    list.append(3)
    list.remove(at: 0)
    if isSent { #expect(Array(sorted.value) == list.value.sorted(by: >), "\(name)") }
    #expect(validator.problems == [])
  }

  /// The latest element of a stream replaces the one that waits, so all of them cost one pass.
  @Test func supersededOrdersAreNotApplied() {
    let list = CollectionProperty(Array(0..<100))
    let orders = PushStream<(Int, Int) -> Bool>()
    var (isTold, sent, asked) = (false, 0, 0)
    let sorted = list.sorted(by: orders)
    let validator = ListValidator(sorted)
    orders.next { one, other in
      if isTold && sent < 50 {
        sent += 1
        orders.next { one, other in
          asked += 1
          return one > other
        }
      }
      return one < other
    }
    isTold = true
    list.append(contentsOf: 200..<300)
    #expect(sent == 50 && Array(sorted.value) == list.value.sorted(by: >))
    #expect(asked > 0 && asked < 4_000)
    #expect(validator.problems == [])
  }

  @Test func editsOfAClosureAreHandledInOrder() {
    let list = CollectionProperty(Array(0..<6))
    let predicates = PushStream<(Int) -> Bool>()
    let filtered = list.filter(by: predicates)
    let validator = ListValidator(filtered)
    var isDone = false
    predicates.next { element in
      if element == 3 && !isDone {
        isDone = true
        list.insert(7, at: 0)
        list.remove(at: 0)
        list.insert(8, at: 1)
        list.move(from: 1, to: 4)
      }
      return element > 2
    }
    #expect(isDone && list.value == [0, 1, 2, 3, 8, 4, 5])
    #expect(Array(filtered.value) == [3, 8, 4, 5])
    #expect(validator.problems == [])
  }

  /// The predicate waits for the edits of the batch, and affects many elements at once.
  @Test func predicateSentDuringABatchIsApplied() {
    let list = CollectionProperty(Array(0..<400))
    let limit = Property(300)
    let found = list.filter(by: limit.map { limit in { $0 < limit } })
    let validator = ListValidator(found)
    for (number, newLimit) in [100, 350, 0, 400].enumerated() {
      list.batch {
        list.move(from: 350, to: number)
        list[number + 10] = 99 - number
        list.removeSubrange(20..<25)
        limit.value = newLimit
        list.insert(number, at: 15)
      }
      #expect(Array(found.value) == list.value.filter { $0 < newLimit })
      #expect(validator.problems == [])
    }
  }

  @Test func predicateAndBatchFormOneEvent() {
    let list = CollectionProperty([1, 2, 3])
    let divisor = Property(2)
    let found = list.filter(by: divisor.map { divisor in { $0 % divisor == 0 } })
    let validator = ListValidator(found)
    list.batch {
      divisor.value = 3
      list.append(6)
    }
    #expect(Array(found.value) == [3, 6] && validator.eventCount == 2)
  }

  @Test func predicateMayChangeTheList() {
    let list = CollectionProperty(Array(0..<70))
    let predicates = PushStream<(Int) -> Bool>()
    let filtered = list.filter(by: predicates)
    let validator = ListValidator(filtered)
    var isDone = false
    predicates.next { element in
      if !isDone {
        isDone = true
        list.removeSubrange(0..<40)
        list.append(contentsOf: 100..<200)
      }
      return element % 2 == 0
    }
    #expect(Array(filtered.value) == list.value.filter { $0 % 2 == 0 })
    #expect(validator.problems == [])
  }

  /// The second predicate is handled after the change, so the event is not a reset.
  @Test func predicateSentByAClosureGivesExactChanges() {
    let list = CollectionProperty(Array(0..<10))
    let predicates = PushStream<(Int) -> Bool>()
    let filtered = list.filter(by: predicates)
    let validator = ListValidator(filtered)
    var isSent = false
    predicates.next { element in
      if element == 10 && !isSent {
        isSent = true
        predicates.next { $0 % 5 == 0 }
      }
      return element % 2 == 0
    }
    var changes: [ListChanges<Int>?] = []
    filtered.observe { changes.append($0.changes) }
    list.append(10)
    #expect(isSent && Array(filtered.value) == [0, 5, 10])
    #expect(changes.dropFirst().map { $0.map { Array($0.inserts) } } == [[1, 2]])
    #expect(changes.dropFirst().map { $0.map { Array($0.deletes) } } == [[1, 2, 3, 4]])
    #expect(validator.problems == [])
  }
}
