import RunnelCollections
import RunnelTesting
import Testing

@Suite struct DictionaryEntriesTests {
  @Test func newKeysAreAppended() {
    let ages = CollectionProperty(["Jim": 33])
    let log = ChangeLog(ages.entries.map { "\($0.key) \($0.value)" })
    let values = ages.values
    ages["Bones"] = 39
    ages["Jim"] = 34
    ages["Molly"] = 7
    ages.batch {
      ages["Jim"] = nil
      ages["Jim"] = 35
    }
    ages["Bones"] = nil
    ages["Bones"] = 40
    #expect(Array(values.value) == [35, 7, 40])
    ages.replace(with: ["Spock": 35])
    #expect(
      log.lines == [
        "+[1] -[] u[] m[] [\"Jim 33\", \"Bones 39\"]",
        "+[] -[] u[0] m[] [\"Jim 34\", \"Bones 39\"]",
        "+[2] -[] u[] m[] [\"Jim 34\", \"Bones 39\", \"Molly 7\"]",
        "+[] -[] u[0] m[] [\"Jim 35\", \"Bones 39\", \"Molly 7\"]",
        "+[] -[1] u[] m[] [\"Jim 35\", \"Molly 7\"]",
        "+[2] -[] u[] m[] [\"Jim 35\", \"Molly 7\", \"Bones 40\"]", "reset [\"Spock 35\"]",
      ])
    #expect(Array(values.value) == [35])
  }

  @Test func entriesAreSorted() {
    let ages = CollectionProperty(["Jim": 33, "Bones": 39, "Molly": 7])
    let eldestFirst = ages.sorted { $0.value > $1.value }
    let byName = ages.sortedByKey()
    let log = ChangeLog(eldestFirst.map(\.key))
    ages["Molly"] = 70
    ages["Molly"] = 71
    ages["Ann"] = 50
    ages["Bones"] = nil
    #expect(byName.map { $0.key } as [String] == ["Ann", "Jim", "Molly"])
    #expect(
      log.lines == [
        "+[] -[] u[2] m[2→0] [\"Molly\", \"Bones\", \"Jim\"]",
        "+[] -[] u[0] m[] [\"Molly\", \"Bones\", \"Jim\"]",
        "+[1] -[] u[] m[] [\"Molly\", \"Ann\", \"Bones\", \"Jim\"]",
        "+[] -[2] u[] m[] [\"Molly\", \"Ann\", \"Jim\"]",
      ])
  }

  @Test func observerMayChangeTheDictionary() {
    let ages = CollectionProperty([0: 0])
    let sorted = ages.sortedByKey()
    let validator = ListValidator(sorted.map { "\($0.key) \($0.value)" })
    sorted.observe { event in
      guard event.collection.count < 6 else { return }
      ages[-event.collection.count] = 1
      ages[0] = event.collection.count
    }
    ages[5] = 1
    #expect(validator.problems == [] && sorted.count == ages.count && ages.count >= 6)
    #expect(sorted.value.allSatisfy { ages[$0.key] == $0.value })
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let ages = CollectionProperty<[Int: Int]>()
    let entries = ages.entries.map { [$0.key, $0.value] }
    let sorted = ages.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { [$0.value, $0.key] }
    let validators = [ListValidator(entries), ListValidator(sorted), ListValidator(sorted)]
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: ages)
      let all = ages.value.map { [$0.key, $0.value] }
      let isRight =
        Set(entries.value) == Set(all) && entries.count == all.count
        && Array(sorted.value)
          == all.map { [$0[1], $0[0]] }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
      let problems = validators.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }
}
