import RunnelCollections
import RunnelStreams

/// The rows that a table has from a collection, as the items that they are.
///
///     let table = TableView(columns: [TableColumn("title")])
///     let rows = table.rx.rows(shelf) { row, title in row["title"].text = title }
///     rows.selectedItem.observeNext { title in show(title ?? "nothing") }
///     rows.activated.observeNext { title in show("open \(title)") }
///
/// `table.rx.rows` makes it. It ends with the table, or when it is disposed; the table then shows what its
/// own data source has. It keeps the collection, and not the table.
@MainActor
public final class TableRows<Item> {
  /// What ends it.
  public let disposable = Disposable()

  private weak var table: TableView?
  private let ended: EventStream<Void, Never>
  private var source: any RowSource<Item>
  /// The lines of the source.
  private(set) var lines = TableLines()
  private let configure: (inout TableRow, Item) -> Void
  /// The row whose cells are being asked for, one after the other.
  private var configured: (row: Int, shown: TableRow)?

  private let chosen = Property(Item?.none)
  private let choice = PushStream<Void>()
  /// The rows that were told to be selected, by their present numbers.
  private var reportedRows = RangeSet<Int>()
  private var reportedRow: Int?
  /// Whether what they show is not what was told.
  private var areRowsTouched = false
  private var isRowTouched = false

  init(
    _ table: TableView, _ source: any RowSource<Item>,
    configure: @escaping (inout TableRow, Item) -> Void
  ) {
    self.table = table
    self.source = source
    self.configure = configure
    ended = table.lifetime.endedAtHome
  }

  // MARK: - What the program reads

  /// The item of a row; nil if there is no such row.
  public func item(atRow row: Int) -> Item? {
    guard (0..<lines.rowCount).contains(row) else { return nil }
    let path = lines.path(ofRow: row)
    return source.items(of: path.section)[path.item]
  }

  /// The selected item; of several the one that was selected last.
  ///
  /// *Events*: the current one, then another one when it is selected or takes the place of the selected
  /// one; none when that only moves.
  public var selectedItem: ReadOnlyProperty<Item?> {
    ReadOnlyProperty(
      read: { [weak self] in self?.current },
      stream: chosen.stream.take(until: ended))
  }

  /// The selected items, in the order of the rows.
  ///
  /// *Events*: the current ones, then each time that others are selected, one of them is updated,
  /// or their order is another one.
  public var selectedItems: ReadOnlyProperty<[Item]> {
    let read: () -> [Item] = { [weak self] in self?.currentItems ?? [] }
    return ReadOnlyProperty(
      read: read,
      stream: choice.stream.startWith(()).map { read() }.take(until: ended))
  }

  /// The items of rows that are activated: with Return, or by a double click.
  public var activated: EventStream<Item, Never> {
    guard let table else { return .completed }
    return table.signals.activation.compactMap { [weak self] row in self?.item(atRow: row) }
      .take(until: ended)
  }

  /// Selects the first row of whose item something holds, and scrolls to it. Returns whether there is one.
  ///
  /// *Complexity*: linear.
  @discardableResult
  public func select(where isIt: (Item) -> Bool) -> Bool {
    guard let table, let row = source.firstRow(where: isIt), row < table.rowCount else {
      return false
    }
    table.selectedRow = row
    return true
  }

  private var current: Item? { table?.selectedRow.flatMap(item(atRow:)) }

  private var currentItems: [Item] {
    table?.selectedRows.ranges.joined().compactMap(item(atRow:)) ?? []
  }

  /// Ends it.
  public func dispose() { disposable.dispose() }

  // MARK: - What the table asks

  /// Answers the questions of the table.
  func begin(_ observation: (TableRows) -> Disposable) {
    guard let table else { return }
    // Whoever is told that one ends may begin another one.
    while let binding = table.binding, !binding.isDisposed { binding.dispose() }
    disposable.add { [weak table, weak self] in
      self?.forget()
      table?.reloadData()
    }
    let proxy = table.rDataSource
    disposable.add(proxy.answer(\.numberOfSections_in) { _ in self.source.sectionCount })
    disposable.add(
      proxy.answer(\.tableView_numberOfRowsInSection) { _, section in
        self.source.items(of: section).count
      })
    disposable.add(
      proxy.answer(\.tableView_titleOfSection) { _, section in self.source.title(of: section) })
    disposable.add(
      proxy.answer(\.tableView_cellFor_row) { table, column, row in
        self.cell(column, row, of: table)
      })
    table.binding = disposable
    disposable.add(
      table.selection.updates.observeNext { [weak self] _ in self?.tellSelection() })
    disposable.add(ended.observeNext { [disposable] in disposable.dispose() })
    disposable.add(observation(self))
  }

  private func forget() {
    // Items are released when nothing is being changed: what goes with them may ask for others.
    let old = exchange(&source, with: ListRows<Item>(items: []))
    defer { withExtendedLifetime(old) {} }
    lines = TableLines()
    configured = nil
    guard reportedRow != nil else { return }
    (reportedRow, reportedRows) = (nil, RangeSet())
    chosen.value = nil
    choice.next(())
  }

  private func cell(_ column: TableColumn, _ row: Int, of table: TableView) -> TableCell {
    // A row is asked for from its first column on, and configured once for all of them.
    if column != table.columns.first, let configured, configured.row == row {
      return configured.shown[column.identifier]
    }
    guard let item = item(atRow: row) else { return TableCell("") }
    var shown = TableRow()
    configure(&shown, item)
    configured = (row, shown)
    return shown[column.identifier]
  }

  // MARK: - What the collection tells

  /// It is another collection. An item that is known again need not show what it did.
  func reset(to source: any RowSource<Item>, _ shift: RowShift) {
    take(source, shift, source.lines, updated: RangeSet(0..<self.lines.rowCount))
  }

  /// The items are others, as far as the shift does not say what has become of them.
  func take(
    _ source: any RowSource<Item>, _ shift: RowShift, _ lines: TableLines,
    updated: RangeSet<Int> = RangeSet()
  ) {
    guard let table else { return }
    let old = exchange(&self.source, with: source)
    defer { withExtendedLifetime(old) {} }
    self.lines = lines
    configured = nil
    if !shift.keeps(reportedRows) || !reportedRows.isDisjoint(updated) { areRowsTouched = true }
    if let row = reportedRow, shift.row(row) == nil || updated.contains(row) { isRowTouched = true }
    reportedRows = shift.rows(reportedRows)
    reportedRow = reportedRow.flatMap { shift.row($0) }
    table.shift(shift, to: lines, updated: updated)
    tellSelection()
  }

  private func tellSelection() {
    guard let table else { return }
    let selection = table.selection.value
    let hasOtherRow = isRowTouched || selection.row != reportedRow
    let hasOtherRows = areRowsTouched || selection.rows != reportedRows
    (reportedRow, reportedRows) = (selection.row, selection.rows)
    (isRowTouched, areRowsTouched) = (false, false)
    if hasOtherRow { chosen.value = current }
    if hasOtherRows { choice.next(()) }
  }
}
