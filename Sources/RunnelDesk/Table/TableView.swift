import RunnelProxies
import RunnelStreams

/// A control that shows rows in columns, below a header, in sections with or without headings. The
/// user can select rows.
///
///     let table = TableView(columns: [
///       TableColumn("title", title: "Title", isSortable: true),
///       TableColumn("length", title: "Length", width: .fixed(6), alignment: .trailing),
///     ])
///     table.rx.rows(shelf) { row, title in
///       row["title"].text = title
///       row["length"] = TableCell("\(title.count)", style: .faint)
///     }
///     table.rx.activated.observeNext { row in show(row) }
///
/// The rows come from a collection, as here, or from a ``TableViewDataSource``.
@MainActor
public final class TableView: View {
  /// The number of rows that can be selected at a time.
  public enum SelectionMode: Hashable, Sendable {
    /// No row. The arrow keys scroll.
    case none
    /// One row.
    case single
    /// Any number of rows.
    case multiple
  }

  // MARK: - Data source and delegate

  /// The object that provides the rows.
  public weak var dataSource: (any TableViewDataSource)? {
    didSet {
      let assigned = dataSource
      if assigned === oldValue { return }
      keepProxy(for: \.dataSource)
      // If the proxy was installed, that assignment has loaded the data.
      if dataSource === assigned { reloadData() }
    }
  }
  /// The proxy of ``dataSource``.
  public var rDataSource: TableViewDataSourceProxy { proxy(for: \.dataSource) }

  /// The object that is asked and notified when the user acts on the table.
  public weak var delegate: (any TableViewDelegate)? { didSet { keepProxy(for: \.delegate) } }
  /// The proxy of ``delegate``.
  public var rDelegate: TableViewDelegateProxy { proxy(for: \.delegate) }

  // MARK: - Appearance

  /// The columns, from left to right.
  public var columns: [TableColumn] { didSet { columnsChanged() } }
  /// True when the table shows a header with the titles of the columns.
  public var showsHeader = true { didSet { needsDisplay() } }
  /// The text that the table shows while it has no rows.
  public var placeholder = "" { didSet { needsDisplay() } }
  /// The sort order that the header shows with an arrow. A click on the title of a sortable column
  /// changes it if the program sorts the rows: see ``TableColumn/isSortable``.
  public var sort: TableSort? {
    get { sorting.value }
    set {
      if newValue == sort { return }
      needsDisplay()
      sorting.value = newValue
    }
  }

  // MARK: - User actions

  /// The number of rows that can be selected at a time. Setting it deselects the rows that are no
  /// longer allowed.
  public var selectionMode: SelectionMode {
    didSet { restrictSelection() }
  }
  /// True when the user can move the edges of columns in the header.
  public var allowsColumnResizing = true
  /// True when typing letters selects the next row that begins with them.
  public var allowsTypeSelect = true

  // MARK: - State

  let selection = Property(TableSelection())
  let sorting = Property(TableSort?.none)
  package internal(set) var lines = TableLines()
  /// The cached cells of the visible rows.
  var shownRows: [Int: TableRow] = [:]
  /// The line at the top of the visible part.
  package internal(set) var top = 0
  /// The row to scroll to as soon as the table has room for rows.
  var awaitedRow: Int?
  /// The number of lines that the table had room for at its last layout.
  var fittedViewport = 0
  /// The visible rows that the delegate was last notified of.
  var reportedRows = 0..<0
  /// The number of changes of the rows and the selection. An action of the user is abandoned if a
  /// delegate changes rows or selection while answering.
  var revision = 0
  /// The identifier of the column that Return would sort by. The header marks its title.
  package internal(set) var markedColumn: String?
  var pressedPart: TablePart?
  let typed = TypeSelect()
  var binding: Disposable?
  /// The outline whose rows the table shows.
  package internal(set) weak var outline: OutlineView?

  /// The number of rows, with the header, that a backend has room for; nil if the whole frame is shown.
  package var measuredHeight: Int? {
    didSet { if measuredHeight != oldValue { needsDisplay() } }
  }

  /// Creates a table without rows.
  public init(columns: [TableColumn] = [], selectionMode: SelectionMode = .single) {
    self.columns = columns
    self.selectionMode = selectionMode
    super.init()
    columnsChanged()
  }

  private func columnsChanged() {
    precondition(
      Set(columns.map(\.identifier)).count == columns.count,
      "Two columns of a TableView have the same identifier. Give each column its own.")
    shownRows = [:]
    needsDisplay()
  }

  // MARK: - View

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(outline == nil ? .table : .outline, value: rowDescription)
  }

  override public var canBecomeFirstResponder: Bool { true }

  /// Adapts the scroll offset. Subviews, such as a text field over a row, keep their frames.
  override public func layoutSubviews() { fitScrolling() }

  /// The selected row, if it is visible.
  override public var contextMenuAnchor: Rect {
    guard let row = selectedRow, visibleRows.contains(row) else { return super.contextMenuAnchor }
    let y = lines.line(ofRow: row) - top + headerHeight
    return Rect(x: 0, y: y, width: contentWidth, height: 1)
  }

  override public func didResignFirstResponder() { forgetMark() }

  override public func keyDown(_ press: KeyPress) -> Bool {
    if super.keyDown(press) { return true }
    return press == KeyPress(.function(2)) && beginEditing()
  }

  override var usesReturn: Bool { selectedRow != nil }

  override public func perform(_ command: Command) -> Bool { handle(command) }

  override public func insert(_ text: String) -> Bool {
    insertTyped(text) || delegate?.tableView(self, insert: text) == true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    handle(event, clicks: clicks)
  }
}
