import RunnelCollections
import RunnelStreams

/// A binding of a table to a collection, which translates between rows and items.
///
///     let table = TableView(columns: [TableColumn("title")])
///     let rows = table.rx.rows(shelf) { row, title in row["title"].text = title }
///     rows.selectedItem.observeNext { title in show(title ?? "nothing") }
///     rows.activated.observeNext { title in show("open \(title)") }
///
/// `table.rx.rows` creates it. The binding ends when it is disposed, or with the table. After a
/// disposal the table shows its own data source. The binding retains the collection, but not the
/// table.
@MainActor
public final class TableRows<Item> {
  /// The disposable that ends the binding.
  public let disposable = Disposable()

  private weak var table: TableView?
  private let ended: EventStream<Void, Never>
  private var source: any RowSource<Item>
  /// The lines of `source`. Those of the table differ after a client has inserted or removed rows.
  private(set) var lines = TableLines()
  private let configure: (inout TableRow, Item) -> Void

  private let itemProperty = Property(Item?.none)
  private let itemsChanges = PushStream<Void>()
  /// The selected rows as last reported, by their current numbers. An observer that changes the
  /// table can make them differ from the selection.
  private var reportedRows = RangeSet<Int>()
  private var reportedRow: Int?
  /// True when a reported row was removed, reordered or updated since the report.
  private var haveRowsChanged = false
  private var hasRowChanged = false

  init(
    _ table: TableView, _ source: any RowSource<Item>,
    configure: @escaping (inout TableRow, Item) -> Void
  ) {
    self.table = table
    self.source = source
    self.configure = configure
    ended = table.lifetime.endedAtHome
  }

  // MARK: - Items

  /// Returns the item of a row; nil if there is no such row, or if the binding has ended.
  public func item(atRow row: Int) -> Item? {
    guard (0..<lines.rowCount).contains(row) else { return nil }
    let path = lines.path(ofRow: row)
    return source.items(of: path.section)[path.item]
  }

  /// The selected item. Of several items, the one that was selected last.
  ///
  /// *Events*: the current item, then each item that is selected or that replaces the selected one.
  /// A move of the selected item sends no event.
  public var selectedItem: ReadOnlyProperty<Item?> {
    ReadOnlyProperty(
      read: { [weak self] in self?.current },
      stream: itemProperty.stream.take(until: ended))
  }

  /// The selected items, in the order of the rows.
  ///
  /// *Events*: the current items, then the items each time that the selection changes, a selected
  /// item is updated, or the order of the selected items changes.
  public var selectedItems: ReadOnlyProperty<[Item]> {
    let read: () -> [Item] = { [weak self] in self?.currentItems ?? [] }
    return ReadOnlyProperty(
      read: read,
      stream: itemsChanges.stream.startWith(()).map { read() }.take(until: ended))
  }

  /// The items of rows that are activated with Return or a double click.
  public var activated: EventStream<Item, Never> {
    guard let table else { return .completed }
    return table.rDelegate.stream(\.tableView_didActivateRow)
      .compactMap { [weak self] _, row in self?.item(atRow: row) }
  }

  /// Selects the first row whose item satisfies a predicate, and scrolls to it. Returns false if
  /// there is no such row.
  ///
  /// *Complexity*: linear in the number of items.
  @discardableResult
  public func select(where predicate: (Item) -> Bool) -> Bool {
    guard let table, let row = source.firstRow(where: predicate), row < table.rowCount else {
      return false
    }
    table.selectedRow = row
    return true
  }

  private var current: Item? { table?.selectedRow.flatMap(item(atRow:)) }

  private var currentItems: [Item] {
    table?.selectedRows.ranges.joined().compactMap(item(atRow:)) ?? []
  }

  /// Ends the binding.
  public func dispose() { disposable.dispose() }

  // MARK: - Data source

  /// Ends the previous binding, answers as the table's data source, and observes the collection.
  func begin(_ observation: (TableRows) -> Disposable) {
    guard let table else { return }
    // An observer that is notified of the end of a binding may begin another one.
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
      proxy.answer(\.tableView_cellsOfRow) { _, row in
        var cells = TableRow()
        if let item = self.item(atRow: row) { self.configure(&cells, item) }
        return cells
      })
    table.binding = disposable
    disposable.add(
      table.selection.updates.observeNext { [weak self] _ in self?.reportSelection() })
    disposable.add(ended.observeNext { [disposable] in disposable.dispose() })
    disposable.add(observation(self))
  }

  private func forget() {
    // Items are released after the mutation, because their deinitializers may ask for other items.
    let old = exchange(&source, with: ListRows<Item>(items: []))
    defer { withExtendedLifetime(old) {} }
    lines = TableLines()
    guard reportedRow != nil else { return }
    (reportedRow, reportedRows) = (nil, RangeSet())
    itemProperty.value = nil
    itemsChanges.next(())
  }

  // MARK: - Changes of the collection

  /// Replaces the items after a change.
  func take(_ source: any RowSource<Item>, _ shift: RowShift, _ lines: TableLines) {
    guard let table else { return }
    let old = exchange(&self.source, with: source)
    defer { withExtendedLifetime(old) {} }
    self.lines = lines
    if !shift.keeps(reportedRows) { haveRowsChanged = true }
    if let row = reportedRow, !shift.keeps(RangeSet(row..<row + 1)) { hasRowChanged = true }
    reportedRows = shift.rows(reportedRows)
    reportedRow = reportedRow.flatMap { shift.row($0) }
    table.shift(shift, to: lines)
    reportSelection()
  }

  private func reportSelection() {
    guard let table else { return }
    let selection = table.selection.value
    let hasOtherRow = hasRowChanged || selection.row != reportedRow
    let hasOtherRows = haveRowsChanged || selection.rows != reportedRows
    (reportedRow, reportedRows) = (selection.row, selection.rows)
    (hasRowChanged, haveRowsChanged) = (false, false)
    if hasOtherRow { itemProperty.value = current }
    if hasOtherRows { itemsChanges.next(()) }
  }
}
