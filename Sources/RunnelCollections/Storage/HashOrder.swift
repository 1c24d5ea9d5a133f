/// The order in which to add many keys to a trie, so that what follows in the same node does so
/// soon, while it is in the cache. Equal keys stay in their order.
@usableFromInline
struct HashOrder {
  /// Three levels: their nodes are as many as a million keys need.
  @inlinable static var bits: Int { 15 }

  @inlinable static func order<Keys: RandomAccessCollection>(_ keys: Keys) -> [Int]
  where Keys.Index == Int, Keys.Element: Hashable {
    let mask = 1 << bits - 1
    let groups = keys.map { UInt16(truncatingIfNeeded: $0.hashValue & mask) }
    var starts = [Int](repeating: 0, count: mask + 2)
    for group in groups { starts[Int(group) + 1] += 1 }
    for group in 1...mask { starts[group] += starts[group - 1] }
    var order = [Int](repeating: 0, count: groups.count)
    for (index, group) in groups.enumerated() {
      order[starts[Int(group)]] = index
      starts[Int(group)] += 1
    }
    return order
  }
}
