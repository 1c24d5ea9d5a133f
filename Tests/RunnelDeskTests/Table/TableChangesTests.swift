import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct TableChangesTests {
  @Test func rowsAreRequestedOnceWhileVisible() {
    let stage = TableStage((0..<9).map { "row \($0)" }, height: 3)
    _ = stage.backend.text
    stage.press("down", "down", "shift+down", "up")
    _ = stage.backend.text
    #expect(stage.source.asked == [0, 1, 2])
    stage.source.rows[1] = "new"
    stage.table.needsDisplay()
    #expect(!stage.backend.text.contains("new"))
    stage.table.reloadRows(1..<2)
    #expect(stage.backend.text.contains("new") && stage.source.asked == [0, 1, 2, 1])
    stage.table.scrollPosition = 3
    _ = stage.backend.text
    stage.table.scrollPosition = 0
    _ = stage.backend.text
    #expect(stage.source.asked == [0, 1, 2, 1, 3, 4, 5, 0, 1, 2])
  }

  @Test func theSelectionFollowsReportedChanges() {
    let stage = TableStage((0..<9).map { "row \($0)" }, height: 9)
    stage.table.selectedRows = RangeSet([1..<3, 6..<7])
    stage.source.rows.insert(contentsOf: ["a", "b"], at: 2)
    stage.table.insertRows(2..<4)
    #expect(stage.selected == [1, 4, 8])
    stage.source.rows.removeSubrange(1..<4)
    stage.table.removeRows(1..<4)
    #expect(stage.selected == [1, 5])
    stage.source.rows.insert(stage.source.rows.remove(at: 1), at: 6)
    stage.table.moveRow(from: 1, to: 6)
    #expect(stage.selected == [4, 6] && stage.isUpToDate)
    stage.source.rows.insert(stage.source.rows.remove(at: 6), at: 0)
    stage.table.moveRow(from: 6, to: 0)
    #expect(stage.selected == [0, 5] && stage.isUpToDate)
  }

  @Test func reloadingKeepsTheSelectedRowNumbers() {
    let stage = TableStage((0..<9).map { "row \($0)" }, height: 4)
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    stage.table.selectedRows = RangeSet([1..<3, 7..<8])
    _ = delegate.take()
    stage.source.rows.removeLast(5)
    stage.table.reloadData()
    #expect(stage.selected == [1, 2] && delegate.take().contains("did [1, 2]"))
    stage.table.reloadData()
    #expect(delegate.take().filter { $0.hasPrefix("did") } == [])
  }

  @Test func changesWithinSectionsKeepTheSelection() {
    let stage = TableStage(
      sections: [("A", ["1", "2"]), ("B", []), (nil, ["3", "4"])], height: 9)
    stage.table.selectedRows = RangeSet([1..<2, 3..<4])
    stage.source.sections[1].rows = ["x", "y"]
    stage.table.insertRows(0..<2, inSection: 1)
    #expect(stage.selected == [1, 5] && stage.isUpToDate)
    stage.source.sections[2].rows.swapAt(0, 1)
    stage.table.moveRow(from: 0, to: 1, inSection: 2)
    #expect(stage.selected == [1, 4] && stage.isUpToDate)
    stage.source.sections[0].rows = []
    stage.table.removeRows(0..<2, inSection: 0)
    #expect(stage.selected == [2] && stage.isUpToDate)
    #expect(stage.backend.text == "A\nB\nx\ny\n4\n3\n\n\n")
    #expect(stage.table.row(at: stage.table.path(ofRow: 3)) == 3)
  }

  @Test(arguments: seeds(10) as Range<UInt64>)
  func randomChangesKeepTheSelection(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stage = TableStage((0..<6).map { "row \($0)" }, width: 20, height: 5)
    for step in 0..<60 {
      let count = stage.source.rows.count
      let row = Int.random(in: 0...count, using: &random)
      let selected = Set(stage.selected.map { stage.source.rows[$0] })
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        stage.source.rows.insert("new \(step)", at: row)
        stage.table.insertRows(row..<row + 1)
      case 1 where row < count:
        stage.source.rows.remove(at: row)
        stage.table.removeRows(row..<row + 1)
      case 2 where row < count:
        let to = Int.random(in: 0..<count, using: &random)
        stage.source.rows.insert(stage.source.rows.remove(at: row), at: to)
        stage.table.moveRow(from: row, to: to)
      default:
        stage.table.selectedRows = RangeSet([row..<row + 2])
        continue
      }
      let now = Set(stage.selected.map { stage.source.rows[$0] })
      #expect(now == selected.intersection(stage.source.rows), "seed \(seed)")
      #expect(stage.isUpToDate, "seed \(seed)")
    }
  }

  @Test func withoutADataSourceTheTableIsEmpty() {
    let table = TableView(columns: [TableColumn("a")])
    do {
      let source = CountingSource([("A", ["1", "2"])])
      table.dataSource = source
      #expect(table.rowCount == 2)
    }
    #expect(table.dataSource == nil)
    let backend = HeadlessBackend(Size(width: 4, height: 3))
    Application(backend: backend).show(Window(content: table))
    #expect(backend.text == "\n\n")
    table.reloadData()
    #expect(table.rowCount == 0 && table.sectionCount == 0)
    table.dataSource = nil
    _ = table.rDataSource
    #expect(table.rowCount == 0 && table.sectionCount == 1)
  }
}
