import RunnelCollections
import RunnelStreams

/// The rows of an outline, as the outline uses them.
@MainActor
protocol OutlineRowSource: AnyObject {
  func depth(_ row: Int) -> Int
  func isExpandable(_ row: Int) -> Bool
  func isExpanded(_ row: Int) -> Bool
  func parent(_ row: Int) -> Int?
  func set(_ row: Int, isExpanded: Bool)
}

/// A binding of an outline to a tree, which translates between rows and items.
///
/// `outline.rx.rows` creates it. The binding ends when it is disposed, or with the outline. Until
/// then it retains the lists of the expanded items, but not the outline.
@MainActor
public final class OutlineRows<Item: Identifiable> {
  private let tree: OutlineTree<Item>
  private let rows: TableRows<OutlineNode<Item>>
  private weak var outline: OutlineView?

  init(
    _ outline: OutlineView, _ tree: OutlineTree<Item>,
    configure: @escaping (inout TableRow, Item) -> Void
  ) {
    self.outline = outline
    self.tree = tree
    rows = outline.table.rx.rows(tree.rows) { row, node in configure(&row, node.item) }
    rows.disposable.add { [weak outline, weak self] in
      tree.end()
      if let outline, let self, outline.rows === self { outline.rows = nil }
    }
    outline.rows = self
    tree.begin()
  }

  /// The disposable that ends the binding.
  public var disposable: Disposable { rows.disposable }

  /// Ends the binding.
  public func dispose() { rows.dispose() }

  /// Returns the item of a row; nil if there is no such row.
  public func item(atRow row: Int) -> Item? { rows.item(atRow: row)?.item }

  /// The selected item. Of several items, the one that was selected last.
  ///
  /// *Events*: the current item, then each item that is selected or that replaces the selected one.
  public var selectedItem: ReadOnlyProperty<Item?> { rows.selectedItem.map { $0?.item } }

  /// The selected items, in the order of the rows.
  public var selectedItems: ReadOnlyProperty<[Item]> { rows.selectedItems.map { $0.map(\.item) } }

  /// The items of rows that are activated with Return or a double click.
  public var activated: EventStream<Item, Never> { rows.activated.map(\.item) }

  /// Expands the ancestors of an item, and selects the item. `path` has the ids of the ancestors
  /// from the top of the tree, and the id of the item. Returns false if there is no such item; then
  /// the ancestors that exist are expanded.
  @discardableResult
  public func select(path: [Item.ID]) -> Bool {
    guard let outline, !rows.disposable.isDisposed else { return false }
    var parent: OutlineNode<Item>?
    for id in path {
      if let parent { tree.expand(parent) }
      guard let node = tree.child(id, of: parent) else { return false }
      parent = node
    }
    // While the table handles a change, it does not know the new rows yet.
    guard let parent, let row = tree.row(of: parent), rows.item(atRow: row) === parent else {
      return false
    }
    outline.table.selectedRow = row
    return true
  }
}

extension OutlineRows: OutlineRowSource {
  func depth(_ row: Int) -> Int { rows.item(atRow: row)?.depth ?? 0 }

  func isExpandable(_ row: Int) -> Bool { rows.item(atRow: row).map(tree.isExpandable) ?? false }

  func isExpanded(_ row: Int) -> Bool { rows.item(atRow: row)?.branch != nil }

  func parent(_ row: Int) -> Int? {
    guard let owner = rows.item(atRow: row)?.parent?.owner else { return nil }
    let parent = tree.row(of: owner)
    // While the table handles a change, the tree may be ahead of it.
    return parent.flatMap { rows.item(atRow: $0) === owner ? $0 : nil }
  }

  func set(_ row: Int, isExpanded: Bool) {
    guard let node = rows.item(atRow: row) else { return }
    if isExpanded { tree.expand(node) } else { tree.collapse(node) }
  }
}

extension Reactive where Base: OutlineView {
  /// Shows a tree, and follows its changes.
  ///
  ///     struct Folder: Identifiable {
  ///       let id: String
  ///       let folders = CollectionProperty<[Folder]>()
  ///     }
  ///     let folders = CollectionProperty([Folder(id: "Music"), Folder(id: "Pictures")])
  ///     let outline = OutlineView(columns: [TableColumn("name")])
  ///     outline.rx.rows(
  ///       folders, children: \.folders, isExpandable: { !$0.folders.isEmpty }
  ///     ) { row, folder in
  ///       row["name"].text = folder.id
  ///     }
  ///
  /// `children` is called when an item is expanded, and when an expanded item is updated. The list
  /// is observed until the item is collapsed. `isExpandable` is called each time that a row is
  /// drawn, and should be fast. If its answer changes without an update of the item, call the
  /// outline's ``View/needsDisplay()``. `configure` sets the cells of a visible row.
  ///
  /// The selection, the expanded rows and the scroll position follow their items through all
  /// changes, including a reset of a list. Ids must be unique among the children of an item.
  ///
  /// *Disposal*: the binding ends with the outline, when the result is disposed, or when the outline
  /// is bound to another tree.
  @MainActor
  @discardableResult
  public func rows<Item, Top: ObservableList, Children: ObservableList>(
    _ top: Top, children: @escaping (Item) -> Children,
    isExpandable: @escaping (Item) -> Bool = { _ in true },
    configure: @escaping (inout TableRow, Item) -> Void
  ) -> OutlineRows<Item>
  where Item: Identifiable, Top.Base == [Item], Children.Base == [Item] {
    let tree = OutlineTree(
      top.live, children: { children($0).live }, isExpandable: isExpandable)
    return OutlineRows(base, tree, configure: configure)
  }
}
