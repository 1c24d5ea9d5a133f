import RunnelDesk
import Testing

@MainActor
@Suite struct TableDrawingTests {
  @Test func showsRowsInColumnsBelowAHeader() {
    let backend = HeadlessBackend(Size(width: 26, height: 5))
    let application = Application(backend: backend)
    let table = TableView(columns: [
      TableColumn("title", title: "Title"),
      TableColumn("date", title: "Changed", width: .fixed(8), alignment: .trailing),
    ])
    let source = NoteSource()
    table.dataSource = source
    table.selectedRow = 1
    application.show(Window(content: table))
    #expect(
      backend.grid.styledText
        == """
        Title              Changed
        Shopping             2 May
        A long title tha…  14 June


        ----
        aaaaa              aaaaaaa
        bbbb                 ccccc
        dddddddddddddddddddddddddd


        a: bold
        b: black on yellow
        c: brightBlack
        d: reverse
        """.replacing("bbbb                 ", with: "bbbb.................")
        .replacing("aaaaa              ", with: "aaaaa.............."))
  }

  @Test func theSelectionHasTwoStylesByFocus() {
    let stage = TableStage(["one", "two", "three"], height: 3)
    stage.table.selectedRow = 1
    let focused = stage.backend.grid.styledText
    #expect(focused.contains("b: ") == false && focused.contains("a: brightWhite on blue"))
    stage.window.makeFirstResponder(nil)
    #expect(stage.backend.grid.styledText.contains("a: reverse"))
  }

  @Test func theHeaderShowsTheSortOrder() {
    let columns = [
      TableColumn("name", title: "Name", width: .fixed(6), isSortable: true),
      TableColumn("size", title: "Size", width: .fixed(6), alignment: .trailing, isSortable: true),
    ]
    let stage = TableStage(["x"], columns: columns, width: 14, height: 2, showsHeader: true)
    stage.table.sort = TableSort("name")
    #expect(stage.backend.grid.lines[0] == "Name ▲   Size")
    stage.table.sort = TableSort("size", isAscending: false)
    #expect(stage.backend.grid.lines[0] == "Name   Size ▼")
    stage.table.columns[1].width = .fixed(3)
    #expect(stage.backend.grid.lines[0] == "Name   … ▼")
    stage.table.columns[1].width = .fixed(1)
    #expect(stage.backend.grid.lines[0] == "Name   …")
  }

  @Test func aScrollIndicatorAppearsWithoutRoom() {
    let stage = TableStage((0..<8).map { "row \($0)" }, width: 8, height: 4)
    #expect(stage.backend.grid.lines == ["row 0  █", "row 1  █", "row 2  │", "row 3  │"])
    stage.table.scrollPosition = 1
    #expect(stage.backend.grid.lines == ["row 1  │", "row 2  █", "row 3  █", "row 4  │"])
    stage.table.scrollPosition = 100
    #expect(stage.table.scrollPosition == 4)
    #expect(stage.backend.grid.lines == ["row 4  │", "row 5  │", "row 6  █", "row 7  █"])
  }

  @Test func wideCharactersAreNeverSplit() {
    let stage = TableStage(["漢字漢字漢字", "e\u{301}漢", "👨‍👩‍👧 family"], width: 8, height: 3)
    #expect(stage.backend.grid.lines == ["漢字漢…", "e\u{301}漢", "👨‍👩‍👧 fami…"])
  }

  @Test func sectionsHaveHeadings() {
    let stage = TableStage(
      sections: [("Fruit", ["apple", "pear"]), ("Empty", []), (nil, ["bread"])], height: 6)
    #expect(stage.backend.text == "Fruit\napple\npear\nEmpty\nbread\n")
    #expect(stage.table.rowCount == 3 && stage.table.sectionCount == 3)
    #expect(stage.table.path(ofRow: 2).section == 2)
  }

  @Test func anEmptyTableShowsItsPlaceholder() {
    let stage = TableStage([], width: 11, height: 3)
    stage.table.placeholder = "nothing"
    #expect(stage.backend.text == "\n  nothing\n")
    stage.source.rows = ["a"]
    stage.table.reloadData()
    #expect(stage.backend.text == "a\n\n")
  }

  @Test func worksWithoutColumnsOrRoom() {
    let stage = TableStage(["a", "b"], columns: [], width: 4, height: 2)
    stage.press("down", "down", "a", "enter")
    #expect(stage.backend.text == "\n" && stage.selected == [1])
    for size in [(0, 0), (1, 1), (0, 3), (3, 0), (2, 1)] {
      let stage = TableStage(
        (0..<9).map { "\($0)" }, width: size.0, height: size.1, showsHeader: true)
      stage.press("down", "pagedown", "end", "shift+home", "space", "right", "enter")
      stage.backend.click(.zero)
      _ = stage.backend.text
    }
  }

  @Test func highlightsOfAnotherTextDoNotTrap() {
    let stage = TableStage(columns: [TableColumn("a")], width: 4, height: 1, hasSource: false)
    let other = "another text, which is longer 👨‍👩‍👧"
    stage.table.rDataSource.answer(\.tableView_numberOfRowsInSection) { _, _ in 1 }
    stage.table.rDataSource.answer(\.tableView_cellsOfRow) { _, _ in
      ["a": TableCell("漢字漢字", highlights: [other.startIndex..<other.endIndex])]
    }
    stage.table.reloadData()
    #expect(
      stage.backend.grid.styledText == """
        漢…
        ----
        aa
        a: black on yellow
        """)
  }
}

@MainActor
private final class NoteSource: TableViewDataSource {
  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 2 }

  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    guard row == 0 else { return ["title": "A long title that does not fit", "date": "14 June"] }
    let title = "Shopping"
    let hit = title.startIndex..<title.index(title.startIndex, offsetBy: 4)
    return [
      "title": TableCell(title, highlights: [hit]), "date": TableCell("2 May", style: .faint),
    ]
  }
}
