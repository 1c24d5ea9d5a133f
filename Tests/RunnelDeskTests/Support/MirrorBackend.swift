import RunnelDesk

/// A backend that has controls of its own, as those of a toolkit with windows: each changes by itself as
/// soon as a person does something with it, then proposes that, and shows again what the application's control
/// says where that is something else.
@MainActor
final class MirrorBackend: Backend {
  /// What a control of its own shows.
  enum Copy: Equatable {
    case button(String, canBeUsed: Bool)
    case checkbox(String, isOn: Bool)
    case text(String, selection: TextSelection)
    case table(rows: [String], selected: RangeSet<Int>, columns: [TableColumn], sort: TableSort?)
    case split(SplitView.Position)
  }

  var clipboard = ""
  private(set) weak var application: Application?
  private var copies: [ObjectIdentifier: Copy] = [:]
  /// What was said to look different, and is not shown yet.
  private var isStale = false

  func start(_ application: Application) { self.application = application }
  func needsDisplay() { isStale = true }
  func ring() {}
  func stop() { application = nil }

  // MARK: - What it shows

  /// What the copy of a control shows.
  func copy(of view: View) -> Copy? {
    if isStale { showAll() }
    return copies[ObjectIdentifier(view)]
  }

  /// Whether each copy shows what its control says.
  var isTrue: Bool { falseCopies.isEmpty }

  /// What shows something else than its control says.
  var falseCopies: [Copy] {
    controls.filter { copy(of: $0) != Self.copy(of: $0) }.compactMap { copy(of: $0) }
  }

  private var controls: [View] {
    (application?.windows ?? []).flatMap { Self.tree($0.content) }
      .filter { Self.copy(of: $0) != nil }
  }

  private static func tree(_ view: View) -> [View] { [view] + view.subviews.flatMap(tree) }

  private func showAll() {
    isStale = false
    for view in controls { show(view) }
  }

  private func show(_ view: View) { copies[ObjectIdentifier(view)] = Self.copy(of: view) }

  private static func copy(of view: View) -> Copy? {
    switch view {
    case let button as Button: .button(button.title, canBeUsed: button.isAvailable)
    case let checkbox as Checkbox: .checkbox(checkbox.title, isOn: checkbox.isOn)
    case let control as any TextControl: .text(control.text, selection: control.selection)
    case let split as SplitView: .split(split.position)
    case let table as TableView:
      .table(
        rows: (0..<table.rowCount).map { row in text(of: row, in: table) },
        selected: table.selectedRows, columns: table.columns, sort: table.sort)
    default: nil
    }
  }

  private static func text(of row: Int, in table: TableView) -> String {
    let cells = table.columns.map { table.dataSource?.tableView(table, cellFor: $0, row: row).text }
    return cells.compactMap { $0 }.joined(separator: "|")
  }

  // MARK: - What a person does

  /// A control of its own has changed, and proposes that.
  private func change(_ view: View, to copy: Copy, _ propose: () -> Bool) {
    if isStale { showAll() }
    copies[ObjectIdentifier(view)] = copy
    if !propose() { show(view) }
  }

  func tick(_ checkbox: Checkbox) {
    guard case .checkbox(let title, let isOn)? = copy(of: checkbox) else { return }
    change(checkbox, to: .checkbox(title, isOn: !isOn)) { checkbox.propose(isOn: !isOn) }
  }

  /// The whole text is another one: some toolkits say no more.
  func enter(_ text: String, in control: some TextControl) {
    let end = TextSelection(caret: TextPosition(line: 0, offset: text.utf8.count))
    change(control, to: .text(text, selection: end)) {
      // Nobody has to move the caret for a text that is there already.
      control.propose(text: text) && control.selection == end
    }
  }

  func select(_ selection: TextSelection, in control: some TextControl) {
    guard case .text(let text, _)? = copy(of: control) else { return }
    change(control, to: .text(text, selection: selection)) {
      control.propose(selection: selection)
    }
  }

  func select(_ rows: RangeSet<Int>, in table: TableView) {
    guard case .table(let shown, _, let columns, let sort)? = copy(of: table) else { return }
    change(table, to: .table(rows: shown, selected: rows, columns: columns, sort: sort)) {
      table.propose(selectedRows: rows)
    }
  }

  func sort(_ table: TableView, by sort: TableSort) {
    guard case .table(let shown, let rows, let columns, _)? = copy(of: table) else { return }
    change(table, to: .table(rows: shown, selected: rows, columns: columns, sort: sort)) {
      table.propose(sort: sort)
    }
  }

  func resize(_ column: Int, of table: TableView, to width: Int) {
    guard case .table(let shown, let rows, var columns, let sort)? = copy(of: table) else { return }
    columns[column].width = .fixed(width)
    change(table, to: .table(rows: shown, selected: rows, columns: columns, sort: sort)) {
      table.resizeColumn(columns[column].identifier, to: width)
    }
  }

  func move(_ split: SplitView, to cells: Int) {
    change(split, to: .split(.cells(cells))) { split.moveDivider(to: cells) }
  }
}
