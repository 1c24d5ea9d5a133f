import RunnelCollections
import RunnelTesting
import Testing

@Suite struct SharedDictionaryTests {
  @Test func supportsDictionaryOperations() {
    var ages: SharedDictionary = ["Ann": 31, "Bob": 27]
    #expect(ages["Ann"] == 31)
    #expect(ages["Cy"] == nil)
    #expect(ages.updateValue(32, forKey: "Ann") == 31)
    #expect(ages.updateValue(5, forKey: "Cy") == nil)
    #expect(ages.removeValue(forKey: "Bob") == 27)
    #expect(ages.removeValue(forKey: "Bob") == nil)
    ages["Ann"] = nil
    ages["Cy", default: 0] += 1
    ages["Di", default: 40] += 1
    #expect(ages["Eve", default: 7] == 7)
    #expect(ages.count == 2)
    #expect(ages.contains(key: "Di") && !ages.contains(key: "Eve"))
    #expect(Set(ages.keys) == ["Cy", "Di"])
    #expect(ages.values.sorted() == [6, 41])
    ages.removeAll()
    #expect(ages.isEmpty && ages["Cy"] == nil)
  }

  @Test func removingAMissingKeyCopiesNothing() {
    let old = SharedDictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) })
    var new = old
    new.removeValue(forKey: 100)
    #expect(new.isIdentical(to: old))
  }

  @Test(arguments: [0, 1, 5, 64] as [UInt64])
  func randomChangesMatchADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let range = seed == 0 ? 0...20 : 0...3000
    var model: [Int: Int] = [:]
    var shared = SharedDictionary<Int, Int>()
    var kept: [(model: [Int: Int], shared: SharedDictionary<Int, Int>)] = []
    for step in 0..<20_000 {
      let key = Int.random(in: range, using: &random)
      // The dictionary grows first, then shrinks.
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<(step < 10_000 ? 5 : 2):
        #expect(shared.updateValue(step, forKey: key) == model.updateValue(step, forKey: key))
      case 9:
        shared[key, default: -1] += 1
        model[key, default: -1] += 1
      default:
        #expect(shared.removeValue(forKey: key) == model.removeValue(forKey: key))
      }
      if step % 1000 == 0 { kept.append((model, shared)) }
    }
    kept.append((model, shared))
    for (model, shared) in kept { check(shared, model, "seed \(seed)") }
  }

  @Test func allSmallDictionariesAreCorrect() {
    for size in 0...5 {
      for first in 0..<(1 << size) {
        var shared = SharedDictionary<Colliding, Int>()
        var model: [Colliding: Int] = [:]
        for index in 0..<size {
          shared[Colliding(index)] = index
          model[Colliding(index)] = index
        }
        let before = shared
        for index in 0..<size where first & 1 << index != 0 {
          shared[Colliding(index)] = nil
          model[Colliding(index)] = nil
        }
        check(shared, model, "\(size) keys without \(first)")
        #expect(before.count == size)
      }
    }
  }

  @Test func keysWithEqualHashesAreDistinct() {
    var random = SeededGenerator(seed: 7)
    var shared = SharedDictionary<Colliding, Int>()
    for id in 0..<200 { shared[Colliding(id)] = id }
    let full = shared
    #expect(shared.count == 200)
    for id in 0..<200 { #expect(shared[Colliding(id)] == id) }
    for (gone, id) in (0..<200).shuffled(using: &random).enumerated() {
      #expect(shared.removeValue(forKey: Colliding(id)) == id)
      #expect(shared.count == 199 - gone)
      #expect(shared[Colliding(id)] == nil)
    }
    #expect(shared.isEmpty)
    check(full, Dictionary(uniqueKeysWithValues: (0..<200).map { (Colliding($0), $0) }), "full")
  }

  @Test(arguments: [3, 4, 20, 1000, 50_000])
  func removedValuesAreReleased(count: Int) {
    let alive = Counter()
    var shared = SharedDictionary<Int, Tallied>()
    for key in 0..<count { shared[key] = Tallied(alive) }
    var copy = shared
    for key in 0..<count where key % 2 == 0 { copy[key] = nil }
    #expect(alive.count == count)
    for key in 0..<count { shared[key] = nil }
    #expect(alive.count == count / 2)
    for key in 0..<count { copy[key] = Tallied(alive) }
    #expect(alive.count == count)
    for key in 0..<count { copy[key] = nil }
    #expect(alive.count == 0)
    #expect(shared.isEmpty && copy.isEmpty)
  }

  @Test func storesEntriesOfAllSizes() {
    var small = SharedDictionary<UInt8, Void>()
    for key in 0...UInt8.max { small[key] = () }
    #expect(small.count == 256 && small.keys.sorted() == Array(0...UInt8.max))
    var wide = SharedDictionary<Int, SIMD8<Double>>()
    for key in 0..<500 { wide[key] = SIMD8(repeating: Double(key)) }
    for key in 0..<500 { #expect(wide[key] == SIMD8(repeating: Double(key))) }
    var none = SharedDictionary<Nothing, Void>()
    none[Nothing()] = ()
    none[Nothing()] = ()
    #expect(none.count == 1)
  }

  /// A million keys with `RUNNEL_CASES`.
  @Test func storesManyKeys() {
    let count = runsManyCases ? 1_000_000 : 100_000
    let pairs = (0..<count).map { ($0, $0 + 1) }
    var shared = SharedDictionary(uniqueKeysWithValues: pairs)
    let before = shared
    for key in stride(from: 0, to: count, by: 1000) { shared[key] = nil }
    #expect(before.count == count && shared.count == count - count / 1000)
    #expect((0..<count).allSatisfy { before[$0] == $0 + 1 })
    #expect((0..<count).allSatisfy { shared[$0] == ($0 % 1000 == 0 ? nil : $0 + 1) })
    #expect(before.reduce(0) { $0 + $1.value } == count * (count + 1) / 2)
  }

  @Test func initializerCombinesDuplicateKeys() {
    let pairs = (0..<80_000).map { ($0 % 40_000, $0) }
    let first = SharedDictionary(pairs) { old, _ in old }
    let last = SharedDictionary(pairs) { _, new in new }
    check(first, Dictionary(pairs) { old, _ in old }, "first")
    check(last, Dictionary(pairs) { _, new in new }, "last")
    check(SharedDictionary([1: "a", 2: "b"]), [1: "a", 2: "b"], "of a dictionary")
  }

  @Test func mapsValues() {
    let shared = SharedDictionary(uniqueKeysWithValues: (0..<1000).map { ($0, $0) })
    let model = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, "\($0)") })
    check(shared.mapValues { "\($0)" }, model, "mapped")
    #expect(SharedDictionary<Int, Int>().mapValues { $0 }.isEmpty)
  }

  @Test func inconsistentHashesAreTolerated() {
    var random = SeededGenerator(seed: 11)
    for round in 0..<20 {
      let answers = RandomAnswers(seed: UInt64(round))
      var shared = SharedDictionary<InconsistentKey, Tallied>()
      var kept: [SharedDictionary<InconsistentKey, Tallied>] = []
      let alive = Counter()
      for step in 0..<2000 {
        let key = InconsistentKey(id: Int.random(in: 0..<50, using: &random), answers: answers)
        if Bool.random(using: &random) {
          shared[key] = Tallied(alive)
        } else {
          shared[key] = nil
        }
        _ = shared[key]
        if step % 100 == 0 { kept.append(shared) }
        #expect(shared.reduce(0) { count, _ in count + 1 } == shared.count, "round \(round)")
      }
      kept = []
      #expect(alive.count == shared.count, "round \(round)")
      shared = [:]
      #expect(alive.count == 0, "round \(round)")
    }
  }

  @Test func equalityAndHashIgnoreTheOrder() {
    let keys = Array(0..<300)
    let up = SharedDictionary(uniqueKeysWithValues: keys.map { (Colliding($0), $0) })
    let down = SharedDictionary(uniqueKeysWithValues: keys.reversed().map { (Colliding($0), $0) })
    #expect(up == down)
    #expect(up.hashValue == down.hashValue)
    var other = down
    other[Colliding(5)] = 6
    #expect(up != other)
    other[Colliding(5)] = nil
    #expect(up != other)
  }

  @Test func descriptionMatchesADictionary() {
    #expect("\(SharedDictionary<Int, Int>())" == "[:]")
    #expect("\(SharedDictionary(["a": 1.5]))" == "[\"a\": 1.5]")
  }

  private func check<Key, Value: Equatable>(
    _ shared: SharedDictionary<Key, Value>, _ model: [Key: Value], _ comment: Comment
  ) {
    #expect(shared.count == model.count, comment)
    #expect(Dictionary(shared.map { ($0.key, $0.value) }) { old, _ in old } == model, comment)
    #expect(Array(shared).count == model.count, comment)
    #expect(model.allSatisfy { shared[$0.key] == $0.value }, comment)
    #expect(shared == SharedDictionary(model), comment)
  }
}

/// A key with a constant hash.
struct Colliding: Hashable {
  var id: Int

  init(_ id: Int) { self.id = id }

  func hash(into hasher: inout Hasher) {}
}

private struct Nothing: Hashable {}

/// A counter of living values.
private final class Counter {
  var count = 0
}

private final class Tallied {
  let counter: Counter

  init(_ counter: Counter) {
    self.counter = counter
    counter.count += 1
  }

  deinit { counter.count -= 1 }
}

/// A source of random answers of keys.
private final class RandomAnswers {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }
}

/// A key with a random `==` and hash.
private struct InconsistentKey: Hashable {
  let id: Int
  let answers: RandomAnswers

  static func == (left: InconsistentKey, right: InconsistentKey) -> Bool {
    Int.random(in: 0..<4, using: &left.answers.random) == 0
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(Int.random(in: 0..<3, using: &answers.random))
  }
}
