import RunnelDesk
import RunnelStreams
import RunnelTesting

/// A table on a small screen, with a data source that counts requests.
@MainActor
final class TableStage {
  let backend: HeadlessBackend
  let application: Application
  let window: Window
  let table: TableView
  let source: CountingSource
  let scheduler = TestScheduler()

  init(
    _ rows: [String] = [], sections: [(String?, [String])]? = nil, columns: [TableColumn]? = nil,
    width: Int = 12, height: Int = 5, showsHeader: Bool = false,
    selectionMode: TableView.SelectionMode = .multiple, hasSource: Bool = true
  ) {
    backend = HeadlessBackend(Size(width: width, height: height))
    application = Application(backend: backend, scheduler: scheduler)
    table = TableView(
      columns: columns ?? [TableColumn("name", title: "Name")], selectionMode: selectionMode)
    table.showsHeader = showsHeader
    window = Window(content: table)
    source = CountingSource(sections ?? [(nil, rows)])
    if hasSource { table.dataSource = source }
    application.show(window)
    window.makeFirstResponder(table)
  }

  /// The selected rows.
  var selected: [Int] { Array(table.selectedRows.ranges.joined()) }

  /// Returns a delegate that logs the calls after the first layout.
  func noted() -> LoggingDelegate {
    let delegate = LoggingDelegate()
    table.delegate = delegate
    _ = backend.text
    _ = delegate.take()
    return delegate
  }

  /// Presses keys, one after the other.
  func press(_ names: String...) {
    for name in names { backend.press(name) }
  }

  /// True if the screen equals that of a complete reload.
  var isUpToDate: Bool {
    let shown = backend.grid.styledText
    table.reloadRows(0..<table.rowCount)
    return backend.grid.styledText == shown
  }
}

@MainActor
final class CountingSource: TableViewDataSource {
  var sections: [(title: String?, rows: [String])]
  /// The rows whose cells were requested, in order.
  var asked: [Int] = []

  init(_ sections: [(String?, [String])]) {
    self.sections = sections
  }

  var rows: [String] {
    get { sections[0].rows }
    set { sections[0].rows = newValue }
  }

  func numberOfSections(in table: TableView) -> Int { sections.count }

  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  func tableView(_ table: TableView, titleOfSection section: Int) -> String? {
    sections[section].title
  }

  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    asked.append(row)
    let path = table.path(ofRow: row)
    let cell = TableCell(sections[path.section].rows[path.item])
    var cells = TableRow()
    for column in table.columns { cells[column.identifier] = cell }
    return cells
  }
}

/// A delegate that logs every call and refuses what its properties say.
@MainActor
final class LoggingDelegate: TableViewDelegate {
  var notes: [String] = []
  var refusedRows: Set<Int> = []
  var refusesSelection = false
  var refusesEditing = false
  var refusesSorting = false
  var refusesResizing = false
  var typeSelectTexts: [Int: String] = [:]
  var handledCommands: Set<Command> = []
  /// Additional actions, by the first word of the log entry.
  var reactions: [String: () -> Void] = [:]

  private func note(_ text: String) {
    notes.append(text)
    reactions[text.split(separator: " ").first.map(String.init) ?? ""]?()
  }

  func take() -> [String] {
    defer { notes = [] }
    return notes
  }

  func tableView(_ table: TableView, shouldSelectRow row: Int) -> Bool {
    note("should \(row)")
    return !refusedRows.contains(row)
  }

  func tableView(_ table: TableView, shouldChangeSelectionTo rows: RangeSet<Int>) -> Bool {
    note("shouldChange \(Array(rows.ranges.joined()))")
    return !refusesSelection
  }

  func tableView(_ table: TableView, selectionWillChangeTo rows: RangeSet<Int>) {
    note("will \(Array(rows.ranges.joined()))")
  }

  func tableViewSelectionDidChange(_ table: TableView) {
    note("did \(Array(table.selectedRows.ranges.joined()))")
  }

  func tableView(_ table: TableView, didActivateRow row: Int) { note("activate \(row)") }

  func tableView(_ table: TableView, shouldEditRow row: Int) -> Bool {
    note("shouldEdit \(row)")
    return !refusesEditing
  }

  func tableView(_ table: TableView, didBeginEditingRow row: Int) { note("edit \(row)") }

  func tableView(_ table: TableView, didClickHeaderOf column: TableColumn) {
    note("header \(column.identifier)")
  }

  func tableView(_ table: TableView, shouldSortBy sort: TableSort) -> Bool {
    note("shouldSort \(sort.column) \(sort.isAscending)")
    return !refusesSorting
  }

  func tableView(_ table: TableView, didSortBy sort: TableSort) {
    note("sort \(sort.column) \(sort.isAscending)")
  }

  func tableView(_ table: TableView, shouldResize column: TableColumn, to width: Int) -> Bool {
    note("shouldResize \(column.identifier) \(width)")
    return !refusesResizing
  }

  func tableView(_ table: TableView, didResize column: TableColumn) {
    note("resize \(column.identifier)")
  }

  func tableView(_ table: TableView, typeSelectTextForRow row: Int) -> String? {
    typeSelectTexts[row]
  }

  func tableView(_ table: TableView, doCommand command: Command) -> Bool {
    handledCommands.contains(command)
  }

  func tableView(_ table: TableView, didShowRows rows: Range<Int>) { note("show \(rows)") }
}
