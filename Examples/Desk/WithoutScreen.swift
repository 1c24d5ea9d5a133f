import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 24, height: 3))
let scheduler = VirtualScheduler()
let application = Application(backend: backend, scheduler: scheduler)
let status = StatusBar("ready")
let save = Button("Save")
save.rx.tap.observeNext { status.show("Saved", for: .seconds(2)) }
application.show(Window(content: StackView(.vertical, [save, View(), status])))
backend.click("Save")
print(backend.text)
scheduler.advance(by: .seconds(2))
backend.press("tab")
print(backend.text)

// Output:
//         [ Save ]
//
//  Saved
//         [ Save ]
//
//  ready
