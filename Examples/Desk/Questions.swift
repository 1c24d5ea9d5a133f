import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 40, height: 10))
let application = Application(backend: backend)
application.show(Window(title: "Notes", content: View()))
let notes = CollectionProperty(["Milk", "Bread"])

let alert = Alert("Delete the note?", buttons: [.cancel("Keep"), .destructive("Delete")])
alert.ask(in: application).observe(succeeded: { button in
  if button?.role == .destructive { notes.removeFirst() }
})
backend.click("Delete ]")
print(notes.value)

let toast = Toast("Note deleted", action: "Undo")
toast.rx.action.observeNext { notes.insert("Milk", at: 0) }
application.show(toast)
backend.press("alt+a")
print(notes.value)

// Output:
// ["Bread"]
// ["Milk", "Bread"]
