import RunnelCollections
import RunnelTesting
import Testing

@Suite struct DictionaryPropertyTests {
  @Test func dictionaryReportsChangesByKey() {
    let ages = CollectionProperty(["Jim": 33])
    var log: [String] = []
    ages.observe { event in
      guard let changes = event.changes else {
        return log.append("\(event.change) \(event.collection.count)")
      }
      log.append("\(changes.inserts) \(changes.deletes) \(changes.updates.mapValues(\.old))")
    }
    ages["Bones"] = 39
    ages["Jim", default: 0] += 1
    ages["Jim"] = nil
    ages["Spock"] = nil
    ages.batch {
      ages["Uhura"] = 28
      ages["Uhura"] = nil
      ages["Bones"] = 40
    }
    #expect(
      log == [
        "initial 1", "[\"Bones\": 39] [:] [:]", "[:] [:] [\"Jim\": 33]", "[:] [\"Jim\": 34] [:]",
        "[:] [:] [\"Bones\": 39]",
      ])
    ages.replace(with: [:])
    #expect(log.last == "reset 0" && ages.isEmpty)
  }

  @Test func popFirstSkipsMembersUnequalToThemselves() {
    let odd = (1...20).map { Double(nan: $0, signaling: false) }
    let numbers = CollectionProperty(Set((1...20).map(Double.init) + odd))
    for _ in 0..<20 { #expect(numbers.popFirst() != nil) }
    #expect(numbers.popFirst() == nil && numbers.count == 20)
  }

  @Test func setReportsEffectiveChanges() {
    let tags = CollectionProperty(Set([1, 2]))
    var log: [String] = []
    tags.observe { event in
      guard let changes = event.changes else { return log.append("\(event.change)") }
      log.append("\(changes.inserts.sorted()) \(changes.deletes.sorted())")
    }
    tags.insert(2)
    tags.remove(7)
    tags.insert(3)
    tags.formUnion([3, 4, 5])
    tags.subtract([1, 9])
    tags.formIntersection([2, 3])
    tags.batch {
      tags.insert(8)
      tags.remove(8)
    }
    #expect(log == ["initial", "[3] []", "[4, 5] []", "[] [1]", "[] [4, 5]"])
    #expect(tags.contains(3) && tags.count == 2)
    #expect(tags.isSubset(of: [1, 2, 3]) && !tags.isSubset(of: [3]))
    #expect(tags.isSuperset(of: [3]) && tags.isSuperset(of: []) && !tags.isSuperset(of: [1]))
    #expect(tags.isStrictSubset(of: [1, 2, 3]) && !tags.isStrictSubset(of: tags))
    #expect(!tags.isStrictSubset(of: [1, 2, 4, 6]))
    #expect(tags.isStrictSuperset(of: [3, 3]) && !tags.isStrictSuperset(of: tags))
    #expect(!tags.isStrictSuperset(of: [1]))
    #expect(tags.isDisjoint(with: [1]) && !tags.isDisjoint(with: tags))
    tags.replace(with: [9])
    #expect(log.last == "reset")
  }

  @Test func supportOperationsOfDictionariesAndSets() {
    let ages = CollectionProperty(["Jim": 33])
    let check = CollectionValidator(ages)
    ages.merge(["Jim": 1, "Bones": 39], uniquingKeysWith: +)
    ages.merge([("Uhura", 20), ("Uhura", 8)]) { $0 + $1 }
    #expect(ages.updateValue(40, forKey: "Bones") == 39)
    #expect(ages.removeValue(forKey: "Uhura") == 28 && ages.removeValue(forKey: "Uhura") == nil)
    #expect(ages.value == ["Jim": 34, "Bones": 40])
    var all: [String: Int] = [:]
    for (name, age) in ages { all[name] = age }
    #expect(all == ["Jim": 34, "Bones": 40] && ages.contains { $0.value == 40 })

    let tags = CollectionProperty(Set([1, 2]))
    let others = CollectionProperty(Set([5, 6]))
    let ofTags = CollectionValidator(tags)
    #expect(tags.insert(3) == (true, 3) && tags.insert(3) == (false, 3))
    tags.formSymmetricDifference([3, 4, 4])
    #expect(tags.value == [1, 2, 4])
    tags.formUnion(others)
    tags.subtract(others.filter { $0 == 6 })
    tags.formUnion(tags)
    #expect(tags.value == [1, 2, 4, 5])
    var sum = 0
    for tag in tags { sum += tag }
    #expect(sum == 12 && tags.contains(5) && Array(tags).count == tags.count)
    #expect(check.problems + ofTags.problems == [] && ofTags.eventCount == 5)
  }

  @Test func popFirstEmptiesTheCollection() {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39])
    let tags = CollectionProperty(Set([1, 2, 3]))
    let (checkAges, checkTags) = (CollectionValidator(ages), CollectionValidator(tags))
    var people: [String: Int] = [:]
    while let (key, value) = ages.popFirst() { people[key] = value }
    #expect(people == ["Jim": 33, "Bones": 39] && ages.isEmpty)
    var members: Set<Int> = []
    while let member = tags.popFirst() { members.insert(member) }
    #expect(members == [1, 2, 3] && tags.isEmpty)
    #expect(checkAges.problems == [] && checkTags.problems == [])
    #expect(checkAges.eventCount == 3 && checkTags.eventCount == 4)
    // A member that is not equal to itself cannot be removed.
    let numbers = CollectionProperty([Double.nan: 0, 1: 1])
    #expect(numbers.popFirst()?.key == 1 && numbers.popFirst() == nil)
    let odd = CollectionProperty(Set([Double.nan, 1]))
    #expect(odd.popFirst() == 1 && odd.popFirst() == nil)
  }

  /// Closures may change the collection that they are called for.
  @Test func closuresMayChangeTheirCollection() {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39])
    let tags = CollectionProperty(Set([1, 2]))
    let (check, ofTags) = (CollectionValidator(ages), CollectionValidator(tags))
    ages.merge(["Jim": 1, "Bones": 2]) { old, new in
      ages["Spock"] = 1
      return old + new
    }
    #expect(ages.value == ["Jim": 34, "Bones": 41, "Spock": 1])
    let changing = [3, 2].lazy.map { member in
      tags.remove(1)
      return member
    }
    tags.formUnion(changing)
    #expect(tags.value == [2, 3])
    tags.insert(1)
    tags.subtract(changing)
    tags.insert(1)
    tags.formSymmetricDifference(changing)
    #expect(tags.value == [2, 3])
    tags.insert(1)
    tags.replace(with: changing, performDiff: true)
    #expect(tags.value == [2, 3] && check.problems + ofTags.problems == [])
  }

  /// Random batches. Each event turns the old collection into the new one.
  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let ages = CollectionProperty<[Int: Int]>()
    var known = SharedDictionary<Int, Int>()
    var problems = 0
    ages.observe { event in
      if let changes = event.changes {
        let before = known
        changes.apply(to: &known)
        var back = known
        changes.inverse.apply(to: &back)
        if back != before || changes.isEmpty { problems += 1 }
      } else {
        known = event.collection
      }
      if known != event.collection { problems += 1 }
    }
    for _ in 0..<2_000 {
      ages.batch {
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
          let key = Int.random(in: 0..<12, using: &random)
          switch Int.random(in: 0..<20, using: &random) {
          case 0: ages.removeAll()
          case 1: ages.replace(with: [key: 1])
          case 2..<9: ages[key] = nil
          default: ages[key] = Int.random(in: 0..<4, using: &random)
          }
        }
      }
    }
    #expect(problems == 0, "seed \(seed)")
  }
}
