import Runnel
import RunnelDesk

struct Note: Identifiable {
  let id: Int
  let title: String
}

let notes = CollectionProperty([Note(id: 1, title: "Milk"), Note(id: 2, title: "Bread")])
let statusBar = StatusBar()
let table = TableView()
table.columns = [
  TableColumn("title", title: "Title", width: .flexible(minimum: 8, shares: 3)),
  TableColumn("tags", title: "Tags", minimumWidth: 4),
  TableColumn("date", title: "Changed", width: .fixed(10), minimumWidth: 10),
]
table.rDelegate.answer(\.tableView_shouldResize_to) { _, column, _ in column.identifier != "date" }
table.rx.columnResized.observeNext { column in print("\(column.identifier): \(column.width)") }

let rows = table.rx.rows(notes) { row, note in row["title"].text = note.title }
rows.selectedItem.observeNext { statusBar.text = $0?.title ?? "nothing is selected" }

let nameField = TextField()
let title = Property("Milk")
nameField.rx.text.bindTwoWay(to: title)

let backend = HeadlessBackend(Size(width: 44, height: 7))
let application = Application(backend: backend)
let window = Window(content: StackView(.vertical, [nameField, table, statusBar]))
application.show(window)
window.makeFirstResponder(table)
backend.press("down")
backend.press("down")
notes.insert(Note(id: 3, title: "Butter"), at: 0)  // the selection stays at its note
print(backend.text)
print(nameField.text)

// Output:
// Milk
// Title                      Tags   Changed
// Butter
// Milk
// Bread
//
//  Bread
// Milk
