import CGTK
import Glibc
import Runnel
import RunnelDesk
import RunnelGTK

/// Benchmarks of a window. Costs are processor time until the loop is idle again, including the
/// drawing of the frame; the time in which the window waits for the next frame does not count.
@main
@MainActor
struct Main {
  static func main() throws {
    let window = try Screen(GTKBackend(identifier: "org.runnel.Bench"), rowCount: 10_000)
    let headless = Screen(HeadlessBackend(Size(width: 100, height: 30)), rowCount: 10_000)
    let keys = ["1", "2", "3", "4"]
    let typing = window.cost { window.type(keys) } / keys.count
    let drawing = headless.cost { headless.type(keys) } / keys.count
    report("search key, 10,000 rows, headless", drawing)
    report("search key, 10,000 rows, window", typing)
    let allowed = drawing * 1.5 + .microseconds(16_667)
    print("  limit: 1.5 × headless and one frame, \(milliseconds(allowed))")
    window.application.end()

    let few = try insertion(into: 1_000)
    let many = try insertion(into: 1_000_000)
    report("visible row inserted among 1,000", few)
    report("visible row inserted among 1,000,000", many)
    print("  ratio: \((many / few).rounded(toPlaces: 2))")

    try reportTexts()

    let quiet = try Screen(GTKBackend(identifier: "org.runnel.Bench"), rowCount: 10_000)
    quiet.window.makeFirstResponder(quiet.table)
    quiet.run(for: .seconds(2))
    let before = EventLoop.main.statistics.turns
    quiet.run(for: .seconds(10))
    // The timer that ends the measurement wakes the loop too.
    print("turns of the loop in 10 s without input: \(EventLoop.main.statistics.turns - before)")
    quiet.application.end()
  }

  private static func insertion(into count: Int) throws -> Duration {
    let screen = try Screen(GTKBackend(identifier: "org.runnel.Bench"), rowCount: count)
    defer { screen.application.end() }
    let times = 20
    return screen.cost {
      for number in 0..<times {
        screen.rows.insert("new \(number)", at: 3)
        screen.run(for: .milliseconds(50))
      }
    } / times
  }

  /// Measures a key at the start of texts of several sizes, and showing a long text after another one
  /// that was scrolled.
  private static func reportTexts() throws {
    let line = "- [ ] some **bold** words of a [[note]] #work and milk\n"
    let texts = [("1 KB", 1_000), ("1 MB", 1_000_000), ("9 MB", 9_000_000)].map {
      ($0, String(repeating: line, count: $1 / line.utf8.count))
    }
    let longLine = String(repeating: "words of a long line ", count: 10_000)
    for (name, text) in texts + [("one line of 200 KB", longLine)] {
      let page = try Page(text)
      report("key in \(name)", processorTime { page.type("abcdefgh") } / 8)
      page.application.end()
    }
    let plain = try PlainPage(longLine)
    report("  the same in a text view of GTK alone", processorTime { plain.type("abcdefgh") } / 8)
    plain.end()
    for count in [10_000, 230_000] {
      let page = try Page(String(repeating: line, count: 1_000))
      page.editor.selection = TextSelection(caret: page.editor.document.end)
      page.run(for: .milliseconds(500))
      let next = TextSession(TextDocument(String(repeating: line, count: count)))
      let cost = processorTime {
        page.editor.session = next
        page.run(for: .milliseconds(100))
      }
      report("showing \(count) lines after a scrolled text", cost)
      page.application.end()
    }
  }

  private static func report(_ name: String, _ time: Duration) {
    print("\(name): \(milliseconds(time))")
  }

  private static func milliseconds(_ time: Duration) -> String {
    "\(((time / .milliseconds(1))).rounded(toPlaces: 2)) ms"
  }
}

/// A text that fills the window, with the highlights of Markdown.
@MainActor
private final class Page {
  let application: Application
  let editor: TextView
  private let backend: GTKBackend

  init(_ text: String) throws {
    backend = try GTKBackend(identifier: "org.runnel.Bench")
    application = Application(backend: backend)
    editor = TextView(text)
    editor.syntax = { TextHighlight.markdown(in: $0) }
    let window = Window(title: "Bench", content: editor)
    application.show(window)
    window.makeFirstResponder(editor)
    // GTK measures the lines of a long text in the background.
    run(for: .seconds(5))
  }

  func type(_ text: String) {
    for character in text {
      backend.send(.key(KeyPress(.character(character))))
      run(for: .milliseconds(100))
    }
  }

  func run(for duration: Duration) { EventLoop.main.run(for: duration) }
}

/// A text view of GTK without Runnel, which wraps its lines.
@MainActor
private final class PlainPage {
  private let application: Application
  private let window: UnsafeMutablePointer<GtkWidget>
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>

  init(_ text: String) throws {
    // The backend lets the main loop serve GTK while the application shows a window.
    application = Application(backend: try GTKBackend(identifier: "org.runnel.Bench"))
    application.show(Window(title: "Bench"))
    guard let window = gtk_window_new(), let view = gtk_text_view_new(),
      let scroller = gtk_scrolled_window_new(),
      let buffer = gtk_text_view_get_buffer(Self.pointer(view))
    else { fatalError("GTK could not create a widget.") }
    (self.window, self.buffer) = (window, buffer)
    gtk_text_view_set_wrap_mode(Self.pointer(view), GTK_WRAP_WORD_CHAR)
    gtk_scrolled_window_set_child(OpaquePointer(scroller), view)
    gtk_window_set_child(Self.pointer(window), scroller)
    gtk_window_set_default_size(Self.pointer(window), 800, 600)
    gtk_text_buffer_set_text(buffer, text, -1)
    gtk_window_present(Self.pointer(window))
    EventLoop.main.run(for: .seconds(5))
  }

  private static func pointer<To>(
    _ widget: UnsafeMutablePointer<GtkWidget>
  ) -> UnsafeMutablePointer<To> {
    // Safety: a widget begins with the structure of each of its ancestors.
    UnsafeMutableRawPointer(widget).assumingMemoryBound(to: To.self)
  }

  func type(_ text: String) {
    for character in text {
      gtk_text_buffer_insert_at_cursor(buffer, String(character), -1)
      EventLoop.main.run(for: .milliseconds(100))
    }
  }

  func end() {
    gtk_window_destroy(Self.pointer(window))
    application.end()
  }
}

/// Returns the processor time of a closure.
@MainActor
private func processorTime(_ body: () -> Void) -> Duration {
  func used() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let before = used()
  body()
  return used() - before
}

/// A search field above a list.
@MainActor
private final class Screen {
  let application: Application
  let window: Window
  let search = TextField()
  let table = TableView(columns: [TableColumn("title", title: "Title")])
  let rows: CollectionProperty<[String]>
  private let backend: any ScriptableBackend

  init(_ backend: any ScriptableBackend, rowCount: Int) {
    self.backend = backend
    rows = CollectionProperty((0..<rowCount).map { "row \($0)" })
    application = Application(backend: backend)
    window = Window(title: "Bench", content: StackView(.vertical, [search, table]))
    let text = search.rx.text
    let found = rows.filter(by: text.map { text in { text.isEmpty || $0.contains(text) } })
    table.rx.rows(found) { row, title in row["title"].text = title }
    application.show(window)
    window.makeFirstResponder(search)
    run(for: .milliseconds(500))
  }

  func type(_ keys: [String]) {
    for key in keys {
      for character in key { backend.send(.key(KeyPress(.character(character)))) }
      if let headless = backend as? HeadlessBackend { _ = headless.text }
      run(for: .milliseconds(100))
    }
  }

  func run(for duration: Duration) { EventLoop.main.run(for: duration) }

  func cost(_ body: () -> Void) -> Duration { processorTime(body) }
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
    return (self * factor).rounded() / factor
  }
}
