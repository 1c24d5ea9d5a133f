import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct KeyTableTests {
  @Test func numbersOfRemovedKeysAreReused() {
    var table = KeyTable<String>()
    #expect(table.number(of: "a") == 0 && table.number(of: "b") == 1)
    #expect(table.number(of: "a") == 0 && table[1] == "b" && table.count == 2)
    table.remove(0)
    table.remove(0)
    #expect(table[0] == nil && table.count == 1)
    #expect(table.number(of: "c") == 0 && table.number(of: "b") == 1)
  }

  @Test func placeReportsExistingKeys() {
    var table = KeyTable<String>()
    #expect(table.existing("a") == nil)
    #expect(table.place("a") == (0, false) && table.place("a") == (0, true))
    #expect(table.existing("a") == 0 && table.existing("b") == nil)
    // Inserted without a comparison.
    #expect(table.add("b") == 1 && table.add("b") == 2 && table.count == 3)
    table.remove(0)
    #expect(table.existing("a") == nil && table.add("c") == 0)
  }

  /// A key with one of few hashes.
  private struct Key: Hashable {
    let number: Int
    let spread: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % spread) }
  }

  @Test(arguments: [1, 7, 1_000]) func agreesWithADictionary(_ spread: Int) {
    var random = SeededGenerator(seed: UInt64(spread))
    var table = KeyTable<Key>()
    var numbers: [Key: Int32] = [:]
    for step in 0..<6_000 {
      let key = Key(number: Int.random(in: 0..<200, using: &random), spread: spread)
      if Int.random(in: 0..<2, using: &random) == 0 {
        let number = table.number(of: key)
        #expect(numbers[key] ?? number == number && table[number] == key, "step \(step)")
        numbers[key] = number
      } else if let number = numbers.removeValue(forKey: key) {
        table.remove(number)
        #expect(table[number] == nil, "step \(step)")
      }
      #expect(table.count == numbers.count, "step \(step)")
    }
    #expect(numbers.allSatisfy { table[$1] == $0 && table.number(of: $0) == $1 })
  }

  /// A key that is not equal to itself gets a new number each time, and can be removed.
  @Test func keysUnequalToThemselvesCanBeRemoved() {
    var table = KeyTable<Double>()
    let numbers = (0..<100).map { _ in table.number(of: .nan) }
    #expect(Set(numbers).count == 100)
    for number in numbers { table.remove(number) }
    #expect(table.count == 0)
    #expect(table.number(of: .nan) < 100)
  }
}
