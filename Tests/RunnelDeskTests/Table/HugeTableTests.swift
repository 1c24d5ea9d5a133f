import RunnelCollections
import RunnelDesk
import Testing

/// The cost at a million rows depends on the visible rows. If a change were linear in the rows,
/// hundreds of changes would take minutes.
@MainActor
@Suite struct HugeTableTests {
  private let count = 1_000_000

  @Test func aDataSourceIsAskedForVisibleRows() {
    let stage = TableStage(height: 20, hasSource: false)
    let source = EndlessSource()
    stage.table.dataSource = source
    #expect(stage.backend.text.hasPrefix("row 0") && source.asked == 20)
    stage.press("end")
    #expect(stage.backend.text.hasSuffix("row 999999 █") && source.asked == 40)
    stage.press("pageup", "shift+home", "ctrl+a", "up")
    #expect(stage.selected.count == 1)
    for step in 0..<250 {
      stage.table.insertRows(step..<step + 1)
      stage.table.selectAll()
      stage.table.moveRow(from: 0, to: 500_000 + step)
      stage.table.removeRows(step..<step + 1)
    }
    #expect(stage.table.rowCount == count)
    #expect(source.asked <= 100)
  }

  /// Each key selects up to a million rows. Asking a handler for each row would take minutes.
  @Test func rowsAreNotAskedWithoutAHandler() {
    let stage = TableStage(height: 20, hasSource: false)
    let source = EndlessSource()
    stage.table.dataSource = source
    var notifications = 0
    let proxy = stage.table.rDelegate
    proxy.stream(\.tableViewSelectionDidChange).observeNext { _ in notifications += 1 }
    let other = TableViewDelegateProxy()
    proxy.forwardTo = other
    for _ in 0..<250 {
      stage.press("home", "ctrl+a")
      #expect(stage.table.selectedRows == RangeSet(0..<count))
      stage.press("home", "shift+end")
    }
    #expect(notifications == 1000)
    // A handler is asked, on the proxy itself or on its forward target.
    for proxy in [proxy, other] {
      let answer = proxy.answer(\.tableView_shouldSelectRow) { _, row in row != 1 }
      stage.press("home", "shift+pagedown")
      #expect(stage.selected == [0] + Array(2..<20))
      answer.dispose()
      stage.press("home", "shift+pagedown")
      #expect(stage.selected == Array(0..<20))
    }
  }

  @Test func aBoundCollectionConfiguresVisibleRows() {
    let stage = TableStage(height: 20, hasSource: false)
    let numbers = CollectionProperty(Array(0..<count))
    var configured = 0
    let rows = stage.table.rx.rows(numbers) { row, number in
      configured += 1
      row["name"].text = "\(number)"
    }
    #expect(configured == 0)
    _ = stage.backend.text
    #expect(configured == 20)
    stage.table.selectAll()
    stage.table.scrollPosition = 500_000
    for step in 0..<250 {
      numbers.insert(-step, at: step * 7)
      numbers.move(from: step * 90, to: step)
      numbers[step * 50] += 1
      numbers.remove(at: step * 3)
    }
    #expect(stage.table.selectedRows.ranges.count > 50)
    _ = stage.backend.text
    #expect(configured < 100)
    #expect(rows.item(atRow: 999_999) == 999_999)
  }

  @Test func sectionsConfigureVisibleRows() {
    let stage = TableStage(height: 20, hasSource: false)
    let sections = CollectionProperty(
      sections: (0..<10_000).map { ListSection($0, $0 * 100..<$0 * 100 + 100) })
    var (configured, titles) = (0, 0)
    stage.table.rx.rows(
      sections: sections,
      title: { header in
        titles += 1
        return "section \(header)"
      },
      configure: { row, number in
        configured += 1
        row["name"].text = "\(number)"
      })
    _ = stage.backend.text
    #expect(configured == 19)
    titles = 0
    stage.table.selectedRow = 543_210
    for step in 0..<25 {
      sections.append(-step, toSection: step)
      sections.moveSection(from: 9_000, to: step)
      sections.insert(step, at: ItemPath(section: 9_500, item: 0))
      sections.remove(at: ItemPath(section: 9_500, item: 50))
      sections.removeSection(at: 100)
      sections.insert(ListSection(step, 0..<100), at: 100)
    }
    #expect(stage.backend.text.contains("543210"))
    #expect(configured < 100 && titles < 100)
  }
}

@MainActor
private final class EndlessSource: TableViewDataSource {
  var asked = 0

  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 1_000_000 }

  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    asked += 1
    return ["name": "row \(row)"]
  }
}
