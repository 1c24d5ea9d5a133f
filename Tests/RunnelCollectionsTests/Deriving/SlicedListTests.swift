import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SlicedListTests {
  @Test func containsPrefixSuffixAndRange() {
    let list = CollectionProperty(Array(0..<6))
    #expect(Array(list.prefix(2).value) == [0, 1])
    #expect(Array(list.prefix(9).value) == [0, 1, 2, 3, 4, 5])
    #expect(Array(list.prefix(0).value) == [])
    #expect(Array(list.suffix(2).value) == [4, 5])
    #expect(Array(list.suffix(9).value) == [0, 1, 2, 3, 4, 5])
    #expect(Array(list.dropFirst().value) == [1, 2, 3, 4, 5])
    #expect(Array(list.dropFirst(9).value) == [])
    #expect(Array(list.dropLast(2).value) == [0, 1, 2, 3])
    #expect(Array(list.dropLast(9).value) == [])
    #expect(Array(list.slice(2..<4).value) == [2, 3])
    #expect(Array(list.slice(2...4).value) == [2, 3, 4])
    #expect(Array(list.slice(4...).value) == [4, 5])
    #expect(Array(list.slice(..<1).value) == [0])
    #expect(Array(list.slice(5..<9).value) == [5])
    #expect(Array(list.slice(8..<9).value) == [])
  }

  @Test func insertionBeforeAWindowShiftsIt() {
    let list = CollectionProperty(["a", "b", "c", "d"])
    let slice = list.slice(1..<3)
    let log = ChangeLog(slice)
    list.insert("x", at: 0)
    list.remove(at: 0)
    list.append("y")
    list[1] = "B"
    list.move(from: 0, to: 4)
    #expect(
      log.lines == [
        "+[0] -[1] u[] m[] [\"a\", \"b\"]", "+[1] -[0] u[] m[] [\"b\", \"c\"]",
        "+[] -[] u[0] m[] [\"B\", \"c\"]", "+[1] -[0] u[] m[] [\"c\", \"d\"]",
      ])
  }

  @Test func dropFirstAndDropLastExcludeNewEnds() {
    let list = CollectionProperty(["a", "b", "c"])
    let (others, leading) = (list.dropFirst(), list.dropLast())
    let (log, other) = (ChangeLog(others), ChangeLog(leading))
    list.insert("x", at: 0)
    list.append("y")
    list.removeAll()
    list.append("z")
    #expect(
      log.lines == [
        "+[0] -[] u[] m[] [\"a\", \"b\", \"c\"]",
        "+[3] -[] u[] m[] [\"a\", \"b\", \"c\", \"y\"]",
        "+[] -[0, 1, 2, 3] u[] m[] []",
      ])
    #expect(
      other.lines == [
        "+[0] -[] u[] m[] [\"x\", \"a\", \"b\"]",
        "+[3] -[] u[] m[] [\"x\", \"a\", \"b\", \"c\"]",
        "+[] -[0, 1, 2, 3] u[] m[] []",
      ])
  }

  @Test func moveWithinAWindowIsAMove() {
    let list = CollectionProperty(["a", "b", "c", "d", "e"])
    let log = ChangeLog(list.prefix(3))
    list.move(from: 0, to: 2)
    // Move an element out of the window and back to another place.
    list.batch {
      list.remove(at: 0)
      list.move(from: 1, to: 2)
    }
    #expect(
      log.lines == [
        "+[] -[] u[] m[0→2] [\"b\", \"c\", \"a\"]", "+[1] -[0] u[] m[] [\"c\", \"d\", \"a\"]",
      ])
  }

  @Test func newRangeReportsTheDifference() {
    let list = CollectionProperty(Array(0..<10))
    let range = Property(2..<5)
    let page = list.slice(by: range)
    let log = ChangeLog(page)
    range.value = 3..<6
    range.value = 0..<6
    range.value = 1..<4
    range.value = 8..<12
    range.value = 8..<11
    list.append(10)
    range.value = 20..<25
    range.value = 0..<0
    #expect(
      log.lines == [
        "+[2] -[0] u[] m[] [3, 4, 5]", "+[0, 1, 2] -[] u[] m[] [0, 1, 2, 3, 4, 5]",
        "+[] -[0, 4, 5] u[] m[] [1, 2, 3]", "+[0, 1] -[0, 1, 2] u[] m[] [8, 9]",
        "+[2] -[] u[] m[] [8, 9, 10]", "+[] -[0, 1, 2] u[] m[] []",
      ])
  }

  @Test func sliceIsEmptyBeforeTheFirstRange() {
    let list = CollectionProperty([1, 2])
    let ranges = PushStream<Range<Int>>()
    let page = list.slice(by: ranges)
    list.append(3)
    #expect(page.isEmpty)
    ranges.next(1..<2)
    #expect(Array(page.value) == [2])
    ranges.end(.completed)
    list.insert(0, at: 0)
    #expect(Array(page.value) == [1])
  }

  @Test func negativeLengthAndRangeTrap() async {
    await #expect(processExitsWith: .failure) { _ = CollectionProperty([1]).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = CollectionProperty([1]).suffix(-1) }
    await #expect(processExitsWith: .failure) { _ = CollectionProperty([1]).slice(-1..<1) }
    await #expect(processExitsWith: .failure) {
      _ = CollectionProperty([1]).slice(by: EventStream.just(-1..<1))
    }
  }

  // MARK: - Reentrancy and lifetime

  @Test func newRangeWaitsForPendingChanges() {
    let list = CollectionProperty(Array(0..<20))
    let range = Property(0..<4)
    list.observe { event in
      // The slice has not handled this change yet.
      if event.collection.count < 30 {
        range.value = event.collection.count / 2..<event.collection.count + 2
        list.insert(event.collection.count, at: 1)
      }
    }
    let page = list.slice(by: range)
    let validators = [ListValidator(page), ListValidator(page)]
    page.observe { event in
      if event.collection.count > 12 { range.value = 0..<3 }
    }
    list.remove(at: 0)
    list.removeSubrange(3...)
    #expect(validators.flatMap(\.problems) == [])
    #expect(Array(page.value) == Array(list.value[range.value.clamped(to: 0..<list.count)]))
  }

  @Test func releasingTheSliceEndsObservation() {
    let list = CollectionProperty([1])
    let range = Property(0..<1)
    do {
      let page = list.slice(by: range)
      #expect(list.isObserved && range.isObserved && !page.isEmpty)
    }
    #expect(!list.isObserved && !range.isObserved)
  }

  // MARK: - Random changes

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let list = CollectionProperty<[Item]>()
    let range = Property(0..<0)
    let page = list.slice(by: range)
    let (first, last) = (list.prefix(7), list.suffix(5))
    let (middle, rest) = (list.slice(3..<11), list.slice(4...))
    let ofPage = list.slice(by: range).sorted { $0.value < $1.value }
    let validators = [page, first, last, middle, rest, ofPage].map { ListValidator($0) }
    let twin = ListValidator(page)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<1_000 {
      edits.batch(on: list, longest: number % 20 == 0 ? 200 : 16)
      if number % 3 == 0 {
        let start = edits.number(below: 20)
        range.value = start..<start + edits.number(below: 12)
      }
      let all = Array(list.value)
      let expected = Array(all[range.value.clamped(to: all.indices)])
      let isRight =
        Array(page.value) == expected && Array(first.value) == Array(all.prefix(7))
        && Array(last.value) == Array(all.suffix(5))
        && Array(middle.value) == Array(all[(3..<11).clamped(to: all.indices)])
        && Array(rest.value) == Array(all.dropFirst(4))
        && Array(ofPage.value) == expected.sorted { $0.value < $1.value }
      let problems = (validators + [twin]).flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      #expect(twin.eventCount == validators[0].eventCount)
      if !isRight || !problems.isEmpty { return }
    }
  }
}
