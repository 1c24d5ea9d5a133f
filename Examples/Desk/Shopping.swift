import Runnel
import RunnelDesk

@MainActor
final class ShoppingList {
  let items = CollectionProperty(["Milk", "Bread", "Butter"])
  let search = TextField(placeholder: "Search")
  let table = TableView(columns: [TableColumn("item", title: "Item")])
  let status = StatusBar()

  func show(in application: Application) {
    let shown = items.filter(
      by: search.rx.text.map { text in { text.isEmpty || $0.contains(text) } })
    table.rx.rows(shown) { row, item in row["item"].text = item }
    items.observed.count.map { "\($0) items" }.bind(to: status.rx.text)
    search.rx.submit.observeNext { [items] in items.append($0) }
    // The arrow keys move the selection while the field keeps the focus.
    search.rDelegate.answer(\.textField_doCommand) { [table] _, command in
      [.move(.up), .move(.down)].contains(command) && table.perform(command)
    }
    application.show(
      Window(title: "Shopping", content: StackView(.vertical, [search, table, status])))
  }
}

let backend = HeadlessBackend(Size(width: 24, height: 6))
let application = Application(backend: backend)
let list = ShoppingList()
list.show(in: application)
list.search.window?.makeFirstResponder(list.search)
backend.type("B")
print(backend.text)
backend.press("down")
backend.type("eer")
backend.press("enter")
print(list.items.value)

// Output:
// B
// Item
// Bread
// Butter
//
//  3 items
// ["Milk", "Bread", "Butter", "Beer"]
