import Checking
import Runnel

/// A linear congruential generator, so that each run makes the same edits.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

// Random edits: derived collections equal what the standard library computes, and a copy that
// applies the changes equals the original.
let numbers = CollectionProperty((0..<50).map { $0 })
let threshold = Property(40)
let derived = numbers.filter(by: threshold.map { limit in { $0 < limit } }).sorted().map { "\($0)" }
let copy = CollectionProperty<[Int]>()
numbers.observe { event in
  guard let changes = event.changes else { return copy.replace(with: Array(event.collection)) }
  copy.apply(changes)
}
var generator = SeededGenerator(state: 7)
for step in 0..<2_000 {
  let number = Int.random(in: 0..<100, using: &generator)
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: numbers.append(number)
  case 1 where !numbers.isEmpty:
    numbers.remove(at: Int.random(in: 0..<numbers.count, using: &generator))
  case 2 where !numbers.isEmpty:
    numbers[Int.random(in: 0..<numbers.count, using: &generator)] = number
  case 3 where numbers.count > 1:
    numbers.move(from: Int.random(in: 0..<numbers.count, using: &generator), to: 0)
  case 4: threshold.value = number
  default:
    numbers.batch {
      numbers.append(number)
      numbers.insert(number + 1, at: 0)
    }
  }
  checkEqual(Array(copy), Array(numbers))
  let expected = Array(numbers).filter { $0 < threshold.value }.sorted().map { "\($0)" }
  check(Array(derived) == expected, "The derived list differs after step \(step).")
}

// The changes of a batch are sent as one event.
let names = CollectionProperty(["Bones", "Jim"])
var events: [String] = []
names.observe { event in
  guard let changes = event.changes else { return events.append("initial") }
  events.append("+\(changes.inserts) -\(changes.deletes) ~\(changes.updates)")
}
names.append("Christine")
names.batch {
  names.remove(at: 0)
  names[0] = "James"
}
checkEqual(events, ["initial", "+[2] -[] ~[]", "+[] -[0] ~[1]"])

// Sections, dictionaries and sets.
let byLength = names.sectioned { $0.count }
checkEqual(byLength.count, 2)
let ages = CollectionProperty(["Jim": 33])
let adults = ages.filter { $0.value >= 18 }
ages["Ann"] = 12
ages["Bob"] = 40
checkEqual(adults.count, 2)
let tags = CollectionProperty(Set(["red"]))
let others = CollectionProperty(Set(["red", "blue"]))
let both = tags.union(others)
tags.insert("green")
checkEqual(Set(both), ["red", "blue", "green"])
