import Runnel
import RunnelDesk
import RunnelTerminal

let name = TextField(placeholder: "Your name")
let greeting = Label()
let greet = Button("Greet")
name.rx.text.map { !$0.isEmpty }.bind(to: greet.rx.isEnabled)
greet.rx.tap.withLatestFrom(name.rx.text.stream).map { "Hello, \($1)" }.bind(to: greeting.rx.text)

let window = Window(
  title: "Greeter", content: StackView(.vertical, [name, greet, greeting, View()]))
window.makeFirstResponder(name)
let application = Application(backend: try TerminalBackend())
application.show(window)
EventLoop.main.run(until: application.rx.terminated)
print("The greeting was: \(greeting.text)")

// Output:
// The greeting was: Hello, Ann
