import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct SortedRowsTests {
  private let notes = CollectionProperty(["Note 10", "note 2", "Äpfel", "Note 1"])
  private let table = TableView(columns: [
    TableColumn("title", title: "Title", isSortable: true),
    TableColumn("length", title: "Length", width: .fixed(8), isSortable: true),
  ])
  private let rows: TableRows<String>
  private let desk: Desk

  init() {
    desk = Desk(focusing: table, width: 20, height: 7)
    rows = table.rx.sortedRows(notes) { row, note in
      row["title"].text = note
      row["length"].text = "\(note.count)"
    }
  }

  private var titles: [String] {
    desk.lines.dropFirst().map { $0.split(separator: "  ").first.map(String.init) ?? "" }
      .filter { !$0.isEmpty }.map { String($0.drop { $0 == " " }) }
  }

  @Test func theHeaderSortsByTheTextsOfCells() {
    #expect(titles == ["Note 10", "note 2", "Äpfel", "Note 1"])
    desk.backend.click("Title")
    #expect(titles == ["Äpfel", "Note 1", "note 2", "Note 10"])
    desk.backend.click("Title")
    #expect(titles == ["Note 10", "note 2", "Note 1", "Äpfel"])
    desk.backend.click("Length")
    #expect(titles == ["Äpfel", "note 2", "Note 1", "Note 10"])
    table.sort = nil
    #expect(titles == ["Note 10", "note 2", "Äpfel", "Note 1"])
  }

  @Test func changesKeepTheOrderAndTheSelection() {
    desk.backend.click("Title")
    table.selectedRow = 2
    #expect(rows.selectedItem.record().elements == ["note 2"])
    notes.append("Note 1b")
    #expect(titles == ["Äpfel", "Note 1", "Note 1b", "note 2", "Note 10"])
    #expect(table.selectedRow == 3)
    desk.backend.click("Title")
    #expect(table.selectedRow == 1)
  }

  @Test func aDelegateMayRefuse() {
    table.rDelegate.answer(\.tableView_shouldSortBy) { _, _ in false }
    desk.backend.click("Title")
    #expect(titles.first == "Note 10")
    #expect(table.sort == nil)
  }
}
