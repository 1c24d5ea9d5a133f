#if GTK
import CGTK
import Foundation
import RunnelCollections
import RunnelDesk
import RunnelStreams
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// Closed windows leave no object behind.
  @MainActor
  @Suite struct WindowMemoryTests {
    @Test func closedWindowsAreReleased() throws {
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let counter = ObjectCounter()
      var sizes: [Int] = []
      for round in 0..<400 {
        Self.openAndClose(round % 2 == 0 ? .dialog : .full, in: app, counter)
        if round % 40 == 39 {
          app.settle()
          sizes.append(try Self.residentPages())
        }
      }
      #expect(counter.livingWidgets == [])
      #expect(counter.livingObjects == [])
      // The counter itself keeps about a kilobyte for each window.
      #expect(sizes[9] - sizes[4] < 200 * 4096 / Int(getpagesize()), "pages: \(sizes)")
    }

    private static func openAndClose(
      _ style: Window.Style, in app: TestApp, _ counter: ObjectCounter
    ) {
      let window = Window(title: "One", style: style, content: everyControl())
      let menu = Menu("Menu", [MenuItem("Item")])
      window.menuBar = MenuBar([menu])
      app.application.show(window)
      app.backend.sync()
      window.menuBar?.open(menu)
      app.backend.sync()
      guard let mirror = app.backend.windows.last, mirror.window === window else {
        Issue.record("The window is not shown.")
        return
      }
      counter.add(window)
      counter.add(mirror)
      mirror.forEachMirror { part in
        counter.add(part)
        counter.add(part.view)
      }
      counter.add(widgetsIn: mirror.widget)
      window.close()
      app.backend.sync()
      while Bool(g_main_context_iteration(nil, 0)) {}
    }

    private static func everyControl() -> View {
      let table = TableView(columns: [TableColumn("a", title: "A", isSortable: true)])
      table.rx.rows(CollectionProperty((0..<50).map { "row \($0)" })) { $0["a"].text = $1 }
      table.selectedRow = 1
      let editor = TextView("one\ntwo")
      editor.highlights = { _, line in line.ranges(of: "o").map { TextHighlight($0) } }
      // GTK 4.8 releases no text buffer that has offered a selection to other programs.
      let field = TextField("text", placeholder: "Name")
      field.selection = TextSelection(field.document.bounds)
      field.validationMessage = "wrong"
      return StackView(
        .vertical,
        [
          field, Checkbox("Check"), Button("Button"), Label("label"), ProgressBar(0.5),
          SplitView(.horizontal, table, editor, position: .cells(10)), StatusBar("status"),
        ])
    }

    enum Closing: CaseIterable { case button, escape, closeRequest, applicationEnd, disposal }

    @Test(arguments: Closing.allCases)
    func closedAlertsAreReleased(_ closing: Closing) throws {
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let counter = ObjectCounter()
      var answers: [String] = []
      for _ in 0..<(closing == .applicationEnd ? 1 : 50) {
        let alert = Alert("Sure?", message: "Really?", buttons: [.default("Yes"), .cancel("No")])
        alert.accessory = TextField("reason")
        counter.add(alert)
        let asking = alert.ask(in: app.application).observe(succeeded: {
          answers.append($0?.title ?? "none")
        })
        app.backend.sync()
        let mirror = try #require(app.backend.windows.last)
        try #require(mirror.window !== app.window)
        counter.add(mirror)
        counter.add(mirror.window)
        mirror.forEachMirror {
          counter.add($0); counter.add($0.view)
        }
        counter.add(widgetsIn: mirror.widget)
        switch closing {
        case .button: runnel_click(try app.native(try #require(mirror.window.defaultButton)))
        case .escape: app.backend.send(.key(KeyPress(.escape)))
        case .closeRequest: gtk_window_close(cast(mirror.widget))
        case .applicationEnd: app.application.end()
        case .disposal: asking.dispose()
        }
        while Bool(g_main_context_iteration(nil, 0)) {}
        app.backend.sync()
      }
      app.settle()
      let expected =
        switch closing {
        case .button: "Yes"
        case .escape: "No"
        case .closeRequest, .applicationEnd: "none"
        case .disposal: ""
        }
      #expect(Set(answers) == (closing == .disposal ? [] : [expected]))
      #expect(counter.livingWidgets == [])
      #expect(counter.livingObjects == [])
    }

    private static func residentPages() throws -> Int {
      let numbers = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
        separator: " ")
      return try #require(numbers.dropFirst().first.flatMap { Int($0) })
    }
  }
}
#endif
