@testable import RunnelDesk

/// A backend with native controls, like those of a window toolkit. A native control changes as soon
/// as the user uses it and then proposes the change. If the application's control has another
/// state, the native control shows that state again.
@MainActor
final class MirrorBackend: Backend {
  /// The state of a native control.
  enum Copy: Equatable {
    case button(String, canBeUsed: Bool)
    case checkbox(String, isOn: Bool)
    case text(String, selection: TextSelection)
    case table(rows: [String], selected: RangeSet<Int>, columns: [TableColumn], sort: TableSort?)
    case split(SplitView.Position)
    /// A control with one value.
    case value(String)
  }

  var clipboard = ""
  private(set) weak var application: Application?
  private var copies: [ObjectIdentifier: Copy] = [:]
  /// True after ``needsDisplay()`` and before the next update.
  private var isStale = false

  func start(_ application: Application) { self.application = application }
  func needsDisplay() { isStale = true }
  func ring() {}
  func stop() { application = nil }

  // MARK: - Display

  /// Returns the native state of a control.
  func copy(of view: View) -> Copy? {
    if isStale { showAll() }
    return copies[ObjectIdentifier(view)]
  }

  /// True when each native control shows the state of its application control.
  var isInSync: Bool { outdatedCopies.isEmpty }

  /// The native states that differ from the state of their application control.
  var outdatedCopies: [Copy] {
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
    case let control as Switch: .value("\(control.isOn)")
    case let group as RadioGroup: .value("\(group.selectedIndex ?? -1)")
    case let slider as Slider: .value("\(slider.value)")
    case let stepper as Stepper: .value("\(stepper.value)")
    case let button as PopUpButton: .value("\(button.selectedIndex ?? -1)")
    case let tabs as TabView: .value("\(tabs.selectedIndex)")
    case let scroll as ScrollView: .value("\(scroll.scrollPosition)")
    case let table as TableView:
      .table(
        rows: (0..<table.rowCount).map { row in text(of: row, in: table) },
        selected: table.selectedRows, columns: table.columns, sort: table.sort)
    default: nil
    }
  }

  private static func text(of row: Int, in table: TableView) -> String {
    let cells = table.dataSource?.tableView(table, cellsOfRow: row) ?? [:]
    return table.columns.map { cells[$0.identifier].text }.joined(separator: "|")
  }

  // MARK: - User input

  /// Changes a native control and proposes the change.
  private func change(_ view: View, to copy: Copy, _ propose: () -> Bool) {
    if isStale { showAll() }
    copies[ObjectIdentifier(view)] = copy
    if !propose() { show(view) }
  }

  func tick(_ checkbox: Checkbox) {
    guard case .checkbox(let title, let isOn)? = copy(of: checkbox) else { return }
    change(checkbox, to: .checkbox(title, isOn: !isOn)) { checkbox.propose(isOn: !isOn) }
  }

  /// Sets a native control with one value.
  func set(_ view: View, to value: String, _ propose: () -> Bool) {
    change(view, to: .value(value), propose)
  }

  /// Replaces the whole text. Some toolkits report no details.
  func enter(_ text: String, in control: some TextControl) {
    let end = TextSelection(caret: TextPosition(line: 0, offset: text.utf8.count))
    change(control, to: .text(text, selection: end)) {
      // The caret stays when the text is already the same.
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

extension Window {
  /// Gives an answer of the alert that the window shows, as the user does: if the alert has this
  /// answer and its delegate agrees. Returns true if the alert has closed.
  @discardableResult
  func propose(answer: AlertButton) -> Bool {
    let answers = (content as? AlertView)?.answers ?? []
    guard application != nil, let button = answers.first(where: { $0.answer == answer })?.button
    else { return false }
    return button.press() && application == nil
  }
}
