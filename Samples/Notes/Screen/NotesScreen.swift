import Runnel
import RunnelDesk

/// The views and their layout. The controller contains their behaviour.
@MainActor
final class NotesScreen {
  let search = TextField(placeholder: "Search, or type a title and press Return")
  let table = TableView(columns: [
    TableColumn("title", title: "Title", width: .flexible(minimum: 8), isSortable: true),
    TableColumn("line", title: "First line"),
    TableColumn("date", title: "Changed", width: .fixed(10), isSortable: true),
  ])
  let editor = TextView()
  let progress = ProgressBar()
  let status = StatusBar()
  let menu = NotesMenu()
  let window: Window

  init() {
    let split = SplitView(.horizontal, table, editor, position: .fraction(0.5))
    let content = StackView(.vertical, [search, split, progress, status])
    window = Window(title: "Notes", content: content)
    window.menuBar = menu.bar
    table.allowsTypeSelect = false
    search.accessibilityLabel = "Search"
    table.accessibilityLabel = "Notes"
    editor.accessibilityLabel = "Note"
    editor.isEditable = false
  }
}

/// The menus and their key equivalents.
@MainActor
final class NotesMenu {
  let create = MenuItem("New Note", key: "ctrl+n")
  let rename = MenuItem("Rename…", key: "f2")
  let pin = MenuItem("Pin", key: "ctrl+p")
  let delete = MenuItem("Delete", key: "ctrl+d")
  let undo = MenuItem("Undo", key: "alt+z")
  let quit = MenuItem("Quit", key: "ctrl+q")
  let next = MenuItem("Next Note", key: "ctrl+j")
  let previous = MenuItem("Previous Note", key: "ctrl+k")
  let byTitle = MenuItem("Sort by Title", key: "alt+t")
  let byDate = MenuItem("Sort by Date", key: "alt+d")
  let keys = MenuItem("Keys", key: "f1")
  /// A second key for the help, for when no text field has the focus.
  let question = MenuItem("Keys", key: "?")

  var bar: MenuBar {
    MenuBar([
      Menu("Note", [create, rename, pin, delete, .separator, undo, .separator, quit]),
      Menu("View", [next, previous, .separator, byTitle, byDate]),
      Menu("Help", [keys, question]),
    ])
  }

  static let help = """
    In the search field
      words           notes that contain all of them
      "some words"    notes with just this phrase
      tag:work        notes with #work, or a line "tags: work"
      Return          opens the selected note, or creates
                      one with the typed title
      Tab, End        take the proposed title
      Esc             clears the search
    Anywhere
      Ctrl+J, Ctrl+K  next and previous note
      Tab, Shift+Tab  search, list, text, and back
      Ctrl+N, F2      new note, rename
      Ctrl+P, Ctrl+D  pin to the top, delete (to the trash)
      Alt+Z           in the text: undoes typing and renaming;
                      elsewhere: undoes renaming and deleting
      F10             the menus
      Ctrl+Z          back to the shell; fg comes back here
      Ctrl+Q          quits
    Notes are saved automatically.
    """
}
