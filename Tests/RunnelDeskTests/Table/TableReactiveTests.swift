import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TableReactiveTests {
  private func stage() -> TableStage {
    TableStage(
      ["a", "b", "c"], columns: [TableColumn("name", title: "Name", isSortable: true)],
      height: 4, showsHeader: true)
  }

  @Test func propertiesSendTheValueThenEachChange() {
    let stage = stage()
    stage.table.selectedRow = 1
    var rows: [Int?] = []
    var sets: [[Int]] = []
    var orders: [String?] = []
    stage.table.rx.selectedRow.observeNext { rows.append($0) }
    stage.table.rx.selectedRows.observeNext { sets.append(Array($0.ranges.joined())) }
    stage.table.rx.sort.observeNext { orders.append($0?.column) }
    #expect(rows == [1] && sets == [[1]] && orders == [nil])
    stage.press("down", "down", "shift+up", "space")
    stage.backend.click("Name")
    stage.table.sort = nil
    stage.source.rows.removeFirst()
    stage.table.removeRows(0..<1)
    #expect(rows == [1, 2, 1, 2, 1])
    #expect(sets == [[1], [2], [1, 2], [2], [1]] && orders == [nil, "name", nil])
  }

  @Test func propertiesCanBeSet() {
    let stage = stage()
    let row = Property<Int?>(2)
    row.bind(to: stage.table.rx.selectedRow)
    #expect(stage.selected == [2])
    row.value = nil
    #expect(stage.selected == [])
    row.value = 99
    #expect(stage.selected == [])
    stage.table.rx.selectedRows.send(RangeSet(0..<2))
    #expect(stage.selected == [0, 1])
    stage.table.rx.sort.send(TableSort("name", isAscending: false))
    #expect(stage.backend.grid.lines[0].contains("▼"))
    let hint = Property("empty")
    hint.bind(to: stage.table.rx.placeholder)
    #expect(stage.table.placeholder == "empty")
  }

  @Test func eventsSendNothingWhenObserved() {
    let stage = stage()
    stage.press("down", "enter")
    stage.backend.click("Name")
    var events: [String] = []
    stage.table.rx.activated.observeNext { events.append("activated \($0)") }
    stage.table.rx.headerClicked.observeNext { events.append("clicked \($0.identifier)") }
    stage.table.rx.selectionChanged.observeNext {
      events.append("selected \(Array($0.ranges.joined()))")
    }
    #expect(events == [])
    stage.press("enter", "down")
    stage.backend.click("Name")
    stage.table.selectedRow = nil
    #expect(events == ["activated 0", "selected [1]", "clicked name", "selected []"])
  }

  @Test func eventsAreSentAfterTheDelegateChanges() {
    final class Nobody: TableViewDelegate {}
    let stage = stage()
    var events: [String] = []
    stage.table.rx.activated.observeNext { events.append("activated \($0)") }
    stage.table.rx.headerClicked.observeNext { events.append("clicked \($0.identifier)") }
    stage.table.rx.selectionChanged.observeNext { _ in events.append("selected") }
    let delegate = Nobody()
    stage.table.delegate = delegate
    stage.press("down", "enter")
    stage.backend.click("Name")
    withExtendedLifetime(delegate) {}
    #expect(events == ["selected", "activated 0", "clicked name"])
  }

  @Test func reloadRequestsTheCellsOfVisibleRows() {
    let stage = TableStage(["a", "b", "c"], height: 2)
    _ = stage.backend.text
    stage.source.rows = ["x", "y", "z"]
    stage.source.asked = []
    EventStream.just(()).bind(to: stage.table.rx.reload)
    #expect(stage.backend.text.hasPrefix("x") && stage.source.asked == [0, 1])
  }

  @Test func streamsCompleteAndRetainNothing() {
    weak var table: TableView?
    var completions = 0
    let complete = { completions += 1 }
    let rows = Property<Int?>(nil)
    var streams: [EventStream<Void, Never>] = []
    do {
      let owner = TableView(columns: [TableColumn("a")], selectionMode: .multiple)
      table = owner
      streams = [
        owner.rx.selectedRow.stream.map { _ in }, owner.rx.selectedRows.stream.map { _ in },
        owner.rx.sort.stream.map { _ in }, owner.rx.activated.stream.map { _ in },
        owner.rx.headerClicked.stream.map { _ in },
        owner.rx.selectionChanged.stream.map { _ in },
        owner.rx.columnResized.stream.map { _ in },
      ]
      for stream in streams { stream.observe(next: {}, completed: complete) }
      rows.bind(to: owner.rx.selectedRow)
    }
    #expect(table == nil && completions == 7 && !rows.isObserved)
    for stream in streams { stream.observe(next: {}, completed: complete) }
    #expect(completions == 14)
  }

  @Test func aUsedTableIsReleased() {
    weak var table: TableView?
    do {
      let stage = stage()
      table = stage.table
      stage.table.rx.activated.observeNext { _ in }
      stage.backend.type("b")
      stage.press("down", "enter", "right", "enter")
      stage.backend.click("c")
      stage.window.close()
    }
    #expect(table == nil)
  }
}
