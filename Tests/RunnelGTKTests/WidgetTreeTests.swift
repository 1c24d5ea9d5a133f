#if GTK
import CGTK
import Foundation
import Runnel
import RunnelDesk
import RunnelTesting
import Testing

@testable import Notes
@testable import RunnelGTK

extension GTKTests {
  /// The widgets of whole windows are those in golden files. Set `RECORD_SCREENS` to record these.
  @MainActor
  @Suite struct WidgetTreeTests {
    nonisolated private static let controls:
      [(name: String, make: @Sendable @MainActor () -> View)] =
        [
          ("fields", ControlSamples.fields), ("buttons", ControlSamples.buttons),
          ("choices", ControlSamples.choices), ("containers", ControlSamples.containers),
          ("text", ControlSamples.text), ("table", ControlSamples.table),
          ("outline", ControlSamples.outline), ("information", ControlSamples.information),
        ]

    @Test("The widgets of controls", arguments: controls.indices)
    func controlsHaveTheirWidgets(_ index: Int) throws {
      let (name, make) = Self.controls[index]
      let app = try TestApp(make(), size: Size(width: 60, height: 16))
      defer { app.end() }
      try app.press("tab")
      try expectTree(of: app, name)
    }

    @Test func aDialogHasItsWidgets() throws {
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let alert = Alert("Rename Milk", message: "The file gets the same name.")
      alert.buttons = [.cancel("Cancel"), .default("Rename")]
      alert.accessory = TextField("Milk")
      let asking = alert.ask(in: app.application).observe(succeeded: { _ in })
      defer { asking.dispose() }
      app.settle {
        app.backend.windows.last.map { gtk_widget_get_width($0.contentWidget) > 0 } == true
      }
      try expectTree(of: app, "dialog")
    }

    @Test func anOpenMenuHasItsWidgets() throws {
      let app = try TestApp(TextField("text"))
      defer { app.end() }
      let (wrap, save) = (MenuItem("Wrap Lines"), MenuItem("Save", key: "ctrl+s"))
      wrap.isChecked = true
      save.isEnabled = false
      let menu = Menu("Note", [MenuItem("New", key: "ctrl+n"), save, .separator, wrap])
      app.window.menuBar = MenuBar([Menu("File", [MenuItem("Quit")]), menu])
      app.window.menuBar?.open(menu)
      try app.press("down")
      try expectTree(of: app, "menu")
    }

    @Test func notesHasItsWidgets() async throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: path) }
      // The list shows the day in the time zone of the user.
      let day = DateComponents(year: 2026, month: 1, day: 15, hour: 12)
      let date = try #require(Calendar(identifier: .gregorian).date(from: day))
      for (name, text) in [("Apple", "red"), ("Banana", "yellow\nand long"), ("Cherry", "dark")] {
        try text.write(toFile: "\(path)/\(name).txt", atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
          [.modificationDate: date], ofItemAtPath: "\(path)/\(name).txt")
      }
      let clock = VirtualScheduler()
      let folder = NoteFolder(Folder(path), changes: .merge(.just(.rescan), .never), on: clock)
      let app = try TestApp(Label("behind"), size: Size(width: 80, height: 24))
      defer { app.end() }
      let controller = NotesController(folder, in: app.application)
      folder.open()
      app.application.show(controller.screen.window)
      controller.screen.window.makeFirstResponder(controller.screen.search)
      while folder.progress.value != nil || folder.files.items.isEmpty, !Task.isCancelled {
        await Task.yield()
      }
      app.type("ban")
      try expectTree(of: app, "notes")
    }

    private func expectTree(of app: TestApp, _ name: String) throws {
      app.settle()
      try Golden.expect(WidgetTree.text(of: try #require(app.backend.windows.last)), in: name)
    }
  }
}
#endif
