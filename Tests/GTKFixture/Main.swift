#if GTK
import CGTK
import Glibc
import RunnelDesk
import RunnelGTK
import RunnelLoop
import RunnelStreams

/// A program for tests that need the main loop. A callback of GLib waits in a loop of its own, as some
/// dialogs do, until a timer, a task and a pipe of Runnel have made progress.
@main
@MainActor
struct Main {
  private static var waits = ["timer", "task", "bytes"]
  private static let bag = DisposeBag()
  private static var application: Application?

  static func main() throws {
    let application = Application(backend: try GTKBackend(identifier: "org.runnel.Fixture"))
    self.application = application
    application.show(Window(title: "Fixture", content: Label("text")))
    g_idle_add(
      { _ in
        MainActor.assumeIsolated { Main.waitInside() }
        return 0
      }, nil)
    EventLoop.main.run(until: application.rx.terminated)
  }

  private static func waitInside() {
    print("waiting")
    begin()
    while !waits.isEmpty { g_main_context_iteration(nil, 1) }
    print("waited")
    application?.end()
  }

  private static func begin() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let writing = ends[1]
    EventLoop.main.bytes(from: ends[0]).observe(next: { _ in done("bytes") }).disposed(by: bag)
    EventLoop.main.schedule(after: .milliseconds(1)) { MainActor.assumeIsolated { done("timer") } }
      .disposed(by: bag)
    Task.detached {
      await done("task")
      _ = write(writing, "x", 1)
    }
  }

  private static func done(_ name: String) {
    if waits.contains(name) { print(name) }
    waits.removeAll { $0 == name }
  }
}
#else
/// The program needs the trait GTK.
@main
struct Main {
  static func main() {}
}
#endif
