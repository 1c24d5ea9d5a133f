import Runnel
import RunnelDesk

struct Note: Identifiable {
  let id: Int
  let title: String
}

let notes = CollectionProperty([Note(id: 1, title: "Note 10"), Note(id: 2, title: "Note 2")])
let table = TableView()
table.columns = [TableColumn("title", title: "Title", isSortable: true)]
table.rx.sortedRows(notes) { row, note in row["title"].text = note.title }

let backend = HeadlessBackend(Size(width: 24, height: 4))
let application = Application(backend: backend)
application.show(Window(content: table))
backend.click("Title")
print(backend.text)

// Output:
// Title ▲
// Note 2
// Note 10
