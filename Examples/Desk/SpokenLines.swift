import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 30, height: 6))
let application = Application(backend: backend)
let nameField = TextField()
let table = TableView(columns: [TableColumn("title", title: "Title")])
let window = Window(title: "Notes")

table.accessibilityLabel = "Notes"
nameField.accessibilityLabel = "Name"
window.content = StackView(.vertical, [nameField, table])
window.makeFirstResponder(nameField)
application.show(window)
print(backend.readLines())
backend.type("Emma")
print(backend.readLines())

// Output:
// ["Notes, window", "Ctrl+Q quits", "Name, text field"]
// ["Emma"]
