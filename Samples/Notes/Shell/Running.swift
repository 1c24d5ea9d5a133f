import Runnel
import RunnelDesk
import RunnelGTK
import RunnelTerminal

/// Shows the notes of a folder, and at first one of them, until the user quits or the script ends. If another
/// process shows the folder already, the other process shows the note, and this function returns at once. Returns
/// the exit status.
@MainActor
func runApp(
  in folder: Folder, on display: Invocation.Display, script: Script?, opening note: Note.ID? = nil
) throws -> Int32 {
  let size = Size(width: 80, height: 24)
  let desktop = script == nil ? DesktopSession(folder) : nil
  if desktop?.isHandedOver(opening: note) == true {
    let message = "Another window has the notes of \(folder.path.printable).\n"
    try StandardFile.output.write(Array(message.utf8))
    return 0
  }
  switch display {
  case .terminal, .plain:
    let backend = try TerminalBackend(plain: display == .plain)
    // The menu decides which key suspends.
    backend.suspendKey = nil
    let host = HostTerminal(
      suspend: backend.suspend, run: { try await backend.run("/bin/sh", $0.arguments) })
    return try run(
      NoteFolder(folder), in: Application(backend: backend), host: host, desktop: desktop,
      opening: note)
  case .headless:
    // The invocation has a script.
    guard let script else { return 0 }
    return try run(folder, on: HeadlessBackend(size), script: script)
  case .window, .menuBar:
    #if GTK
    let backend = try GTKBackend(
      identifier: "org.runnel.Notes", size: size, keepsSize: script == nil)
    backend.showsHeaderBars = display == .window
    if let script { return try run(folder, on: backend, script: script) }
    return try run(
      NoteFolder(folder), in: Application(backend: backend), host: nil, desktop: desktop,
      opening: note)
    #else
    throw Invocation.UsageError(message: "notes was built without windows: see Scripts/run.")
    #endif
  }
}

/// Runs a script, on a clock that the script advances.
@MainActor
private func run(
  _ folder: Folder, on backend: some ScriptableBackend, script: Script
) throws -> Int32 {
  let clock = VirtualScheduler()
  let notes = NoteFolder(folder, on: clock)
  let application = Application(backend: backend, scheduler: clock)
  var runner = ScriptRunner(application, on: backend, folder: folder.path)
  runner.advance = { clock.advance(by: $0) }
  runner.work = { await notes.files.idle().completion() }
  return try run(notes, in: application) {
    defer { application.end() }
    try await runner.run(script)
  }
}

@MainActor
private func run(
  _ folder: NoteFolder, in application: Application, host: HostTerminal? = HostTerminal(),
  desktop: DesktopSession? = nil, opening note: Note.ID? = nil,
  script: (() async throws -> Void)? = nil
) throws -> Int32 {
  let controller = NotesController(folder, in: application)
  controller.host = host
  if script == nil { controller.loadDictionary = { await EnchantSpellChecker.load() } }
  var problem: (any Error)?
  let outcome = EventLoop.main.runUntilTerminated { service in
    let run = Task {
      do { try await script?() } catch { problem = error }
    }
    // Shutdown actions run in reverse order: the script may check what was saved at the end.
    service.onShutdown("the script") { await run.value }
    service.onShutdown("the notes") {
      // No more input arrives after this.
      application.end()
      await folder.flush()
      // The machine may sleep now, and another process may take the folder.
      desktop?.end()
    }
    service.reloads.observeNext { service.shutDown() }
    application.rx.terminated.observeNext { service.shutDown() }
    folder.open()
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)
    if let note { controller.reveal(note) }
    desktop?.connect(controller)
  }
  let unsaved = folder.unsavedFiles
  if !unsaved.isEmpty { throw UnsavedFiles(unsaved, rescuedBy: Rescue(of: "notes")) }
  if let problem { throw problem }
  return outcome.exitCode
}
