import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TableResizingTests {
  private let stage: TableStage
  private let delegate = LoggingDelegate()
  private var table: TableView { stage.table }
  private var header: String { stage.backend.grid.lines[0] }

  init() {
    stage = TableStage(
      ["x", "a long row"],
      columns: [
        TableColumn("name", title: "Name", width: .fixed(6), isSortable: true),
        TableColumn("text", title: "Text", width: .fixed(6), minimumWidth: 3),
        TableColumn("date", title: "Date"),
      ], width: 20, height: 3, showsHeader: true)
    table.delegate = delegate
    _ = stage.backend.text
    _ = delegate.take()
  }

  private func drag(from start: Int, to end: Int, y: Int = 0) {
    stage.backend.send(.mouse(MouseEvent(.press(.left), at: Point(x: start, y: 0))))
    stage.backend.send(.mouse(MouseEvent(.drag(.left), at: Point(x: end, y: y))))
    stage.backend.send(.mouse(MouseEvent(.release(.left), at: Point(x: end, y: y))))
  }

  @Test func theMouseMovesAnEdge() {
    #expect(header == "Name   Text   Date")
    drag(from: 6, to: 8, y: 2)
    #expect(header == "Name     Text Date")
    #expect(delegate.take() == ["shouldResize name 8", "resize name"])
    #expect(table.columns.map(\.width) == [.fixed(8), .fixed(4), .flexible(minimum: 0, shares: 6)])
    drag(from: 13, to: 15)
    #expect(header == "Name     Text   Date")
    // The drag neither clicks a title nor selects a row.
    #expect(delegate.take() == ["shouldResize text 6", "resize text"] && stage.selected == [])
  }

  @Test func columnsKeepTheirMinimumWidth() {
    drag(from: 6, to: 19)
    #expect(table.columns[0].width == .fixed(9) && table.columns[1].width == .fixed(3))
    drag(from: 9, to: -4)
    #expect(table.columns[0].width == .fixed(1))
    _ = delegate.take()
    drag(from: 1, to: -9)
    #expect(delegate.take() == [])
  }

  @Test func resizingCanBeRefused() {
    delegate.refusesResizing = true
    drag(from: 6, to: 8)
    #expect(delegate.take() == ["shouldResize name 8"] && header == "Name   Text   Date")
    let answer = table.rDelegate.answer(\.tableView_shouldResize_to) { $2 < 9 }
    drag(from: 6, to: 9)
    #expect(header == "Name   Text   Date")
    drag(from: 6, to: 7)
    #expect(header == "Name    Text  Date")
    answer.dispose()
    delegate.refusesResizing = false
    table.allowsColumnResizing = false
    drag(from: 7, to: 6)
    table.allowsColumnResizing = true
    table.isEnabled = false
    table.resizeColumn("name", to: 2)
    #expect(header == "Name    Text  Date")
  }

  @Test func theDelegateMayReplaceTheColumns() {
    delegate.reactions["shouldResize"] = { table.columns = [TableColumn("other")] }
    drag(from: 6, to: 8)
    #expect(table.columns == [TableColumn("other")])
    #expect(delegate.take() == ["shouldResize name 8"])
  }

  @Test func aDoubleClickFitsTheColumnToItsCells() {
    let edge = Point(x: 6, y: 0)
    stage.backend.click(edge)
    #expect(delegate.take() == [])
    stage.backend.click(edge)
    // There is space for the sort arrow, and the next column keeps its minimum of 3.
    #expect(table.columns[0].width == .fixed(9))
    stage.source.rows = ["x", "y"]
    table.reloadData()
    table.fitColumn("name")
    #expect(table.columns[0].width == .fixed(6))
    table.fitColumn("nobody")
    table.resizeColumn("nobody", to: 3)
  }

  @Test func columnResizedSendsOnlyUserChanges() {
    var received: [String] = []
    table.rx.columnResized.observeNext { received.append("\($0.identifier) \($0.width)") }
    table.columns[0].width = .fixed(5)
    #expect(received == [])
    drag(from: 5, to: 6)
    #expect(received == ["name fixed(6)"])
  }

  @Test func aTableWithoutColumnsHasNoEdges() {
    table.columns = []
    drag(from: 0, to: 4)
    drag(from: 6, to: 8)
    #expect(delegate.take() == [])
  }
}
