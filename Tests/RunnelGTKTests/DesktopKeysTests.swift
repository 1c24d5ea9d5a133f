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

    @Test func controlPlusEnlargesTexts() throws {
      let view = TextView("text")
      let app = try TestApp(view)
      defer {
        Appearance.zoom(to: 1)
        app.end()
      }
      let text = try #require(app.widgets(gtk_text_view_get_type(), of: view).first)
      var size: Double {
        let font = pango_context_get_font_description(gtk_widget_get_pango_context(text))
        return Double(pango_font_description_get_size(font))
      }
      func ratio(after keys: String...) throws -> Int {
        for key in keys { try app.press(key) }
        return Int((size / usual * 100).rounded())
      }
      let usual = size
      let cells = app.backend.windows.last?.metrics
      #expect(try ratio(after: "ctrl+plus") == 110)
      #expect(try ratio(after: "ctrl+shift+plus") == 121)
      #expect(try ratio(after: "ctrl+-", "ctrl+-", "ctrl+-") == 91)
      #expect(try ratio(after: "ctrl+0") == 100)
      #expect(app.backend.windows.last?.metrics == cells)
    }

    @Test func altWithALetterOpensAMenu() throws {
      let app = try makeApp()
      defer { app.end() }
      // A terminal moves the caret by a word.
      try app.press("home", "alt+f")
      let menu = app.window.menuBar?.menus[0]
      #expect(app.window.menuBar?.openMenu === menu)
      // Assistive technology reads the item with the focus.
      let focus = try #require(app.focus)
      #expect(gtk_accessible_get_accessible_role(cast(focus)) == GTK_ACCESSIBLE_ROLE_MENU_ITEM)
      try app.press("alt+v")
      #expect(app.window.menuBar?.openMenu === app.window.menuBar?.menus[1])
      try app.press("escape")
      #expect(field.isFirstResponder)
    }

    @Test func windowThatIsNotShownHasNoKeys() throws {
      let app = try makeApp()
      defer { app.end() }
      #expect(!Window().showShortcuts())
    }
  }
}
#endif
