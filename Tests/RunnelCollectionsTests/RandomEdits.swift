import RunnelCollections
import RunnelTesting

/// An element that identifies its origin, and that can be updated without becoming another one.
struct Item: Hashable, CustomStringConvertible {
  let number: Int
  var value: Int

  var description: String { "\(number):\(value)" }
}

/// A generator of random edits of a list, with every available operation.
struct RandomEdits {
  private var random: SeededGenerator
  private var lastNumber = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// Makes one batch of several operations, which may contain nested batches.
  mutating func batch(on list: CollectionProperty<[Item]>, longest: Int = 40, depth: Int = 0) {
    list.batch {
      for _ in 0..<number(below: 6) {
        if depth < 2 && number(below: 8) == 0 {
          batch(on: list, longest: longest, depth: depth + 1)
        } else {
          operation(on: list, longest: longest)
        }
      }
    }
  }

  mutating func operation(on list: CollectionProperty<[Item]>, longest: Int) {
    let count = list.count
    guard count > 0 else { return list.insert(item(), at: 0) }
    let index = number(below: count)
    let other = number(below: count)
    switch number(below: 24) {
    case 0..<4 where count < longest: list.insert(item(), at: number(below: count + 1))
    case 4: list.append(item())
    case 5..<8: list.remove(at: index)
    case 8..<12: list[index].value = number(below: 8)
    case 12..<16: list.move(from: index, to: other)
    case 16: list.swapAt(index, other)
    case 17: list.removeSubrange(min(index, other)..<max(index, other))
    case 18 where count < longest:
      list.insert(contentsOf: (0..<number(below: 5)).map { _ in item() }, at: index)
    case 19:
      list.replaceSubrange(
        min(index, other)..<max(index, other), with: (0..<number(below: 4)).map { _ in item() })
    case 20 where number(below: 8) == 0: list.removeAll()
    case 21 where number(below: 8) == 0:
      list.replace(with: Array(list.value.shuffled(using: &random)))
    case 22: list.removeAll { $0.value == index % 8 }
    // A move and its reversal.
    case 23:
      list.move(from: index, to: other)
      list.move(from: other, to: index)
    default: list[index] = list[index]
    }
  }

  /// Returns a new element, or one equal to an earlier one.
  private mutating func item() -> Item {
    lastNumber += 1
    return Item(number: number(below: 4) == 0 ? 0 : lastNumber, value: number(below: 8))
  }
}
