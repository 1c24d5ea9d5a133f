import Runnel
import RunnelDesk
import RunnelGTK

let list = TextView("Bread\nMilk")
let search = TextField(placeholder: "Find an item")
let (save, quit) = (MenuItem("Save", key: "ctrl+s"), MenuItem("Quit", key: "ctrl+q"))
let backend = try GTKBackend(identifier: "org.example.Shopping")
let application = Application(backend: backend)
save.rx.activate.observeNext { print("Saved \(list.text.split(separator: "\n").count) items.") }
quit.rx.activate.observeNext { application.terminate() }
list.highlights = { _, line in
  search.text.isEmpty ? [] : line.ranges(of: search.text).map { TextHighlight($0) }
}
search.rx.text.changed.observeNext { _ in list.needsDisplay() }

let window = Window(title: "Shopping", content: list)
window.menuBar = MenuBar([Menu("File", [save, .separator, quit])])
window.menuStyle = .headerBar
window.searchField = search
application.show(window)

let script = try Script(
  """
  expect "Milk"
  key ctrl+s
  key ctrl+q
  expect-end
  """)
let running = Single<Void, any Error>.task {
  try await ScriptRunner(application, on: backend).run(script)
}
try EventLoop.main.run(until: running.stream)

// Output:
// Saved 2 items.
