import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 30, height: 8))
let application = Application(backend: backend)
application.keyBindings["ctrl+d"] = .delete(.right)
application.keyBindings["ctrl+j"] = .move(.down)

application.keyBindings["ctrl+q"] = nil
application.keyBindings["f4"] = .quit

let searchField = TextField()
let table = TableView(columns: [TableColumn("name", title: "Name")])
searchField.rDelegate.answer(\.textField_doCommand) { _, command in
  switch command {
  case .move(.down), .move(.up): table.perform(command)
  default: false
  }
}

let names = CollectionProperty(["Ann", "Bob"])
let rows = table.rx.rows(names) { row, name in row["name"].text = name }
rows.selectedItem.observeNext { print("selected:", $0 ?? "nothing") }
let window = Window(content: StackView(.vertical, [searchField, table]))
application.show(window)
window.makeFirstResponder(searchField)
backend.press("ctrl+j")
backend.press("down")
print(application.quitHint ?? "no key quits")

// Output:
// selected: nothing
// selected: Ann
// selected: Bob
// F4 quits
