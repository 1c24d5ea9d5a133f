import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting

/// An item of a tree with a live list of children.
final class Folder: Identifiable {
  let id: Int
  var name: String
  let folders: CollectionProperty<[Folder]>

  init(_ id: Int, _ name: String, _ folders: [Folder] = []) {
    self.id = id
    self.name = name
    self.folders = CollectionProperty(folders)
  }
}

/// An outline of folders on a small screen.
@MainActor
final class OutlineStage {
  let desk: Desk
  let outline: OutlineView
  let top: CollectionProperty<[Folder]>
  let rows: OutlineRows<Folder>

  init(
    _ folders: [Folder], width: Int = 16, height: Int = 8,
    selectionMode: TableView.SelectionMode = .single
  ) {
    outline = OutlineView(columns: [TableColumn("name")], selectionMode: selectionMode)
    outline.table.showsHeader = false
    top = CollectionProperty(folders)
    rows = outline.rx.rows(
      top, children: \.folders, isExpandable: { !$0.folders.isEmpty }
    ) { row, folder in row["name"].text = folder.name }
    desk = Desk(outline, width: width, height: height)
    desk.window.makeFirstResponder(outline.table)
  }

  /// A tree with two levels below the first folder.
  static func sample() -> OutlineStage {
    OutlineStage([
      Folder(1, "Music", [Folder(11, "Bach", [Folder(111, "Fugues")]), Folder(12, "Cash")]),
      Folder(2, "Notes"),
      Folder(3, "Photos", [Folder(31, "Rome")]),
    ])
  }

  var text: String { desk.text }
  var selected: String? { rows.selectedItem.value?.name }
  /// The names of all rows.
  var names: [String] { (0..<outline.table.rowCount).compactMap { rows.item(atRow: $0)?.name } }
}
