import Checking
import Runnel
import RunnelDesk

/// A view of the client's own.
final class Stars: View, CellDrawn {
  var count = 3 { didSet { needsDisplay() } }

  override var canBecomeFirstResponder: Bool { true }
  override func wantedExtent(in room: Size) -> Extent { Extent(width: 5, height: 1) }

  override func perform(_ command: Command) -> Bool {
    guard case .move(.right) = command else { return false }
    count += 1
    return true
  }

  func draw(in painter: inout Painter, theme: Theme) {
    painter.put(String(repeating: "*", count: count), at: .zero, style: theme.text)
  }
}

let items = CollectionProperty(["Milk", "Bread", "Butter"])
let search = TextField(placeholder: "Search")
let table = TableView(columns: [TableColumn("item", title: "Item")])
let stars = Stars()
let save = Button("Save")
let status = StatusBar()

let shown = items.filter(by: search.rx.text.map { text in { text.isEmpty || $0.contains(text) } })
let rows = table.rx.rows(shown) { row, item in row["item"].text = item }
items.observed.count.map { "\($0) items" }.bind(to: status.rx.text)
search.rx.submit.observeNext { [items] in items.append($0) }
var commands = 0
search.rDelegate.answer(\.textField_doCommand) { [table] _, command in
  commands += 1
  return [.move(.up), .move(.down)].contains(command) && table.perform(command)
}
var taps = 0
save.rx.tap.observeNext { taps += 1 }

let backend = HeadlessBackend(Size(width: 24, height: 8))
let application = Application(backend: backend)
var mayEnd = false
application.rDelegate.answer(\.applicationShouldTerminate) { _ in mayEnd }
let window = Window(
  title: "Shopping", content: StackView(.vertical, [search, table, stars, save, status]))
window.makeFirstResponder(search)
application.show(window)

check(backend.text.contains("3 items"), backend.text)
backend.type("B")
check(!backend.text.contains("Milk") && backend.text.contains("Bread"), backend.text)
backend.press("down")
backend.press("down")
check(commands > 0)
checkEqual(rows.selectedItem.value, "Butter")
backend.press("enter")
check(backend.text.contains("4 items"), backend.text)
backend.click("Save")
checkEqual(taps, 1)
window.makeFirstResponder(stars)
backend.press("right")
check(backend.text.contains("****"), backend.text)

application.terminate()
check(backend.text.contains("4 items"), "The delegate did not keep the application from ending.")
mayEnd = true
application.terminate()
