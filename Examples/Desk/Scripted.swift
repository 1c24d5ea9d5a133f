import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 30, height: 6))
let application = Application(backend: backend)
let field = TextField()
let notes = CollectionProperty<[String]>()
let status = StatusBar()
notes.observed.count.map { "\($0) note" }.bind(to: status.rx.text)
field.rx.submit.observeNext { notes.append($0) }
let window = Window(content: StackView(.vertical, [field, View(), status]))
application.show(window)
window.makeFirstResponder(field)

let script = try Script(
  """
  type "milk"
  key enter
  expect "1 note"
  resize 40x10
  """)
let running = Single<Void, any Error>.task {
  try await ScriptRunner(application, on: backend, folder: "notes").run(script)
}
do {
  try EventLoop.main.run(until: running)
  print(backend.text)
} catch {
  print(error)
}

// Output:
// milk
//
//
//
//
//
//
//
//
//  1 note
