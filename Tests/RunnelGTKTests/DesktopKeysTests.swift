#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// Keys that have a meaning in windows of a desktop.
  @MainActor
  @Suite struct DesktopKeysTests {
    private let field = TextField("two words")

    private func makeApp() throws -> TestApp {
      let app = try TestApp(field)
      app.window.makeFirstResponder(field)
      app.window.menuBar = MenuBar([
        Menu("File", [MenuItem("Save <all> & close", key: "ctrl+s"), MenuItem("Print")]),
        Menu("View", [MenuItem("Zoom In", key: "ctrl+plus")]), Menu("Empty"),
      ])
      app.settle()
      return app
    }

    private func shortcuts(_ app: TestApp) -> Widget? {
      app.backend.windows.last?.shortcuts?.widget
    }

    @Test func controlWClosesTheWindow() throws {
      let app = try makeApp()
      let other = Window(title: "Other", content: TextField("other"))
      app.application.show(other)
      app.settle()
      try app.press("ctrl+w")
      #expect(other.application == nil && app.window.isKey && field.text == "two words")
      app.backend.send(.key(KeyPress(.character("w"), .control)))
      #expect(app.application.isTerminated)
    }

    @Test func applicationMayUseControlW() throws {
      let app = try TestApp(field)
      defer { app.end() }
      let wrap = MenuItem("Wrap", key: "ctrl+w")
      wrap.rx.activate.observeNext { wrap.isChecked = true }
      app.window.menuBar = MenuBar([Menu("View", [wrap])])
      try app.press("ctrl+w")
      #expect(wrap.isChecked && !app.application.isTerminated)
      app.window.menuBar = nil
      app.application.keyBindings["ctrl+w"] = .delete(.wordLeft)
      app.window.makeFirstResponder(field)
      try app.press("end", "ctrl+w")
      #expect(field.text == "two " && !app.application.isTerminated)
    }

    @Test(arguments: ["f1", "ctrl+?", "ctrl+shift+?"])
    func helpKeyShowsTheKeysOfTheMenus(_ key: String) throws {
      let app = try makeApp()
      defer { app.end() }
      try app.press(key)
      let window = try #require(shortcuts(app))
      #expect(Bool(gtk_widget_get_visible(window)) && Bool(gtk_window_get_modal(cast(window))))
      let labels = [Widget](below: window).filter { Bool(runnel_is_a($0, gtk_label_get_type())) }
        .map { text(of: gtk_label_get_text(cast($0))) }
      for label in [
        "File", "View", "Save <all> & close", "Zoom In", "Quit", "All commands", "Close the window",
      ] {
        #expect(labels.contains(label), "\(label) in \(labels)")
      }
      #expect(!labels.contains("Print") && !labels.contains("Empty"))
    }

    @Test func keysAreShownInOneWindow() throws {
      let app = try makeApp()
      #expect(app.window.showShortcuts() && app.window.showShortcuts())
      app.settle()
      let window = try #require(shortcuts(app))
      gtk_window_close(cast(window))
      app.settle()
      #expect(app.window.showShortcuts())
      // The application ends while they are shown.
      app.end()
    }

    @Test func windowThatIsNotShownHasNoKeys() throws {
      let app = try makeApp()
      defer { app.end() }
      #expect(!Window().showShortcuts())
    }
  }
}
#endif
