import Glibc
import Runnel
import RunnelDesk

/// The commands for use in shell scripts, which write to standard output and exit.
struct Shell {
  let invocation: Invocation

  let folder: Folder

  /// Creates the shell for an invocation. The folder defaults to `~/Notes`.
  init(invocation: Invocation) throws(Invocation.UsageError) {
    self.invocation = invocation
    let home = try getenv("HOME").map { home throws(Invocation.UsageError) in
      try Invocation.text(home, "The path of the home (HOME)")
    }
    folder = Folder(invocation.folder ?? (home ?? ".") + "/Notes")
  }

  /// Runs the command. Returns its output and exit status.
  @MainActor
  func run() throws -> (output: [UInt8], status: Int32) {
    switch invocation.command {
    case .help: return (PackageResources.Help_txt, 0)
    case .version: return (Array("notes 1.0\n".utf8), 0)
    case .new(let title, let text):
      let bytes =
        try text.map { Array("\($0)\n".utf8) } ?? StandardFile.input.contents(upTo: Note.longest)
      try folder.make()
      let name = FileName(title: title, ending: ".txt")
      try folder.file(name).create(bytes)
      return invocation.isJSON ? show(Note(name, in: folder).map { [$0] } ?? []) : ([], 0)
    case .list: return try show(notes())
    case .search(let text):
      let query = Query(text)
      return try show(notes().filter { $0.isFound(by: query) })
    case .show(let title):
      let found = try notes().first { $0.id.text == title || $0.title == title }
      guard let found, !invocation.isJSON else { return show(found.map { [$0] } ?? []) }
      return (try folder.file(found.id).contents(upTo: Note.longest).bytes, 0)
    case .app(script: nil): return ([], try runApp(in: folder, plain: invocation.isPlain))
    case .app(let file?):
      let script = try Script(String(decoding: SafeFile(file).contents().bytes, as: UTF8.self))
      return ([], try runApp(in: folder, script: script))
    }
  }

  private func notes() throws(FileError) -> [Note] {
    if invocation.folder == nil { try folder.make() }
    let file = folder.file(Settings.fileName)
    let settings = Settings((try? file.contents(upTo: Settings.longest))?.bytes ?? [])
    return try folder.names().compactMap { name in
      var note = Note(name, in: folder)
      note?.isPinned = settings.pinned.contains(name)
      return note
    }.sorted(by: settings.areInOrder)
  }

  private func show(_ notes: [Note]) -> (output: [UInt8], status: Int32) {
    let text =
      invocation.isJSON
      ? "[" + notes.map(Self.json).joined(separator: ",\n ") + "]\n"
      : notes.map { "\($0.title.printable)\n" }.joined()
    return (Array(text.utf8), notes.isEmpty ? 1 : 0)
  }

  private static func json(_ note: Note) -> String {
    """
    {"title": \(quoted(note.title)), "file": \(quoted(note.id.text)), "pinned": \(note.isPinned), \
    "modified": \(note.modified.components.seconds), "text": \(quoted(note.text))}
    """
  }

  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      // Includes characters that control a terminal or change the direction of text.
      case _ where scalar.isUnprintable:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
