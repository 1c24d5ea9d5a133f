import RunnelProxies
import RunnelStreams

/// A control that shows a tree as rows that the user expands and collapses.
///
///     struct Folder: Identifiable {
///       let id: String
///       let folders = CollectionProperty<[Folder]>()
///     }
///     let folders = CollectionProperty([Folder(id: "Music"), Folder(id: "Pictures")])
///     let outline = OutlineView(columns: [TableColumn("name", title: "Name")])
///     let rows = outline.rx.rows(folders, children: \.folders) { row, folder in
///       row["name"].text = folder.id
///     }
///     rows.activated.observeNext { folder in show(folder.id) }
///
/// The visible rows are those of ``table``, which has the focus, the selection and the columns. Its
/// first column shows the tree. The right arrow key expands a row or goes to its first child, and
/// the left arrow key collapses it or goes to its parent. A click on the triangle expands or
/// collapses too.
@MainActor
public final class OutlineView: View {
  /// The table that shows the rows. Set its delegate to follow the selection and to refuse it.
  public let table: TableView

  /// The object that is asked and notified when the user expands and collapses rows.
  public weak var delegate: (any OutlineViewDelegate)? { didSet { keepProxy(for: \.delegate) } }
  /// The proxy of ``delegate``.
  public var rDelegate: OutlineViewDelegateProxy { proxy(for: \.delegate) }

  /// The rows of the bound tree.
  var rows: (any OutlineRowSource)?

  /// Creates an outline without rows.
  public init(columns: [TableColumn] = [], selectionMode: TableView.SelectionMode = .single) {
    table = TableView(columns: columns, selectionMode: selectionMode)
    super.init()
    table.outline = self
    addSubview(table)
  }

  // MARK: - Rows

  /// Returns true if a row shows its children.
  public func isExpanded(row: Int) -> Bool { rows?.isExpanded(row) ?? false }

  /// Returns true if a row can show children.
  public func isExpandable(row: Int) -> Bool { rows?.isExpandable(row) ?? false }

  /// Returns the number of ancestors of a row; 0 if there is no such row.
  public func depth(ofRow row: Int) -> Int { rows?.depth(row) ?? 0 }

  /// Returns the row of a row's parent; nil for a row at the top of the tree.
  public func parent(ofRow row: Int) -> Int? { rows?.parent(row) }

  /// Shows the children of a row, and the descendants that were expanded before.
  public func expand(row: Int) { rows?.set(row, isExpanded: true) }

  /// Hides the descendants of a row. They are no longer observed.
  public func collapse(row: Int) { rows?.set(row, isExpanded: false) }

  // MARK: - User actions

  /// Expands or collapses a row, as the user does: if the outline can be used, the row can show
  /// children, and the delegate agrees. Returns true if the row has this state afterwards.
  ///
  /// If the selected rows disappear, the collapsed row is selected.
  @discardableResult
  public func propose(row: Int, isExpanded wanted: Bool) -> Bool {
    guard let rows, (0..<table.rowCount).contains(row) else { return false }
    if rows.isExpanded(row) == wanted { return true }
    guard table.canBeUsed, !wanted || rows.isExpandable(row) else { return false }
    let revision = table.revision
    let agrees =
      wanted
      ? delegate?.outlineView(self, shouldExpandRow: row)
      : delegate?.outlineView(self, shouldCollapseRow: row)
    // The delegate may have changed the rows.
    guard agrees ?? true, revision == table.revision, self.rows === rows else { return false }
    let wasSelected = !table.selectedRows.isEmpty
    rows.set(row, isExpanded: wanted)
    if wanted {
      delegate?.outlineView(self, didExpandRow: row)
    } else {
      if wasSelected && table.selectedRows.isEmpty { table.tryToSelect(row) }
      delegate?.outlineView(self, didCollapseRow: row)
    }
    return isExpanded(row: row) == wanted
  }

  /// Expands the row or goes to its first child; collapses it or goes to its parent. Returns false
  /// if the table has no current row.
  func move(_ movement: Movement) -> Bool {
    guard let row = table.selection.value.lead, row < table.rowCount, table.markedColumn == nil
    else { return false }
    let isExpanded = isExpanded(row: row)
    switch movement {
    case .right where isExpandable(row: row) && !isExpanded: propose(row: row, isExpanded: true)
    case .right where isExpanded && depth(ofRow: row + 1) > depth(ofRow: row):
      table.tryToSelect(row + 1)
    case .left where isExpanded: propose(row: row, isExpanded: false)
    case .left: if let parent = parent(ofRow: row) { table.tryToSelect(parent) }
    default: break
    }
    return true
  }

  // MARK: - Geometry

  /// The number of cells by which a level of the tree is indented.
  static let indentation = 2

  /// Returns the number of cells in front of a row's text in a wide column.
  func indentation(ofRow row: Int) -> Int { (depth(ofRow: row) + 1) * Self.indentation }

  /// Returns the number of cells in front of a row's triangle. Deep levels share the left half of a
  /// narrow column.
  func triangleOffset(ofRow row: Int, width: Int) -> Int {
    min(depth(ofRow: row) * Self.indentation, width / 2)
  }

  /// Returns the indentation and the triangle of a row as text.
  package func triangle(ofRow row: Int) -> String {
    let indentation = String(repeating: " ", count: depth(ofRow: row) * Self.indentation)
    return indentation + (isExpandable(row: row) ? isExpanded(row: row) ? "▾ " : "▸ " : "  ")
  }

  /// Returns the place of the text in a row's first cell, behind the triangle.
  func textPlace(ofRow row: Int, in cell: Rect) -> Rect {
    let used = min(triangleOffset(ofRow: row, width: cell.width) + Self.indentation, cell.width)
    return Rect(
      x: cell.minX + used, y: cell.minY, width: cell.width - used, height: cell.height)
  }
}

extension Reactive where Base: OutlineView {
  /// Sends the row that the user has expanded.
  @MainActor public var expanded: ControlEvent<Int> {
    ControlEvent(base.rDelegate.stream(\.outlineView_didExpandRow).map { $1 }, of: base)
  }

  /// Sends the row that the user has collapsed.
  @MainActor public var collapsed: ControlEvent<Int> {
    ControlEvent(base.rDelegate.stream(\.outlineView_didCollapseRow).map { $1 }, of: base)
  }
}
