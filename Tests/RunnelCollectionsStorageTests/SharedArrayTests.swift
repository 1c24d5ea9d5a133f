import RunnelCollections
import RunnelTesting
import Testing

/// A large element. Leaves hold few of them, so a few thousand make a deep tree.
struct Wide: Hashable {
  var number: Int
  let others: (Int, Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0, 0)

  init(_ number: Int) { self.number = number }

  static func == (left: Wide, right: Wide) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An element that counts its living instances.
final class Counted: Hashable {
  final class Tally {
    var live = 0
  }

  let number: Int
  let tally: Tally

  init(_ number: Int, _ tally: Tally) {
    self.number = number
    self.tally = tally
    tally.live += 1
  }

  deinit { tally.live -= 1 }

  static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Suite struct SharedArrayTests {
  /// A list and the array that it is compared with, edited alike.
  struct Model<Element: Hashable> {
    var list = SharedArray<Element>()
    var array: [Element] = []
    var kept: [(list: SharedArray<Element>, array: [Element])] = []
    var random: SeededGenerator
    let make: (Int) -> Element
    var made = 0

    init(seed: UInt64, make: @escaping (Int) -> Element) {
      random = SeededGenerator(seed: seed)
      self.make = make
    }

    mutating func element() -> Element {
      made += 1
      return make(made)
    }

    mutating func elements(_ count: Int) -> [Element] {
      (0..<count).map { _ in element() }
    }

    mutating func range() -> Range<Int> {
      let some = Int.random(in: 0...array.count, using: &random)
      let isShort = Bool.random(using: &random)
      let other =
        isShort
        ? min(array.count, some + Int.random(in: 0...20, using: &random))
        : Int.random(in: 0...array.count, using: &random)
      return min(some, other)..<max(some, other)
    }

    mutating func step(growing: Bool) {
      let place = Int.random(in: 0...array.count, using: &random)
      switch Int.random(in: 0..<(growing ? 14 : 17), using: &random) {
      case 0, 1, 2:
        let element = element()
        list.insert(element, at: place)
        array.insert(element, at: place)
      case 3, 4:
        let element = element()
        list.append(element)
        array.append(element)
      case 5:
        let some = elements(Int.random(in: 0...(growing ? 300 : 30), using: &random))
        list.insert(contentsOf: some, at: place)
        array.insert(contentsOf: some, at: place)
      case 6:
        let some = elements(Int.random(in: 0...40, using: &random))
        list.append(contentsOf: some)
        array.append(contentsOf: some)
      case 7:
        let (element, other) = (element(), element())
        guard place < array.count else { return }
        list[place] = element
        array[place] = element
        list.swapAt(place, array.count - 1 - place)
        array.swapAt(place, array.count - 1 - place)
        list[array.count - 1] = other
        array[array.count - 1] = other
      case 8:
        let range = range()
        let some = elements(Int.random(in: 0...range.count, using: &random))
        list.replaceSubrange(range, with: some)
        array.replaceSubrange(range, with: some)
      case 9:
        kept.append((list, array))
        if kept.count > 4 { kept.removeFirst() }
      case 10:
        guard let older = kept.randomElement(using: &random), array.count < 5000 else { return }
        list.insert(contentsOf: older.list, at: place)
        array.insert(contentsOf: older.array, at: place)
      case 11, 12, 13, 14:
        guard place < array.count else { return }
        #expect(list.remove(at: place) == array.remove(at: place))
      case 15:
        let range = range()
        list.removeSubrange(range)
        array.removeSubrange(range)
      default:
        guard !array.isEmpty else { return }
        #expect(list.removeLast() == array.removeLast())
        guard !array.isEmpty else { return }
        #expect(list.removeFirst() == array.removeFirst())
      }
    }

    func check(_ comment: Comment) {
      for kept in kept { #expect(Array(kept.list) == kept.array, comment) }
      #expect(list.count == array.count, comment)
      #expect(Array(list) == array, comment)
      #expect(list.elementsEqual(array), comment)
      #expect(array.indices.allSatisfy { list[$0] == array[$0] }, comment)
      var leaves: [Element] = []
      list.forEachLeaf { leaves += $0 }
      #expect(leaves == array, comment)
    }
  }

  func compare<Element: Hashable>(seed: UInt64, make: @escaping (Int) -> Element) {
    var model = Model(seed: seed, make: make)
    for round in 0..<12 {
      let growing = !round.isMultiple(of: 3) && model.array.count < 4000
      for _ in 0..<150 { model.step(growing: growing) }
      model.check("seed \(seed), round \(round)")
    }
  }

  @Test(arguments: seeds(2)) func agreesWithAnArray(seed: UInt64) {
    compare(seed: seed) { $0 }
    compare(seed: seed + 100) { Wide($0) }
    compare(seed: seed + 200) { "\($0) has some letters" }
  }

  @Test func emptyLeafIsRemoved() {
    for count in 2_040..<2_060 {
      var list = SharedArray<Int>()
      for number in 0...count { list.append(number) }
      list.removeLast()
      #expect(list.partitioningIndex { $0 >= count - 5 } == count - 5)
      #expect(Array(list) == Array(0..<count))
    }
  }

  @Test(arguments: seeds(2)) func releasesItsElements(seed: UInt64) {
    let tally = Counted.Tally()
    compare(seed: seed) { Counted($0, tally) }
    #expect(tally.live == 0, "seed \(seed)")
  }

  @Test func insertsAndRemovesAtEachIndexOfEachSize() {
    for size in [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 65, 195, 256] {
      let array = (0..<size).map { Wide($0) }
      let list = SharedArray(array)
      for place in 0...size {
        var (copy, model) = (list, array)
        copy.insert(Wide(-1), at: place)
        model.insert(Wide(-1), at: place)
        #expect(Array(copy) == model, "size \(size), insertion at \(place)")
        copy.insert(Wide(-2), at: place)
        model.insert(Wide(-2), at: place)
        #expect(Array(copy) == model, "size \(size), two insertions at \(place)")
        if place < size {
          (copy, model) = (list, array)
          #expect(copy.remove(at: place) == model.remove(at: place))
          #expect(Array(copy) == model, "size \(size), removal at \(place)")
        }
      }
      #expect(Array(list) == array, "size \(size), unchanged")
    }
  }

  @Test func replacesEachRange() {
    for size in [0, 1, 3, 17, 40] {
      let array = (0..<size).map { Wide($0) }
      let list = SharedArray(array)
      for start in 0...size {
        for end in start...size {
          for added in [0, 1, 13, 40] {
            let some = (0..<added).map { Wide(1000 + $0) }
            var (copy, model) = (list, array)
            copy.replaceSubrange(start..<end, with: some)
            model.replaceSubrange(start..<end, with: some)
            #expect(Array(copy) == model, "size \(size), \(start)..<\(end), added \(added)")
          }
        }
      }
      #expect(Array(list) == array)
    }
  }

  @Test func editsAMillionElements() {
    var list = SharedArray(0..<1_000_000)
    let before = list
    #expect(list.count == 1_000_000)
    #expect(list.elementsEqual(0..<1_000_000))
    list.insert(-1, at: 500_000)
    #expect(list[499_999] == 499_999)
    #expect(list[500_000] == -1)
    #expect(list[500_001] == 500_000)
    list.removeSubrange(100..<999_901)
    #expect(Array(list) == Array(0..<100) + Array(999_900..<1_000_000))
    #expect(before.elementsEqual(0..<1_000_000))
  }

  @Test(arguments: seeds(3)) func removingAllElementsReleasesThem(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let tally = Counted.Tally()
    var array = (0..<3000).map { Counted($0, tally) }
    var list = SharedArray(array)
    var wrong = 0
    while !array.isEmpty {
      let place = Int.random(in: 0..<array.count, using: &random)
      if list.remove(at: place) !== array.remove(at: place) { wrong += 1 }
      if array.count.isMultiple(of: 100) {
        #expect(tally.live == array.count, "seed \(seed)")
      }
    }
    #expect(wrong == 0, "seed \(seed)")
    #expect(list.isEmpty)
    #expect(Array(list) == [])
    list.append(Counted(1, tally))
    #expect(list.map(\.number) == [1])
  }

  @Test func leavesStayFilledAfterManyRemovals() {
    var random = SeededGenerator(seed: 7)
    var list = SharedArray((0..<4000).map { Wide($0) })
    for number in 0..<10_000 {
      list.insert(Wide(number), at: Int.random(in: 0...list.count, using: &random))
      list.remove(at: Int.random(in: 0..<list.count, using: &random))
    }
    while list.count > 300 { list.remove(at: Int.random(in: 0..<list.count, using: &random)) }
    var leaves: [Int] = []
    list.forEachLeaf { leaves.append($0.count) }
    #expect(leaves.reduce(0, +) == 300)
    #expect(leaves.count <= 300 / 4, "seed 7")
  }

  @Test func copiesAreIdenticalUntilAChange() {
    var list = SharedArray(0..<1000)
    let copy = list
    #expect(list.isIdentical(to: copy))
    list[3] = 3
    #expect(!list.isIdentical(to: copy))
    #expect(list == copy)
    #expect(list.hashValue == copy.hashValue)
    list[3] = 4
    #expect(list != copy)
    #expect(copy[3] == 3)
    #expect(SharedArray<Int>().isIdentical(to: []))
  }

  @Test(arguments: [0, 1, 2, 5, 127, 128, 129, 1000, 4099]) func partitioningIndexFindsEachBound(
    count: Int
  ) {
    let list = SharedArray((0..<count).map { $0 * 2 })
    var most = 0
    let wrong = (-1...2 * count + 1).filter { bound in
      var calls = 0
      let index = list.partitioningIndex {
        calls += 1
        return $0 >= bound
      }
      most = max(most, calls)
      return index != max(0, min(count, (bound + 1) / 2))
    }
    #expect(wrong == [])
    #expect(most <= 17)
  }

  @Test func elementsAreMutatedInPlace() {
    var lists = SharedArray((0..<300).map { [$0] })
    lists[200].append(1)
    lists[0].removeAll()
    #expect(lists[200] == [200, 1])
    #expect(lists[0] == [])
    lists.sort { $0.count > $1.count }
    #expect(lists.first == [200, 1])
    #expect(lists.last == [])
    #expect(lists.reversed().count == 300)
    #expect(Array(lists[1...2]) == [[1], [2]])
  }

  @Test func descriptionAndHashMatchAnArray() {
    let list: SharedArray = ["a", "b"]
    #expect("\(list)" == #"["a", "b"]"#)
    #expect(String(reflecting: list) == #"["a", "b"]"#)
    #expect("\(SharedArray<Int>())" == "[]")
    #expect(Array(SharedArray(repeating: 7, count: 300)) == Array(repeating: 7, count: 300))
    #expect(Array(SharedArray(sequence(first: 1) { $0 < 999 ? $0 + 1 : nil })) == Array(1...999))
    #expect(SharedArray(list).isIdentical(to: list))
    #expect(list + ["c"] == ["a", "b", "c"])
    #expect(SharedArray<Int>(repeating: 1, count: 0) == [])
    var emptied = list
    emptied.removeAll()
    #expect(emptied.isEmpty)
  }
}
