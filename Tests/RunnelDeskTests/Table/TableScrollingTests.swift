import RunnelDesk
import Testing

@MainActor
@Suite struct TableScrollingTests {
  private func stage(_ count: Int = 20, height: Int = 5) -> TableStage {
    TableStage((0..<count).map { "row \($0)" }, height: height)
  }

  @Test func scrollsNoFurtherThanNeeded() {
    let stage = stage()
    _ = stage.backend.text
    for (row, top) in [(3, 0), (4, 0), (5, 1), (19, 15), (17, 15), (14, 14), (0, 0), (99, 0)] {
      stage.table.scrollToRow(row)
      #expect(stage.table.scrollPosition == top, "\(row)")
    }
    stage.table.scrollPosition = -3
    #expect(stage.table.scrollPosition == 0 && stage.table.visibleRows == 0..<5)
  }

  @Test func aRowSelectedBeforeLayoutIsScrolledTo() {
    let stage = stage()
    stage.table.selectedRow = 2
    #expect(stage.backend.text.hasPrefix("row 0"))
    let other = self.stage()
    other.table.selectedRow = 12
    other.source.rows.removeFirst(4)
    other.table.removeRows(0..<4)
    #expect(other.backend.text.contains("row 12") && other.table.scrollPosition == 4)
    let empty = self.stage()
    empty.table.selectedRow = 12
    empty.source.rows = []
    empty.table.reloadData()
    #expect(empty.backend.text == "\n\n\n\n")
  }

  @Test func aVisibleSelectionStaysVisibleOnResize() {
    let stage = stage()
    stage.press("down", "down", "down", "down", "down")
    #expect(stage.table.selectedRow == 4)
    stage.backend.send(.resize(Size(width: 12, height: 2)))
    #expect(stage.backend.text.contains("row 4"))
    stage.backend.send(.resize(Size(width: 12, height: 50)))
    #expect(stage.backend.text.hasPrefix("row 0") && stage.table.scrollPosition == 0)
    stage.backend.send(.resize(Size(width: 12, height: 0)))
    stage.backend.send(.resize(Size(width: 12, height: 3)))
    #expect(stage.backend.grid.lines.count == 3)
  }

  @Test func theDelegateIsNotifiedOfVisibleRows() {
    let stage = stage()
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    var shown: [Range<Int>] = []
    stage.table.rDelegate.stream(\.tableView_didShowRows).observeNext { shown.append($1) }
    _ = stage.backend.text
    stage.table.scrollPosition = 4
    stage.table.scrollPosition = 4
    stage.source.rows.removeSubrange(0..<2)
    stage.table.removeRows(0..<2)
    stage.backend.send(.resize(Size(width: 12, height: 3)))
    _ = stage.backend.text
    #expect(shown == [0..<5, 4..<9, 2..<7, 2..<5])
    #expect(delegate.take().count == 4)
  }

  @Test func aListCanLoadMoreAtItsEnd() {
    let stage = stage(5)
    stage.table.rDelegate.stream(\.tableView_didShowRows).observeNext { table, rows in
      guard rows.upperBound == table.rowCount, table.rowCount < 9 else { return }
      stage.source.rows.append("row \(table.rowCount)")
      table.insertRows(table.rowCount..<table.rowCount + 1)
    }
    #expect(stage.backend.text.hasPrefix("row 0") && stage.table.rowCount == 6)
    stage.press("end", "end", "end", "end")
    #expect(stage.table.rowCount == 9 && stage.isUpToDate)
  }

  @Test func aHeadingIsShownWithItsFirstRow() {
    let stage = TableStage(
      sections: [("A", ["1", "2", "3"]), ("B", ["4", "5", "6"])], height: 3)
    _ = stage.backend.text
    stage.table.scrollToRow(5)
    #expect(stage.table.scrollPosition == 5)
    stage.table.scrollToRow(3)
    #expect(stage.table.scrollPosition == 4)
    stage.table.scrollToRow(0)
    #expect(stage.table.scrollPosition == 0)
  }
}
