import RunnelDesk
import RunnelGTK
import RunnelLoop

/// An app of another package in a window. A script types a name and quits when the greeting is shown.
@main
@MainActor
struct Main {
  static func main() throws {
    let backend = try GTKBackend(
      identifier: "org.example.Greeter", size: Size(width: 40, height: 12))
    let application = Application(backend: backend)
    let (name, greet, greeting) = (TextField(), Button("Greet"), Label())
    greet.rx.tap.observeNext { [weak name, weak greeting] in
      greeting?.text = "Hello, \(name?.text ?? "")!"
    }
    let window = Window(
      title: "Greeter", content: StackView(.vertical, [name, greet, greeting, View()]))
    window.defaultButton = greet
    application.show(window)
    window.makeFirstResponder(name)

    var outcome: Result<Void, any Error>?
    Task {
      do {
        try await use(application, backend, greet, greeting)
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      application.end()
    }
    EventLoop.main.run(until: application.rx.terminated)
    // The application ends in the task, before it returns.
    while outcome == nil { EventLoop.main.run(for: .milliseconds(1)) }
    try outcome?.get()
  }

  private static func use(
    _ application: Application, _ backend: GTKBackend, _ greet: Button, _ greeting: Label
  ) async throws {
    let runner = ScriptRunner(application, on: backend)
    try await runner.run(Script("type Ada\nkey enter\nexpect \"Hello, Ada!\""))
    try checkThatTextIsSeen(in: greeting, \.text, on: backend)
    try checkThatTextIsSeen(in: greet, \.title, on: backend)
    try await runner.run(Script("key ctrl+q\nexpect-end"))
  }

  /// Compares the picture of a view with a picture without its text.
  private static func checkThatTextIsSeen<Control: View>(
    in view: Control, _ text: ReferenceWritableKeyPath<Control, String>, on backend: GTKBackend
  ) throws {
    let shown = view[keyPath: text]
    let picture = try PixelImage(png: backend.picture)
    view[keyPath: text] = ""
    let empty = try PixelImage(png: backend.picture)
    view[keyPath: text] = shown
    let again = try PixelImage(png: backend.picture)
    guard picture.size == empty.size, picture.size == again.size else {
      throw Failure(message: "The sizes are \(picture.size), \(empty.size) and \(again.size).")
    }
    let (screen, frame) = (backend.grid.size, view.frameInWindow)
    let scale = (picture.size.width / screen.width, picture.size.height / screen.height)
    var (columns, count) = (Set<Int>(), 0)
    for y in frame.minY * scale.1..<frame.maxY * scale.1 {
      for x in frame.minX * scale.0..<frame.maxX * scale.0 {
        guard picture[x, y] == again[x, y] else {
          throw Failure(message: "The text \"\(shown)\" has another picture when it is set again.")
        }
        guard picture[x, y] != empty[x, y] else { continue }
        columns.insert(x)
        count += 1
      }
    }
    // Letters are narrower than cells, but each one has a stem at least.
    let letters = shown.filter { $0 != " " }.count
    guard columns.count >= letters * scale.0 / 4, count >= letters * scale.1 / 2 else {
      throw Failure(
        message:
          "Only \(count) pixels in \(columns.count) columns of \(picture.size) show \"\(shown)\"."
      )
    }
  }

  private struct Failure: Error {
    let message: String
  }
}
