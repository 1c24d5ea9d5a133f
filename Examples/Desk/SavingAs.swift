import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 60, height: 16))
let application = Application(backend: backend)
application.show(Window(title: "List", content: View()))

let dialog = FileDialog(.save(name: "List.txt"))
dialog.accepts = { $0.name.hasSuffix(".txt") }
dialog.choose(in: application).observe(succeeded: { path in print(path ?? "cancelled") })

backend.press("escape")

// Output:
// cancelled
