import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct MergeSortTests {
  private struct Pair: Equatable {
    let key: Int
    let number: Int
  }

  @Test(arguments: [0, 1, 2, 7, 8, 9, 16, 17, 100, 1_000, 4_097]) func agreesWithSort(_ count: Int)
  {
    var random = SeededGenerator(seed: UInt64(count))
    for keys in [1, 3, 1_000_000] {
      var pairs = (0..<count).map {
        Pair(key: Int.random(in: 0..<keys, using: &random), number: $0)
      }
      let expected = pairs.sorted { ($0.key, $0.number) < ($1.key, $1.number) }
      pairs.mergeSort { $0.key < $1.key }
      #expect(pairs == expected, "seed \(count)")
      pairs.mergeSort { $0.key < $1.key }
      #expect(pairs == expected)
      pairs.mergeSort { $0.key > $1.key }
      #expect(pairs.map(\.key) == expected.map(\.key).reversed())
    }
  }

  /// A block has its own algorithm. This tests all blocks of three keys.
  @Test func agreesWithSortOnEachBlock() {
    for number in 0..<6_561 {
      var rest = number
      var pairs = (0..<8).map { index in
        defer { rest /= 3 }
        return Pair(key: rest % 3, number: index)
      }
      let expected = pairs.sorted { ($0.key, $0.number) < ($1.key, $1.number) }
      pairs.mergeSort { $0.key < $1.key }
      #expect(pairs == expected)
    }
  }

  @Test func sortedInputNeedsFewComparisons() {
    var numbers = Array(0..<4_096)
    var questions = 0
    numbers.mergeSort {
      questions += 1
      return $0 < $1
    }
    // One of each pair of neighbours.
    #expect(questions == 4_095)
  }

  private final class Object {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  /// An element that cannot be moved bitwise.
  private struct Holder {
    weak var object: Object?
    let number: Int
  }

  /// For any closure each element is kept exactly once: numbers, and elements with references.
  @Test(arguments: [2, 8, 9, 31, 32, 33, 500], 0..<4)
  func inconsistentOrderKeepsAllElements(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lies: [(Int, Int) -> Bool] = [
      { _, _ in Bool.random(using: &random) }, { _, _ in true }, { ($0 + 3 - $1) % 3 == 1 },
    ]
    var numbers = Array(0..<count)
    var objects = numbers.map(Object.init)
    var holders = objects.map { Holder(object: $0, number: $0.number) }
    for lie in lies {
      numbers.mergeSort(by: lie)
      objects.mergeSort { lie($0.number, $1.number) }
      holders.mergeSort { lie($0.number, $1.number) }
      #expect(numbers.sorted() == Array(0..<count), "seed \(seed)")
      #expect(objects.map(\.number).sorted() == Array(0..<count), "seed \(seed)")
      #expect(holders.map(\.number).sorted() == Array(0..<count), "seed \(seed)")
      #expect(holders.allSatisfy { $0.object?.number == $0.number }, "seed \(seed)")
    }
    // Only the array retains the objects.
    objects = []
    #expect(holders.allSatisfy { $0.object == nil }, "seed \(seed)")
  }
}
