import Runnel
import RunnelDesk

let editor = TextView()
let model = Property(TextDocument("milk"))
editor.rx.document.bindTwoWay(to: model)

let backend = HeadlessBackend(Size(width: 24, height: 4))
let application = Application(backend: backend)
let window = Window(content: editor)
application.show(window)
window.makeFirstResponder(editor)
backend.type("fresh ")
print(model.value.text)
model.value = TextDocument("fresh milk\nbread")
print(editor.text)

// Output:
// fresh milk
// fresh milk
// bread
