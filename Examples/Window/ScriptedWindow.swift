import Runnel
import RunnelDesk
import RunnelGTK

let items = CollectionProperty(["Bread"])
let field = TextField(placeholder: "New item")
let table = TableView(columns: [TableColumn("item", title: "Item")])
table.rx.rows(items) { row, item in row["item"].text = item }
field.rx.submit.observeNext { items.append($0) }

let backend = try GTKBackend(
  identifier: "org.example.Shopping", size: Size(width: 40, height: 10))
let application = Application(backend: backend)
let window = Window(title: "Shopping", content: StackView(.vertical, [field, table]))
window.makeFirstResponder(field)
application.show(window)

let script = try Script(
  """
  expect "Bread"
  type "Milk"
  key enter
  expect "Milk"
  picture shopping.png
  key ctrl+q
  expect-end
  """)
let running = Single<Void, any Error>.task {
  try await ScriptRunner(application, on: backend).run(script)
}
try EventLoop.main.run(until: running.stream)
print(items.joined(separator: ", "))

// Output:
// Bread, Milk
