import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// In-place mutation of the values of a dictionary.
@Suite struct InPlaceTests {
  private typealias Rooms = CollectionProperty<[String: [Int]]>

  private struct Refusal: Error {}

  private func rooms() -> Rooms {
    let rooms = Rooms()
    rooms["a", default: []].reserveCapacity(100)
    return rooms
  }

  /// Returns the address of the numbers of a room, which changes when they are copied.
  private func place(of key: String, in rooms: Rooms) -> UnsafePointer<Int>? {
    rooms[key]?.withUnsafeBufferPointer(\.baseAddress)
  }

  @Test func unobservedMutationCopiesNothing() {
    let rooms = rooms()
    let start = place(of: "a", in: rooms)
    #expect(start != nil)
    for number in 0..<20 {
      rooms["a", default: []].append(number)
      rooms["a", default: [-1]].append(number)
    }
    rooms.batch {
      for number in 20..<30 { rooms["a", default: []].append(number) }
    }
    #expect(place(of: "a", in: rooms) == start)
    #expect(rooms["a"]?.count == 50 && rooms.count == 1)
  }

  @Test func valuesSetInABatchAreNotCopied() {
    let rooms = CollectionProperty<[String: [Int]]>(["a": []])
    func place() -> UnsafePointer<Int>? { rooms["a"]?.withUnsafeBufferPointer(\.baseAddress) }
    rooms.batch {
      var room: [Int] = []
      room.reserveCapacity(100)
      rooms["a"] = room
      room = []
      let start = place()
      for number in 0..<3 { rooms["a", default: []].append(number) }
      #expect(place() == start)
    }
  }

  @Test func batchCopiesAValueOnce() {
    let rooms = rooms()
    let start = place(of: "a", in: rooms)
    let validator = CollectionValidator(rooms)
    var updates: [DictionaryChanges<String, [Int]>.Update?] = []
    rooms.observe { updates.append($0.changes?.updates["a"]) }
    rooms.batch {
      rooms["a", default: []].append(1)
      rooms["a", default: []].reserveCapacity(100)
      let copy = place(of: "a", in: rooms)
      #expect(copy != start)
      for number in 2..<50 { rooms["a", default: []].append(number) }
      #expect(place(of: "a", in: rooms) == copy)
      rooms["b", default: []].reserveCapacity(100)
      let other = place(of: "b", in: rooms)
      for number in 0..<50 { rooms["b", default: []].append(number) }
      #expect(place(of: "b", in: rooms) == other)
    }
    #expect(updates.last??.old == [])
    #expect(updates.last??.new == Array(1..<50))
    #expect(validator.problems == [])
    #expect(validator.eventCount == 2)
  }

  /// A mutation does not affect copies of the collection.
  @Test func snapshotKeepsItsValue() {
    let rooms = rooms()
    rooms["a"] = [1]
    let snapshot = rooms.value
    rooms["a", default: []].append(2)
    rooms.batch {
      rooms["a", default: []].append(3)
      rooms["a", default: []].append(4)
    }
    #expect(snapshot["a"] == [1])
    #expect(rooms["a"] == [1, 2, 3, 4])
  }

  @Test func anErrorLosesNothing() {
    let rooms = rooms()
    rooms["a"] = [1, 2, 3]
    #expect(throws: Refusal.self) { try rooms["a"]?.removeAll { _ in throw Refusal() } }
    #expect(throws: Refusal.self) {
      try rooms["a", default: []].removeAll { _ in throw Refusal() }
    }
    #expect(rooms["a"] == [1, 2, 3])
  }

  /// The key is absent during the mutation. All others exist and may be changed.
  @Test func closuresMayUseOtherKeys() {
    let rooms = rooms()
    rooms["a"] = [1, 2, 3]
    rooms["b"] = [4]
    rooms["a", default: []].removeAll { number in
      if number == 2 {
        rooms["b", default: []].append(5)
        rooms["c"] = [6]
      }
      return number == 3
    }
    #expect(rooms.value == ["a": [1, 2], "b": [4, 5], "c": [6]])
    rooms["a", default: []].removeAll { number in
      rooms["a"] = [number, number]
      return number == 1
    }
    #expect(rooms.value == ["a": [2], "b": [4, 5], "c": [6]])
  }

  /// Without a default, the access begins before the right-hand side is evaluated.
  @Test func valueMayBeComputedFromItself() {
    let names = CollectionProperty(["a": "x"])
    if let name = names["a"] { names["a"]? += name.uppercased() }
    names["a"]? += names["a"]?.uppercased() ?? "?"
    #expect(names["a"] == "xXXX")
    let rooms = rooms()
    rooms["a"] = [1, 2, 3]
    rooms["a"]?.append(rooms["a"]?.count ?? -100)
    rooms["a"]?[0] = rooms["a"]?.last ?? -100
    rooms["a", default: []].append(rooms["a"]?.count ?? -100)
    #expect(rooms["a"] == [3, 2, 3, 3, 4])
    let keys = ["a", "a"]
    swap(&rooms[keys[0]], &rooms[keys[1]])
    #expect(rooms["a"] == [3, 2, 3, 3, 4])
  }

  @Test func observerAddedDuringMutationGetsAnEvent() {
    let rooms = rooms()
    rooms["a"] = [1, 2]
    var validator: CollectionValidator<[String: [Int]]>?
    var log: [String] = []
    rooms["a", default: []].removeAll { number in
      guard number == 1 else { return false }
      validator = CollectionValidator(rooms)
      rooms.observe { log.append("\($0.collection.count) \($0.changes == nil)") }
      return true
    }
    #expect(rooms["a"] == [2])
    #expect(log == ["0 true", "1 false"])
    #expect(validator?.problems == [])
  }

  @Test func settingNilRemovesAKey() {
    func clear(_ value: inout [Int]?) { value = nil }
    let rooms = rooms()
    clear(&rooms["a"])
    clear(&rooms["b"])
    #expect(rooms.isEmpty)
    rooms["a"] = [1]
    let validator = CollectionValidator(rooms)
    rooms.batch {
      rooms["a", default: []].append(2)
      clear(&rooms["a"])
      rooms["b"] = [1]
      clear(&rooms["b"])
      clear(&rooms["c"])
    }
    #expect(rooms.isEmpty)
    clear(&rooms["a"])
    #expect(validator.problems == [])
    #expect(validator.eventCount == 2)
  }

  /// Compared with a standard dictionary, with observers that are added and removed.
  @Test(arguments: seeds(4)) func randomChanges(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let rooms = Rooms()
    var expected: [String: [Int]] = [:]
    var validator: CollectionValidator<[String: [Int]]>?
    func change(_ number: Int) {
      let key = "\(Int.random(in: 0..<6, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        rooms[key] = nil
        expected[key] = nil
      case 1:
        rooms[key] = [number]
        expected[key] = [number]
      case 2:
        rooms[key, default: [7]].removeAll { $0 % 2 == 0 }
        expected[key, default: [7]].removeAll { $0 % 2 == 0 }
      case 3: validator = nil
      case 4: validator = CollectionValidator(rooms)
      default:
        rooms[key, default: []].append(number)
        expected[key, default: []].append(number)
      }
    }
    for number in 0..<500 {
      if number % 3 == 0 {
        rooms.batch { for part in 0..<8 { change(number * 10 + part) } }
      } else {
        change(number * 10)
      }
      #expect(rooms.value == SharedDictionary(expected), "seed \(seed), change \(number)")
      #expect(validator?.problems ?? [] == [], "seed \(seed), change \(number)")
    }
  }
}
