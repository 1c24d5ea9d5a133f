import RunnelCollections
import RunnelTesting

/// A generator of random edits of dictionaries and sets.
struct RandomKeys {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func batch(on dictionary: CollectionProperty<[Int: Int]>, depth: Int = 0) {
    dictionary.batch {
      for _ in 0..<number(below: 6) {
        let key = number(below: 16)
        switch number(below: 40) {
        case 0: dictionary.removeAll()
        case 1: dictionary.replace(with: [key: 1, key + 1: 2])
        case 2..<14: dictionary[key] = nil
        case 14..<18 where depth < 2: batch(on: dictionary, depth: depth + 1)
        case 18 where number(below: 8) == 0:
          for other in 0..<number(below: 200) { dictionary[other] = other }
        case 19..<24: dictionary[key, default: 3] += number(below: 3)
        case 24..<28: dictionary[key]? += number(below: 3)
        case 28..<30: swap(&dictionary[key], &dictionary[number(below: 16)])
        default: dictionary[key] = number(below: 6)
        }
      }
    }
  }

  mutating func batch(on set: CollectionProperty<Set<Int>>, depth: Int = 0) {
    set.batch {
      for _ in 0..<number(below: 6) {
        let member = number(below: 16)
        switch number(below: 40) {
        case 0: set.removeAll()
        case 1: set.replace(with: [member, member + 1])
        case 2..<16: set.remove(member)
        case 16..<20 where depth < 2: batch(on: set, depth: depth + 1)
        case 20 where number(below: 8) == 0: set.formUnion(0..<number(below: 200))
        default: set.insert(member)
        }
      }
    }
  }
}
