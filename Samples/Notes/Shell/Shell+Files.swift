import Glibc
import Runnel
import RunnelText

/// The reason why a command of the shell did nothing.
struct NothingFound: Error, CustomStringConvertible {
  let description: String

  /// Creates an error with a message, and lines that follow it.
  init(_ message: String, _ lines: String = "") { description = message.printable + lines }
}

// Commands on one note. They look for its name, and open no other note.
extension Shell {
  /// Returns the name of the note with a file name or a title.
  func name(of title: String) throws -> FileName {
    if let name = try existingName(of: title) { return name }
    let similar = try names().first { FoldedText($0.stem).contains(FoldedText(title)) }
    let question = similar.map { " Did you mean \($0.stem)?" } ?? ""
    throw NothingFound("There is no note called \(title).\(question)")
  }

  private func names() throws -> [FileName] {
    if invocation.folder == nil { try folder.make() }
    return try folder.names(recursively: true).filter(Note.isName).sorted()
  }

  /// Returns the name of the note with a file name or a title; nil if there is none. If no note has
  /// exactly the title, case and accents are ignored. Throws if several notes have the title.
  private func existingName(of title: String) throws -> FileName? {
    if title.trimmed.isEmpty { throw Invocation.UsageError(message: "The title is empty.") }
    let (names, folded) = (try names(), FoldedText(title))
    let conditions: [(FileName) -> Bool] = [
      { $0.text == title }, { $0.stem == title }, { $0.lastComponent.stem == title },
      { FoldedText($0.text).bytes == folded.bytes }, { FoldedText($0.stem).bytes == folded.bytes },
      { FoldedText($0.lastComponent.stem).bytes == folded.bytes },
    ]
    let candidates = conditions.lazy.map { condition in names.filter(condition) }
    guard let found = candidates.first(where: { !$0.isEmpty }) else { return nil }
    if found.count == 1 { return found[0] }
    let files = found.map { "\n  \($0)" }.joined()
    throw NothingFound("Several notes are called \(title). Write the file name:", files)
  }

  func create(_ title: String, _ text: String?) throws -> Result {
    let template = try invocation.template.flatMap { try note("templates/" + $0) }
    if let problem = template?.problem { throw problem }
    let input = try template == nil ? input(text) : []
    let name = try newName(title, ending: template?.id.ending)
    let bytes = template.map { Array($0.text.filled(title: name.lastComponent.stem).utf8) } ?? input
    try folder.make()
    try folder.file(name).create(bytes)
    return invocation.isJSON ? show(Note(name, in: folder).map { [$0] } ?? []) : ([], 0)
  }

  /// Appends text to a note, which is created if it does not exist.
  func append(_ text: String?, to title: String) throws -> Result {
    let bytes = try input(text)
    var isText = true
    try folder.file(nameOrNew(title)).update(upTo: Note.longest) { old in
      isText = FileText(old).isValid
      guard isText else { return old }
      let isOpen = old.last.map { $0 != UInt8(ascii: "\n") } ?? false
      return old + (isOpen ? [UInt8(ascii: "\n")] : []) + bytes
    }
    if !isText { throw NothingFound("\(title) is not UTF-8, so nothing was appended.") }
    return ([], 0)
  }

  /// Replaces this process by the user's editor.
  func edit(_ title: String) throws -> Result {
    let command = ShellCommand.edit(try folder.file(nameOrNew(title)).path)
    signal(SIGXFSZ, SIG_DFL)
    // Safety: the array ends with nil. The strings live until another program replaces this one.
    execv("/bin/sh", (["sh"] + command.arguments).map { strdup($0) } + [nil])
    throw NothingFound("/bin/sh cannot be run.")
  }

  func remove(_ title: String) throws -> Result {
    _ = try Trash.home.put(folder.file(name(of: title)).path)
    return ([], 0)
  }

  /// Renames a note. It stays in its folder unless the new title names another one. Its pin, its conflict copies and the
  /// links to it follow.
  func move(_ title: String, to newTitle: String) throws -> Result {
    let old = try name(of: title)
    if newTitle.trimmed.isEmpty { throw Invocation.UsageError(message: "The new title is empty.") }
    let new = try newName(newTitle, in: old.folder, ending: old.ending)
    if new == old { return ([], 0) }
    let names = try names()
    let copies = names.filter { $0.original == old }
    let renamings = WikiLink.renamings(of: old.stem, to: new.stem, among: names.map(\.stem))
    let titles = Set(names.flatMap { [$0.stem, $0.lastComponent.stem] }.map(FoldedText.init))
    try folder.file(old).move(to: folder.file(new).path)
    for copy in copies {
      if let name = copy.copy(afterRenaming: new) {
        try? folder.file(copy).move(to: folder.file(name).path)
      }
    }
    let marks = renamings.map { FoldedText("[[\($0.old)") }
    for name in try self.names() {
      guard let note = Note(name, in: folder), note.contents.isValid,
        marks.contains(where: note.foldedText.contains)
      else { continue }
      // A note that cannot be written keeps its links.
      _ = try? folder.file(name).update(upTo: Note.longest) { bytes in
        let text = WikiLink.renaming(renamings, in: FileText(bytes).text) {
          titles.contains(FoldedText($0))
        }
        return FileText(bytes).bytes(for: text)
      }
    }
    if try settings().names(old) {
      try folder.file(Settings.fileName).update(upTo: Settings.longest) { bytes in
        var settings = Settings(bytes)
        settings.rename(old, to: new)
        return settings.bytes
      }
    }
    return ([], 0)
  }

  private func nameOrNew(_ title: String) throws -> FileName {
    try existingName(of: title) ?? newName(title)
  }

  /// Returns the name for a title, which may begin with the path of a subfolder that exists. Without
  /// one, the note is put into `place`.
  private func newName(
    _ title: String, in place: String = "", ending: String? = nil
  ) throws -> FileName {
    let ending = try ending ?? settings().ending
    let parts = title.split(separator: "/", omittingEmptySubsequences: false)
    let path = parts.dropLast().joined(separator: "/")
    let isPath = !"/\(path)/".contains(#/\/[.\/]/#) && Folder("\(folder.path)/\(path)").exists
    let last = isPath ? String(parts[parts.count - 1]) : title
    return FileName(noteTitled: last, in: isPath ? path : place, defaultEnding: ending)
  }

  private func input(_ text: String?) throws -> [UInt8] {
    let bytes =
      try text.map { Array("\($0)\n".utf8) } ?? StandardFile.input.contents(upTo: Note.longest)
    guard FileText(bytes).isValid else { throw NothingFound("The text is not UTF-8.") }
    return bytes
  }
}
