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
        try await use(application, backend)
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

  private static func use(_ application: Application, _ backend: GTKBackend) async throws {
    let runner = ScriptRunner(application, on: backend)
    try await runner.run(Script("type Ada\nkey enter\nexpect \"Hello, Ada!\""))
    let picture = try PixelImage(png: backend.picture)
    let row = (0..<picture.size.width).map { picture[$0, 10] }
    guard row.count >= 200, Set(row).count > 1 else {
      throw Failure(message: "The picture of \(picture.size) is empty.")
    }
    try await runner.run(Script("key ctrl+q\nexpect-end"))
  }

  private struct Failure: Error {
    let message: String
  }
}
