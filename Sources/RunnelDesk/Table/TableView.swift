import RunnelProxies
import RunnelStreams

/// Rows in columns, of which a person may select some: below a header, in sections that may have headings.
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
/// What it shows comes from a collection, as here, or from a ``TableViewDataSource``.
@MainActor
public final class TableView: View {
  /// How many rows can be selected.
  public enum SelectionMode: Hashable, Sendable {
    /// None: the arrow keys scroll.
    case none
    /// One.
    case single
    /// As many as there are.
    case multiple
  }

  // MARK: - Who is asked and told

  /// Where it gets from what it shows.
  public weak var dataSource: (any TableViewDataSource)? {
    didSet {
      if dataSource === oldValue { return }
      // What feeds it from a collection stays before the data source.
      if binding?.isDisposed == false && !(dataSource is TableViewDataSourceProxy) {
        _ = rDataSource
      } else {
        reloadData()
      }
    }
  }
  /// The proxy of ``dataSource``.
  public var rDataSource: TableViewDataSourceProxy { proxy(for: \.dataSource) }

  /// Who is told and asked what a person does.
  public weak var delegate: (any TableViewDelegate)?
  /// The proxy of ``delegate``.
  public var rDelegate: TableViewDelegateProxy { proxy(for: \.delegate) }

  // MARK: - How it looks

  /// What it shows beside each other.
  public var columns: [TableColumn] { didSet { columnsChanged() } }
  /// Whether the titles of the columns stand above.
  public var showsHeader = true { didSet { needsDisplay() } }
  /// What it says while there is nothing to show.
  public var placeholder = "" { didSet { needsDisplay() } }
  /// Which order of the rows the header shows.
  public var sort: TableSort? {
    get { sorting.value }
    set { if newValue != sort { sorting.value = newValue } }
  }

  // MARK: - What a person may do

  /// How many rows can be selected. Those that are too many are not selected any more.
  public var selectionMode: SelectionMode {
    didSet { restrictSelection() }
  }
  /// Whether the mouse can move the edges of columns, in the header.
  public var allowsColumnResizing = true
  /// Whether typing letters goes to the row that begins with them.
  public var allowsTypeSelect = true

  // MARK: - What it knows

  let selection = Property(TableSelection())
  let sorting = Property(TableSort?.none)
  let signals = TableSignals()
  var lines = TableLines()
  /// What the visible rows show.
  var shownRows: [Int: TableRow] = [:]
  /// The line that is seen at the top.
  var top = 0
  /// The row to scroll to as soon as there is room for rows.
  var awaitedRow: Int?
  /// How many lines there was room for when the table got its size.
  var fittedViewport = 0
  /// The rows that were told to be seen.
  var reportedRows = 0..<0
  /// Counts changes of rows and selection, so that what a person wanted is given up where the answer of a
  /// delegate has made it something else.
  var revision = 0
  /// The column whose title keys would click.
  var markedColumn: String?
  /// What a button of the mouse went down on.
  var grip: TableGrip?
  let typed = TypeSelect()
  /// What feeds it from a collection.
  var binding: Disposable?

  /// A table without rows.
  public init(columns: [TableColumn] = [], selectionMode: SelectionMode = .single) {
    self.columns = columns
    self.selectionMode = selectionMode
    super.init()
    sorting.updates.observeNext(weak: self) { table, _ in table.needsDisplay() }
    columnsChanged()
  }

  private func columnsChanged() {
    precondition(
      Set(columns.map(\.identifier)).count == columns.count,
      "Two columns of a TableView have the same identifier. Give each its own.")
    shownRows = [:]
    needsDisplay()
  }

  // MARK: - As a view

  override public var canBecomeFirstResponder: Bool { true }

  /// What is in it stays where it is put: a field at the frame of a row.
  override public func layoutSubviews() { fitScrolling() }

  override public func didResignFirstResponder() { forgetMark() }

  override public func keyDown(_ press: KeyPress) -> Bool {
    if super.keyDown(press) { return true }
    return press == KeyPress(.function(2)) && beginEditing()
  }

  override public func perform(_ command: Command) -> Bool { obey(command) }

  override public func insert(_ text: String) -> Bool { takeTyped(text) }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    handle(event, clicks: clicks)
  }
}
