import RunnelCollections
import RunnelTesting
import Testing

@Suite struct KeyedPropertyTests {
  @Test func aDictionarySendsByKey() {
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

  @Test func aSetSendsWhatMakesADifference() {
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
    tags.replace(with: [9])
    #expect(log.last == "reset")
  }

  /// Batches at random; each event turns what was into what is.
  @Test(arguments: 0..<4) func randomBatches(_ seed: Int) {
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
