/// The order in which to insert many keys into a trie, so that keys of one node follow each other
/// while the node is in the cache. Equal keys keep their order.
@usableFromInline
struct HashOrder {
  /// Three levels of the trie, which have enough nodes for a million keys.
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
