import RunnelDesk
import RunnelTesting

@testable import Notes

/// The app with a headless backend and two notes.
@MainActor struct TestApp {
  let folder: TestFolder
  let backend = HeadlessBackend(Size(width: 80, height: 24))
  let application: Application
  let controller: NotesController

  init() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    try await self.init(folder)
  }

  /// Creates the app, and performs actions before its folder has been read.
  init(_ folder: TestFolder, before actions: (TestApp) -> Void = { _ in }) async throws {
    self.folder = folder
    application = Application(backend: backend, scheduler: folder.scheduler)
    controller = NotesController(folder.notes, in: application)
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)
    actions(self)
    await folder.open()
  }

  /// Creates another program that shows the notes of a folder.
  init(_ folder: TestFolder, showing notes: NoteFolder) {
    self.folder = folder
    application = Application(backend: backend, scheduler: folder.scheduler)
    controller = NotesController(notes, in: application)
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)
  }

  /// Opens a note and types at its beginning.
  func type(_ text: String, into title: String) {
    for _ in 0..<2 { backend.press("escape") }
    backend.type(title)
    backend.press("enter")
    backend.press("ctrl+home")
    backend.type(text)
  }

  /// Deletes the open note, and answers the question if there is one.
  func delete() {
    backend.press("ctrl+d")
    if application.windows.count == 1 { return }
    for key in ["right", "enter"] { backend.press(key) }
  }

  var screen: NotesScreen { controller.screen }

  /// Yields to the app until a condition holds.
  func settle(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  func pass(_ time: Duration) async {
    folder.scheduler.advance(by: time)
    await folder.files()
  }
}
