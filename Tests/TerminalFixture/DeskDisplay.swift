import RunnelDesk
import RunnelLoop
import RunnelStreams
import RunnelTerminal

/// Runs an application with two buttons, a checkbox and a text field. The first button counts
/// presses in the window title, copies the title and rings the bell; the second one quits. The
/// checkbox cannot be ticked, and the field accepts letters only; the title shows rejected changes.
/// While the field contains "tip", the first button has a tool tip.
///
/// At the end it prints "closed" if the application has terminated and its delegate was notified.
/// Otherwise it prints "lost".
@MainActor func runDesk(on terminalPath: String?, plain: Bool) throws {
  let backend = try TerminalBackend(path: terminalPath ?? "/dev/tty", plain: plain)
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
  let refusal = VetoingDelegate(window)
  box.delegate = refusal
  field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in
    if text.allSatisfy(\.isLetter) { return true }
    window.title = "refused \(text)"
    return false
  }
  field.rx.text.changed.map { $0 == "tip" ? "Counts presses" : nil }.bind(to: more.rx.toolTip)
  let delegate = TerminationRecorder()
  application.delegate = delegate
  window.makeFirstResponder(more)
  application.show(window)
  EventLoop.main.run(until: application.rx.terminated)
  withExtendedLifetime(refusal) {}
  print(application.isTerminated && delegate.wasNotified ? "closed" : "lost")
}

/// A delegate that records the end of the application.
@MainActor private final class TerminationRecorder: ApplicationDelegate {
  private(set) var wasNotified = false

  func applicationWillTerminate(_ application: Application) { wasNotified = true }
}

/// A delegate that vetoes all changes.
@MainActor private final class VetoingDelegate: CheckboxDelegate {
  private let window: Window

  init(_ window: Window) { self.window = window }

  func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool {
    window.title = "refused \(isOn)"
    return false
  }
}
