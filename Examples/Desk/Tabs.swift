import Runnel
import RunnelDesk

let nameField = TextField()
let editor = TextView()
let tabs = TabView(["Account": ScrollView(Form(["Name": nameField])), "Notes": editor])
tabs.rx.selectedIndex.observeNext { index in print(tabs.titles[index]) }

let backend = HeadlessBackend(Size(width: 30, height: 8))
let application = Application(backend: backend)
let window = Window(content: tabs)
application.show(window)
window.makeFirstResponder(nameField)
backend.press("ctrl+pagedown")

// Output:
// Account
// Notes
