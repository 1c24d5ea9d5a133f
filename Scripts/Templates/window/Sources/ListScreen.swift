import Runnel
import RunnelDesk

/// A list with a text field, which adds an item when Return is pressed.
@MainActor
final class ListScreen {
  let items = CollectionProperty<[String]>()
  let field = TextField(placeholder: "New item")
  private let table = TableView(columns: [TableColumn("item", title: "Item")])
  private let status = StatusBar()

  func show(in application: Application) {
    table.rx.rows(items) { row, item in row["item"].text = item }
    items.observed.count.map { $0 == 1 ? "1 item" : "\($0) items" }.bind(to: status.rx.text)
    field.rx.submit.observeNext(weak: self) { screen, text in
      screen.items.append(text)
      screen.field.text = ""
    }
    let window = Window(title: "NAME", content: StackView(.vertical, [field, table, status]))
    window.makeFirstResponder(field)
    application.show(window)
  }
}
