import RunnelDesk
import Testing

@MainActor
@Suite struct TableHeaderTests {
  private func stage() -> (TableStage, LoggingDelegate) {
    let stage = TableStage(
      ["x", "y"],
      columns: [
        TableColumn("name", title: "Name", width: .fixed(6), isSortable: true),
        TableColumn("text", title: "Text", width: .fixed(6)),
        TableColumn("date", title: "Date", width: .fixed(6), isSortable: true),
      ], width: 20, height: 3, showsHeader: true)
    return (stage, stage.noted())
  }

  @Test func aClickOnATitleSorts() {
    let (stage, delegate) = stage()
    stage.backend.click("Date")
    #expect(delegate.take() == ["header date", "shouldSort date true", "sort date true"])
    #expect(stage.backend.grid.lines[0] == "Name   Text   Date ▲")
    stage.backend.click("Date")
    #expect(delegate.take() == ["header date", "shouldSort date false", "sort date false"])
    stage.backend.click("Name")
    #expect(stage.table.sort == TableSort("name"))
    _ = delegate.take()
    stage.backend.click("Text")
    #expect(delegate.take() == ["header text"] && stage.table.sort == TableSort("name"))
  }

  @Test func sortingCanBeRefused() {
    let (stage, delegate) = stage()
    delegate.refusesSorting = true
    stage.backend.click("Date")
    #expect(delegate.take() == ["header date", "shouldSort date true"] && stage.table.sort == nil)
    let answer = stage.table.rDelegate.answer(\.tableView_shouldSortBy) { $1.column == "date" }
    stage.backend.click("Name")
    #expect(stage.table.sort == nil)
    stage.backend.click("Date")
    #expect(stage.table.sort == TableSort("date"))
    answer.dispose()
    stage.backend.click("Date")
    #expect(stage.table.sort == TableSort("date"))
  }

  /// The header shows no order that the rows do not have.
  @Test func withoutAProgramThatSortsThereIsNoArrow() {
    let (stage, _) = stage()
    let table = stage.table
    table.delegate = nil
    table.rDelegate.stream(\.tableView_didActivateRow).observeNext { _ in }
    stage.backend.click("Date")
    #expect(table.sort == nil && !table.propose(sort: TableSort("date")))
    #expect(stage.backend.grid.lines[0] == "Name   Text   Date")
    // The program may state an order that the rows have.
    table.sort = TableSort("name")
    #expect(stage.backend.grid.lines[0] == "Name ▲ Text   Date")
    stage.backend.click("Name")
    #expect(stage.backend.grid.lines[0] == "Name ▲ Text   Date")
  }

  @Test(arguments: ["sort", "didSort", "shouldSort"])
  func aProgramThatObservesTheOrderSorts(way: String) {
    let (stage, _) = stage()
    let (table, proxy) = (stage.table, stage.table.rDelegate)
    table.delegate = nil
    let observation =
      switch way {
      case "sort": table.rx.sort.observeNext { _ in }
      case "didSort": proxy.stream(\.tableView_didSortBy).observeNext { _ in }
      default: proxy.answer(\.tableView_shouldSortBy) { _, _ in true }
      }
    stage.backend.click("Date")
    #expect(stage.backend.grid.lines[0] == "Name   Text   Date ▲")
    observation.dispose()
    stage.backend.click("Date")
    #expect(table.sort == TableSort("date"))
  }

  @Test func keysSelectATitleAndClickIt() {
    let (stage, delegate) = stage()
    stage.press("right", "right", "right", "enter")
    #expect(delegate.take() == ["header date", "shouldSort date true", "sort date true"])
    stage.press("left", "space")
    #expect(stage.table.sort == TableSort("name"))
    #expect(stage.backend.grid.styledText.contains("on blue"))
    stage.press("down", "enter")
    #expect(stage.table.sort == TableSort("name") && delegate.take().last == "activate 0")
    stage.press("left", "escape", "enter")
    #expect(delegate.take() == ["activate 0"])
    stage.table.showsHeader = false
    stage.press("right", "enter")
    #expect(delegate.take() == ["activate 0"])
  }

  @Test func columnsGetTheirWidths() {
    let columns = [
      TableColumn("a", title: "aaaaaaaa", width: .flexible(minimum: 3)),
      TableColumn("b", title: "bbbbbbbb", width: .fixed(4)),
      TableColumn("c", title: "cccccccc"),
    ]
    let widths = [17: "aaaaaa… bbb… ccc…", 9: "aa… bbb…", 4: "aa…", 1: "…"]
    for (width, header) in widths {
      let stage = TableStage(columns: columns, width: width, height: 1, showsHeader: true)
      #expect(stage.backend.grid.lines[0] == header, "\(width)")
    }
    let odd = [
      TableColumn("a", title: "aaa", width: .fixed(-3)),
      TableColumn("b", title: "bbb", width: .fixed(.max)),
      TableColumn("c", title: "ccc", width: .flexible(minimum: .max)),
      TableColumn("d", title: "ddd", width: .flexible(minimum: -1)),
    ]
    let stage = TableStage(columns: odd, width: 8, height: 1, showsHeader: true)
    #expect(stage.backend.text == " bbb")
  }
}
