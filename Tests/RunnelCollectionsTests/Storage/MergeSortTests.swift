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

  /// Whatever a closure says, all elements are there once.
  @Test(arguments: 0..<8) func losesNothing(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var objects = (0..<500).map { String(repeating: "x", count: $0) }
    objects.mergeSort { _, _ in Bool.random(using: &random) }
    #expect(Set(objects.map(\.count)) == Set(0..<500), "seed \(seed)")
    objects.mergeSort { _, _ in true }
    #expect(Set(objects.map(\.count)) == Set(0..<500))
  }
}
