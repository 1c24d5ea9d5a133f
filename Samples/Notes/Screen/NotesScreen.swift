import Runnel
import RunnelDesk

/// The views and their layout. The controller contains their behaviour.
@MainActor
final class NotesScreen {
  let search = TextField(placeholder: "Search, or type a title and press Return")
  let table = TableView(columns: [
    TableColumn("title", title: "Title", width: .flexible(minimum: 8), isSortable: true),
    TableColumn("line", title: "First line"),
    TableColumn(
      "date", title: "Changed", width: .fixed(10), isSortable: true, minimumTableWidth: 30),
  ])
  let editor = TextView()
  /// The advice that is shown while no note is open.
  let advice = Label("Select a note with the arrow keys, or type a title and press Return.")
  let find: FindBar
  let split: SplitView
  let progress = ProgressBar()
  let status = StatusBar()
  let menu = NotesMenu()
  let window: Window

  init() {
    find = FindBar(for: editor)
    split = SplitView(
      .horizontal, table, StackView(.vertical, [advice, editor, find]), position: .fraction(0.5))
    window = Window(
      title: "Notes", content: StackView(.vertical, [split, progress, status]))
    window.searchField = search
    table.contextMenu = menu.forNote
    window.menuBar = menu.bar
    window.menuStyle = .headerBar
    editor.contextMenu = window.menuBar?.menus[1]
    table.allowsTypeSelect = false
    table.selectionMode = .multiple
    search.accessibilityLabel = "Search"
    table.accessibilityLabel = "Notes"
    editor.accessibilityLabel = "Note"
    editor.isEditable = false
    advice.wraps = true
    show(isOpen: false)
  }

  /// Shows the editor, or while no note is open the advice.
  func show(isOpen: Bool) { (advice.isHidden, editor.isHidden) = (isOpen, !isOpen) }
}
