import RunnelDesk
import RunnelLoop
import RunnelStreams
import RunnelTerminal

/// An application with two buttons: one counts in the title of the window, the other one ends it.
@MainActor func runDesk() throws {
  let application = Application(backend: try TerminalBackend())
  let count = Label("pressed 0")
  let more = Button("More")
  let quit = Button("Quit")
  let window = Window(
    title: "pressed 0", content: StackView(.vertical, [count, more, quit]))
  more.rx.tap.scan(0) { sum, _ in sum + 1 }.map { "pressed \($0)" }.observeNext {
    count.text = $0
    window.title = $0
  }
  quit.rx.tap.observeNext { application.terminate() }
  window.makeFirstResponder(more)
  application.show(window)
  EventLoop.main.run(until: application.rx.terminated)
  print("closed")
}
