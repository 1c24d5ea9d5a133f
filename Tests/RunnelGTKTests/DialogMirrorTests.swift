#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct DialogMirrorTests {
    private let field = TextField()

    private func makeApp() throws -> TestApp {
      try TestApp(StackView(.vertical, [field, KeyHints()]), size: Size(width: 70, height: 20))
    }

    // MARK: Alerts

    @Test func anAlertIsAWindowAsLargeAsItsText() throws {
      let shown = try makeApp()
      defer { shown.end() }
      shown.window.makeFirstResponder(field)
      let alert = Alert("Delete?", message: "The note will be deleted.")
      alert.buttons = [.cancel("Cancel"), .default("Delete")]
      var answers: [String?] = []
      let asking = alert.ask(in: shown.application).observe(succeeded: { answers.append($0?.title) }
      )
      defer { asking.dispose() }
      let mirror = try #require(dialogMirror(of: shown))
      #expect(mirror.window.title == "Delete?")
      let frame = mirror.window.rootView.frame
      #expect(
        Double(gtk_widget_get_width(mirror.widget)) == Double(frame.width) * mirror.metrics.width)
      #expect(
        gtk_widget_get_width(mirror.widget) < gtk_widget_get_width(shown.backend.windows[0].widget))
      let buttons = [Widget](below: mirror.widget).filter {
        Bool(runnel_is_a($0, gtk_button_get_type()))
      }
      #expect(buttons.map { text(of: gtk_button_get_label(cast($0))) } == ["Cancel", "Delete"])
      #expect(
        buttons.map { Bool(gtk_widget_has_css_class($0, "suggested-action")) } == [false, true])
      #expect(shown.focus == buttons[1])
      try shown.press("left")
      #expect(shown.focus == buttons[0])
      try shown.press("right", "enter")
      #expect(answers == ["Delete"] && shown.backend.windows.count == 1)
      #expect(field.isFirstResponder)
    }

    @Test func anAlertMayRefuseToClose() throws {
      let shown = try makeApp()
      defer { shown.end() }
      final class Refusal: AlertDelegate {
        func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool { false }
      }
      let (alert, delegate) = (Alert("Delete?", message: "Really?"), Refusal())
      alert.delegate = delegate
      let asking = alert.ask(in: shown.application).observe(succeeded: { _ in })
      defer { asking.dispose() }
      let mirror = try #require(dialogMirror(of: shown))
      let inside = [Widget](below: mirror.widget)
      let button = inside.first { Bool(runnel_is_a($0, gtk_button_get_type())) }
      if let button { runnel_click(button) }
      shown.settle()
      #expect(shown.backend.windows.count == 2)
    }

    // MARK: Palette and hints

    @Test func thePaletteRunsTheChosenCommand() throws {
      let shown = try makeApp()
      defer { shown.end() }
      var count = 0
      let items = [MenuItem("Open", key: "ctrl+o"), MenuItem("Save", key: "ctrl+s")]
      let observation = items[0].rx.activate.observeNext { count += 1 }
      defer { observation.dispose() }
      shown.window.menuBar = MenuBar([Menu("File", items)])
      #expect(shown.lines.contains { $0.contains("Ctrl+O Open") })
      try shown.press("ctrl+p")
      #expect(try #require(dialogMirror(of: shown)).window.title == "Commands")
      for letter in ["o", "p", "e"] { try shown.press(letter) }
      #expect(shown.lines.contains { $0.contains("ope") })
      #expect(!shown.lines.contains { $0.contains("Ctrl+S") && !$0.contains("Quit") })
      try shown.press("enter")
      #expect(count == 1 && shown.backend.windows.count == 1)
    }

    // MARK: Files

    @Test func theFileDialogFollowsTypingAndKeys() throws {
      let shown = try makeApp()
      defer { shown.end() }
      shown.backend.usesFileDialogsOfDesktop = false
      let dialog = FileDialog(.save(name: "draft.txt"))
      var paths: [String?] = []
      let asking = dialog.choose(in: shown.application).observe(succeeded: { paths.append($0) })
      defer { asking.dispose() }
      _ = try #require(dialogMirror(of: shown))
      #expect(shown.lines.contains { $0.contains("Name") && $0.contains("draft.txt") })
      try shown.press("a", "b")
      #expect(shown.lines.contains { $0.contains("ab.txt") })
      try shown.press("escape")
      #expect(paths.count == 1 && shown.backend.windows.count == 1)
    }

    /// The front window once it is on the display, unless it is the first one.
    private func dialogMirror(of shown: TestApp) -> WindowMirror? {
      shown.settle {
        shown.backend.windows.count == 2
          && gtk_widget_get_width(shown.backend.windows[1].contentWidget) > 0
      }
      return shown.backend.windows.count == 2 ? shown.backend.windows[1] : nil
    }
  }
}
#endif
