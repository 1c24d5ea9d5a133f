#if GTK
import CGTK
import RunnelDesk
import RunnelTesting
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// Windows whose menus are in a header bar.
  @MainActor
  @Suite struct HeaderBarTests {
    private let save = MenuItem("Save_As", key: "ctrl+s")
    private let wrap = MenuItem("Wrap Lines")
    private let print = MenuItem("Print")
    private let field = TextField("text")

    /// Shows a window with two menus, in front of another one.
    private func makeApp() throws -> (TestApp, Window) {
      let app = try TestApp(Label("behind"))
      let window = Window(title: "Milk", content: StackView(.vertical, [field, View()]))
      window.menuStyle = .headerBar
      window.menuBar = MenuBar([
        Menu("File", [save, .separator, print]), Menu("View", [wrap]),
      ])
      wrap.isChecked = true
      print.isEnabled = false
      window.makeFirstResponder(field)
      app.application.show(window)
      app.settle()
      return (app, window)
    }

    private func header(_ app: TestApp) throws -> HeaderBar {
      try #require(app.backend.windows.last?.header)
    }

    /// Returns the items of the open menus by their titles.
    private func items(_ app: TestApp) throws -> [String: Widget] {
      let buttons = [Widget](below: try header(app).widget).filter {
        text(of: g_type_name(runnel_type_of($0))) == "GtkModelButton"
      }
      var found: [String: Widget] = [:]
      for button in buttons {
        let label = [Widget](below: button).first { Bool(runnel_is_a($0, gtk_label_get_type())) }
        if let label { found[text(of: gtk_label_get_text(cast(label)))] = button }
      }
      return found
    }

    private func item(_ title: String, _ app: TestApp) throws -> Widget {
      let all = try items(app)
      return try #require(all[title], "There is no item \(title).")
    }

    @Test func contentHasTheRowOfTheMenuBar() throws {
      let (app, window) = try makeApp()
      defer { app.end() }
      #expect(app.backend.windows.last?.size == app.backend.size)
      #expect(field.frameInWindow.origin == .zero && window.rootView.frame.size == app.backend.size)
      #expect(app.lines[0] == "text")
      #expect(
        text(of: gtk_window_get_title(cast(try #require(app.backend.windows.last?.widget))))
          == "Milk")
      app.backend.send(.resize(Size(width: 60, height: 20)))
      app.settle { app.backend.windows.last?.isResizing == false }
      #expect(app.backend.windows.last?.size == Size(width: 60, height: 20))
    }

    @Test func itemOfTheMenuIsActivated() throws {
      let (app, window) = try makeApp()
      defer { app.end() }
      let (saved, wrapped) = (save.rx.activate.stream.record(), wrap.rx.activate.stream.record())
      try app.press("f10")
      let header = try header(app)
      app.settle { header.isOpen }
      #expect(
        try Set(items(app).keys).isSuperset(of: ["File", "View", "Save_As", "Print", "Wrap Lines"]))
      #expect(!Bool(gtk_widget_get_sensitive(try item("Print", app))))
      runnel_click(try item("Save_As", app))
      app.settle { !header.isOpen }
      #expect(saved.elements.count == 1 && wrapped.elements.isEmpty && !header.isOpen)
      #expect(field.isFirstResponder && window.isKey)
      // The next letter is typed into the field.
      app.type("x")
      #expect(field.text == "xtext" || field.text == "textx")
    }

    private final class MenuLog: MenuDelegate {
      var log: [String] = []

      func menuWillOpen(_ menu: Menu) {
        log.append("open")
        menu.items = [MenuItem("Later")]
      }

      func menuDidClose(_ menu: Menu) { log.append("closed") }
    }

    @Test func menusFollowTheirItemsWhenTheyOpen() throws {
      let (app, window) = try makeApp()
      defer { app.end() }
      let delegate = MenuLog()
      window.menuBar?.menus[1].delegate = delegate
      let header = try header(app)
      #expect(header.open() && !header.open())
      app.settle { header.isOpen }
      #expect(try items(app)["Later"] != nil && items(app)["Wrap Lines"] == nil)
      #expect(delegate.log == ["open"])
      runnel_click(try item("Later", app))
      app.settle { !header.isOpen }
      #expect(delegate.log == ["open", "closed"])
    }

    @Test func keyEquivalentsWorkWhileTheMenusAreClosed() throws {
      let (app, window) = try makeApp()
      defer { app.end() }
      let saved = save.rx.activate.stream.record()
      try app.press("ctrl+s")
      #expect(saved.elements.count == 1)
      window.menuBar?.isEnabled = false
      app.settle()
      try app.press("ctrl+s", "f10")
      #expect(try saved.elements.count == 1 && !header(app).isOpen)
      window.menuBar = nil
      try app.press("f10")
      #expect(try !header(app).isOpen)
    }

    @Test func usersMayWantAMenuBar() throws {
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      app.backend.showsHeaderBars = false
      let window = Window(title: "Milk", content: field)
      window.menuStyle = .headerBar
      window.menuBar = MenuBar([Menu("File", [save])])
      app.application.show(window)
      #expect(app.lines.prefix(2) == [" File", "text"])
      #expect(app.backend.windows.last?.header == nil)
    }

    @Test func searchFieldIsInTheHeaderBar() throws {
      let (search, button) = (TextField(placeholder: "Search"), Button("OK"))
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let window = Window(title: "Milk", content: StackView(.vertical, [field, button]))
      window.menuStyle = .headerBar
      window.menuBar = MenuBar([Menu("File", [save])])
      window.searchField = search
      window.makeFirstResponder(field)
      app.application.show(window)
      app.settle()
      let header = try header(app)
      let entry = try app.native(search)
      #expect(Bool(gtk_widget_is_ancestor(entry, header.widget)))
      let width = gtk_widget_get_width(entry)
      #expect(gtk_widget_get_height(entry) > 16 && width >= 120)
      // The content begins at the top of the window, below the header bar.
      #expect(try app.mirror(field).origin.y == 0)
      // Scripts find the field above the content, as in a terminal.
      #expect(app.lines.prefix(2) == ["Search", "text"])
      try app.press("backtab")
      let inner = try app.mirror(search).focusWidget
      #expect(search.isFirstResponder && app.focus == inner)
      app.type("a")
      #expect(search.text == "a" && field.text == "text")
      app.click(field)
      #expect(field.isFirstResponder)
      app.click(search)
      app.type("b")
      #expect(search.isFirstResponder && search.text.count == 2)
      // Assistive technology and GTK itself may move the focus.
      gtk_widget_grab_focus(try app.native(button))
      app.settle()
      #expect(button.isFirstResponder)
      gtk_widget_grab_focus(entry)
      app.settle()
      #expect(search.isFirstResponder)
      search.isHidden = true
      app.settle()
      #expect(!Bool(gtk_widget_get_visible(header.searchPlace.widget)))
      #expect(field.isFirstResponder && app.lines[0] == "text")
      search.isHidden = false
      app.settle()
      #expect(try Bool(gtk_widget_is_ancestor(app.native(search), header.widget)))
      window.searchField = nil
      app.settle()
      #expect(app.backend.windows.last?.knownMirror(of: search) == nil)
    }

    @Test func searchFieldOfAMenuBarHasMargins() throws {
      let search = TextField(placeholder: "Search")
      let app = try TestApp(
        StackView(.vertical, [field, View()]), size: Size(width: 40, height: 16))
      defer { app.end() }
      app.window.menuBar = MenuBar([Menu("File", [save])])
      app.window.searchField = search
      app.settle()
      let window = try #require(app.backend.windows.last)
      let (origin, entry) = (try app.mirror(search).origin, try app.native(search))
      let bar = Double(window.metrics.pixels(rows: 1))
      #expect(origin.x == 12 && origin.y == bar + 12)
      #expect(Int(gtk_widget_get_height(entry)) <= window.controlHeight)
      #expect(try app.mirror(field).origin.y == origin.y + Double(window.controlHeight) + 12)
      #expect(app.lines.prefix(3) == [" File", "Search", "text"])
    }

    @Test(.enabled(if: Mouse.isAvailable))
    func mouseUsesTheSearchFieldOfAHeaderBar() throws {
      let (app, window) = try makeApp()
      defer { app.end() }
      let search = TextField("milk")
      search.contextMenu = Menu("", [save])
      window.searchField = search
      app.settle()
      try Mouse.click(try app.native(search), in: app)
      app.settle { search.isFirstResponder }
      #expect(search.isFirstResponder)
      try Mouse.click(try app.native(search), button: 3, in: app)
      app.settle { app.lines.contains { $0.contains("Save_As") } }
      #expect(app.lines.contains { $0.contains("Save_As") })
    }

    /// The menus are open when the application ends.
    @Test func applicationEndsWithOpenMenus() throws {
      let (app, _) = try makeApp()
      #expect(try header(app).open())
      app.settle()
      app.end()
      #expect(app.application.isTerminated)
    }
  }
}
#endif
