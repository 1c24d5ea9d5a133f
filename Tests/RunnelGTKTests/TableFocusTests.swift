#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The focus of GTK in a table, which assistive technology announces.
  @MainActor
  @Suite struct TableFocusTests {
    private let table = TableView(columns: [TableColumn("name")])

    init() {
      table.showsHeader = false
    }

    private func shown(_ count: Int = 30) throws -> (TestApp, Rows) {
      let rows = Rows(count: count)
      table.dataSource = rows
      let app = try TestApp(table)
      app.window.makeFirstResponder(table)
      app.settle()
      return (app, rows)
    }

    private final class Rows: TableViewDataSource {
      var count: Int
      init(count: Int) { self.count = count }
      func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { count }
      func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
        ["name": TableCell("Row \(row)")]
      }
    }

    /// The text of the row that has the focus of GTK; nil if no row has it.
    private func focusedRow(in app: TestApp) -> String? {
      guard let focus = app.focus, text(of: gtk_widget_get_css_name(focus)) == "row",
        let label = gtk_widget_get_first_child(focus)
      else { return nil }
      return text(of: gtk_label_get_text(cast(label)))
    }

    @Test func selectedRowHasTheFocus() throws {
      let (app, rows) = try shown()
      defer { withExtendedLifetime(rows) { app.end() } }
      #expect(app.focus == (try app.native(table)))
      try app.press("down")
      #expect(focusedRow(in: app) == "Row 0")
      try app.press("down")
      #expect(focusedRow(in: app) == "Row 1")
      // Without a selected row, no row has the focus.
      table.selectedRow = nil
      app.settle()
      #expect(app.focus == (try app.native(table)))
      // A row that is scrolled out cannot have it, either.
      table.selectedRow = 2
      app.settle()
      #expect(focusedRow(in: app) == "Row 2")
      table.scrollPosition = 15
      app.settle()
      #expect(app.focus == (try app.native(table)))
    }

    @Test func widgetOfALineMovesWithIt() throws {
      let (app, rows) = try shown()
      defer { withExtendedLifetime(rows) { app.end() } }
      table.selectedRow = 8
      app.settle()
      let focus = try #require(app.focus)
      for position in [3, 1, 7, 0] {
        table.scrollPosition = position
        app.settle()
        #expect(focusedRow(in: app) == "Row 8", "\(position)")
        #expect(app.focus == focus, "\(position)")
        #expect(app.lines[0] == "Row \(position)")
      }
      // A key that scrolls moves the focus to another widget.
      for _ in 0..<5 { try app.press("down") }
      #expect(focusedRow(in: app) == "Row 13")
      #expect(app.focus != focus)
    }

    @Test func removedRowsLeaveTheFocusInTheTable() throws {
      let (app, rows) = try shown(3)
      defer { withExtendedLifetime(rows) { app.end() } }
      table.selectedRow = 2
      app.settle()
      #expect(focusedRow(in: app) == "Row 2")
      rows.count = 1
      table.reloadData()
      app.settle()
      #expect(table.isFirstResponder)
      let focused = focusedRow(in: app)
      #expect(focused == table.selectedRow.map { "Row \($0)" })
      let body = try app.native(table)
      #expect(focused != nil || app.focus == body)
    }
  }
}
#endif
