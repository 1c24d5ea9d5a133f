import Runnel
import RunnelDesk
import RunnelGTK
import RunnelTerminal

let arguments = CommandLine.arguments.dropFirst()
let backend: any Backend =
  switch arguments.first {
  case "--terminal": try TerminalBackend()
  case "--lines": try TerminalBackend(plain: true)
  case "--headless": HeadlessBackend(Size(width: 24, height: 3))
  default: try GTKBackend(identifier: "org.example.Counter")
  }

let count = Property(0)
let label = Label()
let more = Button("More")
count.map { "Count: \($0)" }.bind(to: label.rx.text)
more.rx.tap.observeNext { count.value += 1 }
let application = Application(backend: backend)
application.show(Window(title: "Counter", content: StackView(.vertical, [label, more])))

if let headless = backend as? HeadlessBackend {
  headless.click("More")
  print(headless.text)
} else {
  EventLoop.main.run(until: application.rx.terminated)
}

// Output:
// Count: 1
//         [ More ]
