import RunnelTesting
import Testing

@testable import RunnelDesk

@Suite struct ColumnWidthsTests {
  private func columns(_ widths: TableColumn.Width...) -> [TableColumn] {
    widths.enumerated().map { TableColumn("\($0)", width: $1) }
  }

  @Test func flexibleColumnsShareTheRemainingWidth() {
    let columns = columns(
      .flexible(minimum: 2, shares: 3), .fixed(4), .flexible(minimum: 0), .flexible)
    #expect(columns.lengths(in: 24) == [11, 4, 3, 3])
    // The widths add up to the table's width.
    #expect(columns.lengths(in: 25) == [11, 4, 3, 4])
    #expect(columns.lengths(in: 3) == [2, 4, 0, 0])
    #expect(
      self.columns(.flexible(minimum: 1, shares: 0), .flexible(minimum: 1, shares: -1))
        .lengths(in: 11) == [5, 5])
    #expect(
      self.columns(.flexible(minimum: 0, shares: .max), .fixed(.min)).lengths(in: .max)
        == [.max - 1, 0])
  }

  /// A column that is hidden in a narrow table leaves its cells, and the gap, to the others.
  @Test(arguments: [(20, [9, 10, 0]), (29, [14, 14, 0]), (30, [9, 9, 10]), (0, [0, 0, 0])])
  func narrowTableHidesColumn(_ width: Int, _ lengths: [Int]) {
    var columns = columns(.flexible, .flexible, .fixed(10))
    columns[2].minimumTableWidth = 30
    #expect(columns.lengths(in: width) == lengths)
    #expect(columns.ranges(in: width)[2].isEmpty == (width < 30))
  }

  @Test func resizingKeepsHiddenColumns() {
    var columns = columns(.flexible, .flexible, .fixed(10), .fixed(4))
    columns[1].minimumTableWidth = 50
    columns[2].minimumTableWidth = 30
    let resized = columns.resizing(0, to: 8, in: 20)
    #expect(resized.lengths(in: 20) == [8, 0, 0, 11])
    #expect(resized[1...2] == columns[1...2])
  }

  @Test func resizingTakesFromTheNextColumn() {
    let both = columns(.fixed(6), .fixed(6), .fixed(6))
    #expect(both.resizing(0, to: 8, in: 40).lengths(in: 40) == [8, 4, 6])
    #expect(both.resizing(1, to: 99, in: 40).lengths(in: 40) == [6, 11, 1])
    #expect(both.resizing(1, to: -9, in: 40).lengths(in: 40) == [6, 1, 11])
    // The last column can grow into the free width.
    #expect(both.resizing(2, to: 9, in: 40).lengths(in: 40) == [6, 6, 9])
    #expect(both.resizing(2, to: 99, in: 40).lengths(in: 40) == [6, 6, 26])
    let least = [
      TableColumn("a", width: .flexible(minimum: 5), minimumWidth: 3),
      TableColumn("b", width: .fixed(6), minimumWidth: 4),
    ]
    #expect(least.resizing(0, to: 0, in: 21).lengths(in: 21) == [5, 15])
    #expect(least.resizing(0, to: 99, in: 21).lengths(in: 21) == [16, 4])
    // If both columns are below their minimum, resizing has no effect.
    let narrow = columns(.fixed(1), .fixed(0))
    #expect(narrow.resizing(0, to: 5, in: 9) == narrow)
    // If other columns share the remaining width, the last one ends at the table's edge.
    let last = columns(.flexible, .fixed(4))
    #expect(last.resizing(1, to: 2, in: 9) == last)
    // If no width remains, there is nothing to share.
    let full = columns(.flexible(minimum: 9), .fixed(4))
    #expect(full.resizing(0, to: 11, in: 8) == full)
  }

  @Test func sharesPersistInAWiderTable() {
    let resized = columns(.flexible, .flexible, .fixed(3)).resizing(0, to: 30, in: 45)
    #expect(resized.lengths(in: 45) == [30, 10, 3])
    #expect(resized.lengths(in: 85) == [60, 20, 3])
  }

  @Test(arguments: seeds(14) as Range<UInt64>)
  func onlyTheDraggedEdgeMoves(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &dice) }
    for _ in 0..<50 {
      var columns = (0..<below(5) + 1).map { number in
        let width: TableColumn.Width =
          below(2) == 0
          ? .fixed(below(9) - 1) : .flexible(minimum: below(6) - 1, shares: below(4) - 1)
        return TableColumn("\(number)", width: width, minimumWidth: below(5) - 1)
      }
      let width = below(40)
      for _ in 0..<5 {
        let (index, length) = (below(columns.count), below(60) - 10)
        let before = columns.lengths(in: width)
        columns = columns.resizing(index, to: length, in: width)
        let after = columns.lengths(in: width)
        for other in before.indices where other != index && other != index + 1 {
          #expect(after[other] == before[other], "seed \(seed)")
        }
        if index + 1 < before.count {
          #expect(after.reduce(0, +) == before.reduce(0, +), "seed \(seed)")
        }
        #expect(after.allSatisfy { $0 >= 0 }, "seed \(seed)")
        #expect(abs(after[index] - length) <= abs(before[index] - length), "seed \(seed)")
      }
    }
  }
}
