import RunnelCollections
import RunnelTesting
import Testing

@testable import RunnelDesk

@Suite struct RowShiftTests {
  @Test func shiftGivesTheNewRowOfEachElement() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let list = CollectionProperty(Array(0..<Int.random(in: 0...8, using: &random)))
      var shifts: [RowShift] = []
      list.observe { if let changes = $0.changes { shifts.append(RowShift(changes)) } }
      var next = 100
      for _ in 0..<6 {
        let old = Array(list.value)
        shifts = []
        list.batch {
          for _ in 0..<Int.random(in: 1...5, using: &random) { edit(list, &next, &random) }
        }
        guard let shift = shifts.first else { continue }
        let new = Array(list.value)
        for (row, element) in old.enumerated() {
          #expect(shift.row(row) == new.firstIndex(of: element), "seed \(seed)")
        }
        let rows = old.indices.filter { _ in Bool.random(using: &random) }
        let expected = rows.compactMap { new.firstIndex(of: old[$0]) }.sorted()
        let moved = shift.rows(RangeSet(rows.map { $0..<$0 + 1 }))
        #expect(Array(moved.ranges.joined()) == expected, "seed \(seed)")
      }
    }
  }

  private func edit(
    _ list: CollectionProperty<[Int]>, _ next: inout Int, _ random: inout SeededGenerator
  ) {
    let count = list.count
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      list.insert(next, at: Int.random(in: 0...count, using: &random))
      next += 1
    case 1 where count > 0: list.remove(at: Int.random(in: 0..<count, using: &random))
    case 2 where count > 0:
      list.move(
        from: Int.random(in: 0..<count, using: &random),
        to: Int.random(in: 0..<count, using: &random))
    default: break
    }
  }

  @Test func nearestOfARemovedRowIsTheNextRow() {
    let list = CollectionProperty(Array(0..<6))
    var shift = RowShift([])
    list.observe { if let changes = $0.changes { shift = RowShift(changes) } }
    list.batch {
      list.removeSubrange(4..<6)
      list.remove(at: 1)
      list.insert(9, at: 0)
    }
    let nearest = (0..<6).map { shift.nearest($0, newCount: list.count) }
    #expect(nearest == [1, 2, 2, 3, 3, 3])
    #expect(shift.nearest(0, newCount: 0) == nil)
    #expect(RowShift([], isPartial: true).nearest(0, newCount: 4) == nil)
  }
}
