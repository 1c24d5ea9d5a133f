import RunnelDesk
import RunnelLoop
import RunnelStreams
import RunnelTerminal

/// An application with two buttons: one counts in the title of the window, copies that and rings, the other
/// one ends it. Then there are a box that may not be ticked and a field for letters only; the title says what
/// was refused.
@MainActor func runDesk(on path: String?) throws {
  let backend = try path.map { try TerminalBackend(path: $0) } ?? TerminalBackend()
  let application = Application(backend: backend)
  let count = Label("pressed 0")
  let more = Button("More")
  let quit = Button("Quit")
  let box = Checkbox("Never")
  let field = TextField()
  let window = Window(
    title: "pressed 0", content: StackView(.vertical, [count, more, quit, box, field]))
  more.rx.tap.scan(0) { sum, _ in sum + 1 }.map { "pressed \($0)" }.observeNext {
    count.text = $0
    window.title = $0
    backend.clipboard = $0
    backend.ring()
  }
  quit.rx.tap.observeNext { application.terminate() }
  let refusal = Refusal(window)
  box.delegate = refusal
  field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in
    if text.allSatisfy(\.isLetter) { return true }
    window.title = "refused \(text)"
    return false
  }
  let delegate = Farewell()
  application.delegate = delegate
  window.makeFirstResponder(more)
  application.show(window)
  EventLoop.main.run(until: application.rx.terminated)
  withExtendedLifetime(refusal) {}
  print(application.isTerminated && delegate.hasHeard ? "closed" : "lost")
}

/// Whoever wants to save something is told before the application ends.
@MainActor private final class Farewell: ApplicationDelegate {
  private(set) var hasHeard = false

  func applicationWillTerminate(_ application: Application) { hasHeard = true }
}

/// Whoever is asked says no.
@MainActor private final class Refusal: CheckboxDelegate {
  private let window: Window

  init(_ window: Window) { self.window = window }

  func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool {
    window.title = "refused \(isOn)"
    return false
  }
}
