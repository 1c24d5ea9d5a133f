import Glibc
import Runnel
import RunnelDesk
import RunnelText

/// The commands for use in shell scripts, which write to standard output and exit.
struct Shell {
  typealias Result = (output: [UInt8], status: Int32)

  let invocation: Invocation

  let folder: Folder

  private var help: String { String(decoding: PackageResources.Help_txt, as: UTF8.self) }

  /// Creates the shell for an invocation. The folder defaults to `~/Notes`.
  init(invocation: Invocation) throws(Invocation.UsageError) {
    self.invocation = invocation
    // Safety: both give the address of a string that ends with zero, or nil.
    let path = getenv("HOME") ?? getpwuid(getuid())?.pointee.pw_dir
    let home = try path.map { home throws(Invocation.UsageError) in
      try Invocation.text(home, "The path of the home (HOME)")
    }
    folder = Folder(invocation.folder ?? (home ?? ".") + "/Notes")
  }

  /// Runs the command. Returns its output and exit status.
  @MainActor
  func run() throws -> Result {
    switch invocation.command {
    case .help: return (Array(help.utf8), 0)
    case .version: return (Array("notes 1.0\n".utf8), 0)
    case .manual: return (Array(ManualPage("notes", help: help).text.utf8), 0)
    case .completions(.bash): return (PackageResources.notes_bash, 0)
    case .completions(.zsh): return (PackageResources.notes_zsh, 0)
    case .completions(.fish): return (PackageResources.notes_fish, 0)
    case .new(let title, let text): return try create(title, text)
    case .append(let title, let text): return try append(text, to: title)
    case .edit(let title): return try edit(title)
    case .remove(let title): return try remove(title)
    case .move(let title, let newTitle): return try move(title, to: newTitle)
    case .list: return show(try notes())
    case .search(let text, let title): return try search(text, in: title)
    case .show(let title):
      if invocation.isJSON { return show(try note(title).map { [$0] } ?? []) }
      return (try folder.file(name(of: title)).contents(upTo: Note.longest).bytes, 0)
    case .open(let title):
      let name = try name(of: title)
      return ([], try runApp(in: folder, on: invocation.display, script: nil, opening: name))
    case .searchProvider: return ([], try NoteProvider.serve(folder))
    case .app(let file):
      let text = try file.map { String(decoding: try SafeFile($0).contents().bytes, as: UTF8.self) }
      let script = try text.map { try Script($0) }
      return ([], try runApp(in: folder, on: invocation.display, script: script))
    }
  }

  /// The settings of the folder. The default folder is created on first use.
  func settings() throws(FileError) -> Settings {
    if invocation.folder == nil { try folder.make() }
    let file = folder.file(Settings.fileName)
    return Settings((try? file.contents(upTo: Settings.longest))?.bytes ?? [])
  }

  /// Reads all notes.
  private func notes() throws(FileError) -> [Note] {
    let settings = try settings()
    return try folder.names(recursively: true).compactMap { read($0, settings) }.sorted(
      by: settings.areInOrder)
  }

  private func read(_ name: FileName, _ settings: Settings) -> Note? {
    var note = Note(name, in: folder)
    note?.isPinned = settings.pinned.contains(name)
    return note
  }

  /// Reads one note. The others are not opened.
  func note(_ title: String) throws -> Note? {
    let settings = try settings()
    return try read(name(of: title), settings)
  }

  private func search(_ text: String, in title: String?) throws -> Result {
    let query = SearchQuery(text)
    if query.isEmpty { throw Invocation.UsageError(message: "search needs a word.") }
    let notes = try title.map { try note($0).map { [$0] } ?? [] } ?? notes()
    let found = notes.filter { $0.isFound(by: query) }
    if found.isEmpty && !invocation.isJSON { throw NothingFound("No note contains \(text).") }
    return invocation.showsLines ? showLines(of: found, query) : show(found)
  }

  func show(_ notes: [Note]) -> Result {
    let text =
      invocation.isJSON
      ? "[" + notes.map(Self.json).joined(separator: ",\n ") + "]\n"
      : notes.map { "\($0.id.stem.printable)\n" }.joined()
    return (Array(text.utf8), notes.isEmpty ? 1 : 0)
  }

  /// Writes the lines with a hit, with their numbers.
  private func showLines(of notes: [Note], _ query: SearchQuery) -> Result {
    let lines = notes.flatMap { note in
      note.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .filter { !query.hits(in: String($1)).isEmpty }.map { (note, $0 + 1, String($1)) }
    }
    let json = lines.map { note, number, line in
      "{\"title\": \(note.title.quotedAsJSON), \"line\": \(number), \"text\": \(line.quotedAsJSON)}"
    }
    let text =
      invocation.isJSON
      ? "[" + json.joined(separator: ",\n ") + "]\n"
      : lines.map { "\($0.id.stem.printable):\($1): \($2.printable)\n" }.joined()
    return (Array(text.utf8), lines.isEmpty ? 1 : 0)
  }

  private static func json(_ note: Note) -> String {
    """
    {"title": \(note.title.quotedAsJSON), "file": \(note.id.text.quotedAsJSON), "pinned": \(note.isPinned), \
    "modified": \(note.modified.components.seconds), "text": \(note.text.quotedAsJSON)}
    """
  }
}
