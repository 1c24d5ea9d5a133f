import Runnel
import RunnelDesk
import RunnelGTK
import RunnelTerminal

/// Shows the notes of a folder in the terminal until the user quits. If `plain` is true, it writes
/// lines for a screen reader. Returns the exit status.
@MainActor
func runApp(in folder: Folder, plain: Bool) throws -> Int32 {
  let backend = try TerminalBackend(plain: plain)
  // The menu decides which key suspends.
  backend.suspendKey = nil
  let host = HostTerminal(
    suspend: { backend.suspend() },
    run: { command in try await backend.run("/bin/sh", command.arguments) })
  return try run(NoteFolder(folder), in: Application(backend: backend), host: host) {}
}

/// Runs a script on the notes of a folder, without a terminal. Returns the exit status.
@MainActor
func runApp(in folder: Folder, script: Script) throws -> Int32 {
  try runApp(in: folder, script: script, on: HeadlessBackend(Size(width: 80, height: 24)))
}

/// Shows the notes of a folder in a window until the user quits, or runs a script there. Returns the
/// exit status.
@MainActor
func runApp(inWindowOn folder: Folder, script: Script?) throws -> Int32 {
  #if GTK
    let backend = try GTKBackend(identifier: "org.runnel.Notes", size: Size(width: 80, height: 24))
    if let script { return try runApp(in: folder, script: script, on: backend) }
    return try run(NoteFolder(folder), in: Application(backend: backend)) {}
  #else
    throw Invocation.UsageError(message: "notes was built without windows: see Scripts/run.")
  #endif
}

@MainActor
private func runApp(
  in folder: Folder, script: Script, on backend: some ScriptableBackend
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
  _ folder: NoteFolder, in application: Application, host: HostTerminal = HostTerminal(),
  script: @escaping () async throws -> Void
) throws -> Int32 {
  let controller = NotesController(folder, in: application)
  controller.host = host
  var problem: (any Error)?
  let outcome = EventLoop.main.runUntilTerminated { service in
    let run = Task {
      do { try await script() } catch { problem = error }
    }
    // Shutdown actions run in reverse order: the script may check what was saved at the end.
    service.onShutdown("the script") { await run.value }
    service.onShutdown("the notes") {
      // No more input arrives after this.
      application.end()
      await folder.flush()
    }
    service.reloads.observeNext { service.shutDown() }
    application.rx.terminated.observeNext { service.shutDown() }
    folder.open()
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)
  }
  let unsaved = folder.unsavedFiles
  if !unsaved.isEmpty { throw UnsavedFiles(unsaved, rescuedBy: Rescue(of: "notes")) }
  if let problem { throw problem }
  return outcome.exitCode
}
