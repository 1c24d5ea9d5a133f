import RunnelCollections
import RunnelTesting
import Testing

@Suite struct DictionaryDerivingTests {
  @Test func keysFormALiveSet() {
    let ages = CollectionProperty(["Jim": 33])
    let keys = ages.keys
    var log: [String] = []
    keys.observe { event in
      guard let changes = event.changes else { return log.append("\(event.change)") }
      log.append("+\(changes.inserts.sorted()) -\(changes.deletes.sorted())")
    }
    ages["Jim"] = 34
    ages["Bones"] = 39
    ages.batch {
      ages["Jim"] = nil
      ages["Bones"] = 40
      ages["Ann"] = 1
    }
    ages.replace(with: [:])
    #expect(log == ["initial", "+[\"Bones\"] -[]", "+[\"Ann\"] -[\"Jim\"]", "reset"])
    #expect(keys.isEmpty)
  }

  @Test func eachValueIsTransformedOnce() {
    let ages = CollectionProperty(["Jim": 33, "Molly": 7])
    var calls = 0
    let texts = ages.mapValues { age in
      calls += 1
      return "\(age)"
    }
    ages["Jim"] = 34
    ages["Molly"] = nil
    #expect(calls == 3 && texts.count == 1 && texts["Jim"] == "34")
    let maybe: LiveCollection<[String: Int?]> = ages.mapValues { $0 > 40 ? $0 : nil }
    #expect(maybe.count == 1)
  }

  @Test func updatesInsertAndDeleteFilteredKeys() {
    let ages = CollectionProperty(["Jim": 33, "Molly": 7])
    let adults = ages.filter { $0.key != "Bones" && $0.value >= 18 }
    let halves = ages.compactMapValues { $0 % 2 == 0 ? $0 / 2 : nil }
    let check = CollectionValidator(adults)
    ages["Bones"] = 39
    ages["Molly"] = 8
    #expect(check.eventCount == 1)
    ages["Molly"] = 18
    ages["Jim"] = 17
    #expect(adults.value == ["Molly": 18] && halves.value == ["Molly": 9])
    #expect(check.eventCount == 3 && check.problems == [])
  }

  @Test func observerMayChangeTheDictionary() {
    let numbers = CollectionProperty([0: 0])
    let even = numbers.filter { $0.value % 2 == 0 }
    let checks = [CollectionValidator(even), CollectionValidator(even)]
    even.observe { event in
      guard event.collection.count < 5 else { return }
      numbers[event.collection.count * 2] = 8
      numbers[event.collection.count * 2 + 1] = 7
    }
    numbers[0] = 2
    #expect(checks.flatMap(\.problems) == [] && even.count == 5)
    #expect(checks[1].elements == even.value)
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let numbers = CollectionProperty<[Int: Int]>()
    let keys = numbers.keys
    let mapped = numbers.mapValues { $0 * 2 }
    let filtered = numbers.filter { $0.value % 3 != 0 }
    let ofKeys = CollectionValidator(keys)
    let checks = [
      CollectionValidator(numbers), CollectionValidator(mapped), CollectionValidator(filtered),
    ]
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: numbers)
      let all = Dictionary(uniqueKeysWithValues: numbers.value.map { ($0.key, $0.value) })
      let isRight =
        keys.value == SharedSet(all.keys)
        && mapped.value == SharedDictionary(all.mapValues { $0 * 2 })
        && filtered.value == SharedDictionary(all.filter { $0.value % 3 != 0 })
      let problems = ofKeys.problems + checks.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }
}
