import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 40, height: 10))
let application = Application(backend: backend)
let isValid = Property(true)
let statusBar = StatusBar()
let list = TableView(columns: [TableColumn("title", title: "Title")])
let titles = CollectionProperty(["Milk", "Bread"])
list.rx.rows(titles) { row, title in row["title"].text = title }
let window = Window(title: "Notes")

let save = MenuItem("Save", key: "ctrl+s")
let quit = MenuItem("Quit", key: "ctrl+q")
window.menuBar = MenuBar([Menu("File", [save, .separator, quit])])
isValid.bind(to: save.rx.isEnabled)
save.rx.activate.observeNext { statusBar.show("Saved", for: .seconds(2)) }
quit.rx.activate.observeNext { application.terminate() }

let rename = MenuItem("Rename")
list.contextMenu = Menu("Note", [rename, MenuItem("Delete")])
rename.rx.activate.observeNext { if let row = list.selectedRow { list.beginEditing(row: row) } }

window.content = StackView(.vertical, [list, KeyHints(), statusBar])
window.menuBar?.commands = [MenuItem("Use dark theme")]
window.menuBar?.paletteKey = KeyPress("f5")
application.show(window)
backend.press("ctrl+s")
print(backend.text)

// Output:
//  File
// Title
// Milk
// Bread
//
//
//
//
//  F5 Commands  Ctrl+S Save  Ctrl+Q Quit
//  Saved
