import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct FlattenedCollectionsTests {
  /// An element that is equatable but not hashable.
  private struct Comparable: Equatable {
    let number: Int
  }

  /// Returns the change for an update of [1, 2, 3, 4] to [4, 1, 7, 3, 4].
  private func change<Element>(
    _ make: (Int) -> Element,
    _ flatten: (CollectionProperty<[[Element]]>) -> LiveCollection<[Element]>
  ) -> String {
    let outer = CollectionProperty([[9], [1, 2, 3, 4], [8]].map { $0.map(make) })
    let all = flatten(outer)
    var lines: [String] = []
    all.observe { event in
      guard let changes = event.changes else { return }
      lines.append("\(changes.inserts) \(changes.updates) \(changes.deletes) \(changes.moves)")
    }
    outer[1] = [1, 7, 3, 2, 4].map(make)
    return lines.joined(separator: "; ")
  }

  /// Equatable and hashable elements allow smaller changes.
  @Test func updateReportsTheDifference() {
    #expect(change({ $0 }, { $0.flattened() }) == "[2] [] [] [3→3]")
    #expect(change(Comparable.init, { $0.flattened() }) == "[2, 3, 4] [] [2, 3] []")
    #expect(change({ $0 as Any }, { $0.flattened() }) == "[1, 2, 3, 4, 5] [] [1, 2, 3, 4] []")
    #expect(change({ $0 }, { $0.flatMap { $0 } }) == "[2] [] [] [3→3]")
    #expect(
      change(Comparable.init, { $0.flatMap { $0 } }) == "[2, 3, 4] [] [2, 3] []")
    #expect(change({ $0 as Any }, { $0.flatMap { $0 } }) == "[1, 2, 3, 4, 5] [] [1, 2, 3, 4] []")
  }

  @Test func updateWithoutDifferenceSendsNothing() {
    let outer = CollectionProperty([[1, 2], []])
    let all = outer.flattened()
    let compared = outer.map { $0.map(Comparable.init) }.flattened()
    let validator = ListValidator(all)
    let ofCompared = ListValidator(compared)
    outer[0] = [1, 2]
    outer[1] = []
    outer.move(from: 0, to: 1)
    outer.append([])
    #expect(validator.eventCount == 1 && ofCompared.eventCount == 1)
    outer[0] = [3]
    #expect(validator.elements == [3, 1, 2] && ofCompared.elements.count == 3)
  }

  @Test func flattensAnyCollection() {
    let texts = CollectionProperty(["ab", "", "c"])
    let all = texts.flattened()
    let ranges = texts.flatMap { 0..<$0.count }
    texts[1] = "x"
    texts.move(from: 0, to: 2)
    texts.replace(with: texts.value.reversed())
    texts.append("y")
    #expect(String(all.value) == "abcxy")
    #expect(Array(ranges.value) == [0, 1, 0, 0, 0])
  }

  /// Random batches on a list of lists, for each of the three overloads.
  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let outer = source.map { item in
      (0..<item.value).map {
        $0 == 2 ? Item(number: item.number, value: 0) : Item(number: 0, value: $0)
      }
    }
    let hashed = outer.flattened()
    let compared = outer.map { $0.map { Comparable(number: $0.number) } }.flattened()
    let replaced = outer.map { $0.map { $0.number as Any } }.flattened().map { $0 as? Int ?? -1 }
    let validators = [ListValidator(hashed), ListValidator(hashed)]
    let ofCompared = ListValidator(compared)
    let ofReplaced = ListValidator(replaced)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<250 {
      edits.batch(on: source, longest: number % 20 == 0 ? 60 : 12)
      let expected = outer.value.flatMap { $0 }
      let problems =
        validators.flatMap(\.problems) + ofCompared.problems + ofReplaced.problems
      #expect(problems == [], "seed \(seed), batch \(number)")
      #expect(
        validators.allSatisfy { $0.elements == expected }
          && ofCompared.elements == expected.map { Comparable(number: $0.number) }
          && ofReplaced.elements == expected.map(\.number), "seed \(seed), batch \(number)")
      if !problems.isEmpty || validators[0].elements != expected { return }
    }
  }

  @Test func observersMayChangeTheSource() {
    let outer = CollectionProperty([[1], [2, 3]])
    let all = outer.flattened()
    let early = ListValidator(all)
    all.observe { event in
      if event.collection.count < 9 { outer[0].append(event.collection.count) }
    }
    outer.observe { event in
      if event.collection.count < 5 { outer.insert([0], at: 0) }
    }
    let late = ListValidator(all)
    outer.append([])
    #expect(early.problems == [] && late.problems == [])
    #expect(early.elements == outer.value.flatMap { $0 } && late.elements == early.elements)
  }

  @Test func changeAmongManyElementsIsCheap() {
    let outer = CollectionProperty((0..<100_000).map { [$0, $0 + 1] })
    let all = outer.flattened()
    var calls = 0
    let mapped = all.map { number -> Int in
      calls += 1
      return number
    }
    calls = 0
    for number in 0..<1_000 {
      outer[number * 97].append(3)
      outer.move(from: number, to: 99_999 - number)
      outer.insert([1], at: number)
      outer.remove(at: number * 50)
    }
    #expect(calls == 2_000)
    #expect(Array(mapped.value) == outer.value.flatMap { $0 })
  }
}
