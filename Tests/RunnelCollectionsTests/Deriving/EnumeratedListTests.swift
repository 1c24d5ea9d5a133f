import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct EnumeratedListTests {
  /// An equatable form of an enumerated element.
  private struct Numbered: Equatable {
    let offset: Int
    let item: Item

    init(_ pair: (offset: Int, element: Item)) {
      (offset, item) = pair
    }
  }

  @Test func elementsAfterAnInsertAreUpdated() {
    let list = CollectionProperty(["a", "b", "c"])
    let numbered = list.enumerated().map { "\($0.offset)\($0.element)" }
    let log = ChangeLog(numbered)
    list.insert("x", at: 1)
    list.append("y")
    list.move(from: 0, to: 1)
    list.swapAt(0, 2)
    list[1] = "A"
    list.remove(at: 3)
    list.removeLast()
    #expect(
      log.lines == [
        "+[1] -[] u[1, 2] m[] [\"0a\", \"1x\", \"2b\", \"3c\"]",
        "+[4] -[] u[] m[] [\"0a\", \"1x\", \"2b\", \"3c\", \"4y\"]",
        "+[] -[] u[0, 1] m[0→1] [\"0x\", \"1a\", \"2b\", \"3c\", \"4y\"]",
        "+[] -[] u[0, 2] m[2→0, 0→2] [\"0b\", \"1a\", \"2x\", \"3c\", \"4y\"]",
        "+[] -[] u[1] m[] [\"0b\", \"1A\", \"2x\", \"3c\", \"4y\"]",
        "+[] -[3] u[4] m[] [\"0b\", \"1A\", \"2x\", \"3y\"]",
        "+[] -[3] u[] m[] [\"0b\", \"1A\", \"2x\"]",
      ])
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let list = CollectionProperty<[Item]>()
    let numbered = list.enumerated()
    let mapped = numbered.map(Numbered.init)
    let found = numbered.filter { $0.element.value > 3 }.map(Numbered.init)
    let validators = [ListValidator(mapped), ListValidator(found), ListValidator(mapped)]
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: list, longest: number % 20 == 0 ? 200 : 16)
      let expected = Array(list.value).enumerated().map(Numbered.init)
      let isRight =
        Array(mapped.value) == expected
        && Array(found.value) == expected.filter { $0.item.value > 3 }
      let problems = validators.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }

  /// A change in the middle affects the elements between its indices only.
  @Test func elementsWithUnchangedIndexAreNotUpdated() {
    let list = CollectionProperty(Array(0..<100))
    let numbered = list.enumerated()
    var updates: [Int] = []
    numbered.observe { event in updates.append(event.changes?.updates.count ?? 0) }
    list.move(from: 40, to: 42)
    list.batch {
      list.remove(at: 10)
      list.insert(7, at: 90)
    }
    list.batch {
      list.remove(at: 10)
      list.insert(7, at: 11)
    }
    list.insert(0, at: 0)
    #expect(updates == [0, 3, 80, 1, 100])
    #expect(numbered.value.allSatisfy { list[$0.offset] == $0.element })
  }

  /// Elements between two swapped ones are not read.
  @Test func elementsWithUnchangedIndexAreNotRead() {
    let list = CollectionProperty(Array(0..<1_000))
    var shifted = IndexRuns()
    list.observe { event in
      if let changes = event.changes { shifted = changes.shifted }
    }
    list.swapAt(3, 990)
    #expect(shifted.ranges == [3..<4, 990..<991])
    list.move(from: 40, to: 42)
    #expect(shifted.ranges == [40..<43])
    list.move(from: 42, to: 40)
    #expect(shifted.ranges == [40..<43])
    list.remove(at: 5)
    #expect(shifted.ranges == [5..<999])
    list.insert(0, at: 7)
    #expect(shifted.ranges == [8..<1_000])
    list[0] = 5
    #expect(shifted.isEmpty)
    list.batch {
      list.insert(1, at: 0)
      list.remove(at: 10)
    }
    #expect(shifted.ranges == [1..<10])
    list.batch { for index in (10..<500).reversed() { list.remove(at: 2 * index) } }
    #expect(shifted.ranges == [20..<510])
  }

  @Test func observerMayChangeTheList() {
    let list = CollectionProperty(Array(0..<4))
    let numbered = list.enumerated()
    let validator = ListValidator(numbered.map { "\($0.offset) \($0.element)" })
    numbered.observe { event in
      if event.collection.count < 8 { list.insert(event.collection.count, at: 1) }
    }
    list.move(from: 3, to: 0)
    #expect(validator.problems == [] && numbered.count == 8)
    #expect(numbered.value.allSatisfy { list[$0.offset] == $0.element })
  }
}
