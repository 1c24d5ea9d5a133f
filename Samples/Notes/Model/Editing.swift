import Runnel
import RunnelDesk
import RunnelText
import Synchronization

// The whole text of a note is built only to save it. Names with modules allow another package, such as
// the benchmarks, to compile this file.
extension RunnelDesk.TextDocument: RunnelFiles.DraftText {}

/// The result of a deletion: the note's file in the trash, once it has been moved there.
final class DeletionResult: Sendable { let file = Mutex<TrashedFile?>(nil) }

/// A rename, a deletion or an added text, which can be undone.
struct Undoable {
  enum Action {
    /// A rename, with the changes of links.
    case rename(from: Note.ID, links: [NoteFolder.LinkChange])
    case delete(DeletionResult)
    /// Text that was added at the end.
    case append(String)
  }

  /// The current name of the note, or the last name of a deleted one.
  var note: Note.ID
  let action: Action

  var deletion: DeletionResult? {
    if case .delete(let deletion) = action { deletion } else { nil }
  }
}

// MARK: - Editing and saving

extension NoteFolder {
  /// The text of a note as it was typed last, saved or not.
  func text(of id: Note.ID) -> String { drafts[id]?.text ?? self[id]?.text ?? "" }

  /// The text of a note as a document. Reading the document of an edited note takes constant time.
  func document(of id: Note.ID) -> TextDocument {
    drafts[id]?.contents as? TextDocument ?? TextDocument(text(of: id))
  }

  /// Returns true if a document has the text of a note as it was typed last.
  func isDocument(_ document: TextDocument, of id: Note.ID) -> Bool {
    (drafts[id]?.contents as? TextDocument).map { $0 == document } ?? document.hasText(text(of: id))
  }

  /// Replaces the text of a note. It is saved after a delay. A note that has been deleted in the
  /// meantime is created again.
  func edit(_ id: Note.ID, _ text: some DraftText, isUndo: Bool = false) {
    set(text, of: id)
    // Undoing the text must not prevent that commands are done again.
    if !isUndo { history.madeOtherChange() }
  }

  /// Adds text at the end of a note, which can be undone.
  func append(_ added: String, to id: Note.ID) {
    guard self[id]?.isReadOnly == false else { return }
    history.add(Undoable(note: id, action: .append(added)))
    set(text(of: id) + added, of: id)
  }

  func set(_ text: some DraftText, of id: Note.ID) {
    let note = self[id]
    guard note?.isReadOnly != true else { return }
    drafts.edit(id, text, of: note?.contents.bytes)
    if note == nil { files.put(Note(id, FileText([]), modified: .sinceEpoch), as: id) }
  }

  /// Saves all changes, and returns when all file operations are complete.
  func flush() async {
    save()
    await files.idle().completion()
  }

  func save() {
    drafts.save()
    settingsFile.save()
  }

  /// The files with unsaved changes, including changes whose saving has not been tried yet.
  var unsavedFiles: [UnsavedFile] {
    let deleted = pendingDeletions.map {
      UnsavedFile($0.name, bytes: $0.bytes, problem: $0.problem)
    }
    return drafts.unsavedFiles + deleted + (settingsFile.unsavedFile.map { [$0] } ?? [])
  }

  /// The errors of failed saves: those of notes, then that of the settings.
  var saveProblems: [Problem] {
    let notes = drafts.all.map { ($0.name as Note.ID?, $0.problem) }
    let all = notes + [(nil, settingsFile.isSaved ? nil : settingsFile.problem.value)]
    return all.compactMap { id, error in error.map { Problem(note: id, error: $0) } }
  }

  func report(_ save: Drafts<Note>.Save) {
    bus.publish(NoteSaved(id: save.name))
    guard case .conflict(let path) = save.outcome else { return }
    let copy = files.name(ofPath: path)
    bus.publish(NoteConflict(id: save.name, copy: copy))
    files.reload(copy)
  }

  // MARK: - Creating, renaming, deleting

  /// Creates a note, in the subfolder with whose path the title begins, if any. If the title is taken, a
  /// number is appended to it.
  func create(_ title: String, from template: Note? = nil) -> Note.ID {
    let folder = subfolders.last { title.hasPrefix($0 + "/") } ?? ""
    let last = folder.isEmpty ? title : String(title.dropFirst(folder.count + 1))
    let id = unusedName(last, in: folder, ending: template?.id.ending ?? settings.value.ending)
    files.put(Note(id, FileText([]), modified: .sinceEpoch), as: id)
    drafts.edit(
      id, template.map { text(of: $0.id).filled(title: id.lastComponent.stem) } ?? "", of: nil)
    drafts.save()
    return id
  }

  private func unusedName(_ title: String, in folder: String = "", ending: String) -> Note.ID {
    var number = 1
    var id: Note.ID {
      FileName(noteTitled: title, in: folder, number: number, defaultEnding: ending)
    }
    while isTaken(id) || hasTwin(id) { number += 1 }
    return id
  }

  /// The length of the longest title that a line gives, in characters.
  private static let longestTitle = 60

  /// Names a new note after a line of its text, without the marks of a heading. A long line gives its
  /// first words. If the title is taken, a number is appended to it.
  func name(_ id: Note.ID, after line: String) {
    let title = line.trimmingPrefix(#/[#>*+\-\s]*(\[[ xX]\]\s)?/#)
      .filter { $0 != "*" && $0 != "`" }.firstWords(upTo: Self.longestTitle)
    let isNamedSo = FileName(noteTitled: title, defaultEnding: id.ending) == id
    if !title.isEmpty && !isNamedSo { try? move(id, to: unusedName(title, ending: id.ending)) }
  }

  /// Renames a note within its folder, changes the links to it, and returns its new file name.
  @discardableResult
  func rename(_ id: Note.ID, to title: String) throws(TitleError) -> Note.ID {
    if title.trimmed.isEmpty { throw .empty }
    let new = FileName(noteTitled: title, in: id.folder, defaultEnding: id.ending)
    if title.trimmed == id.lastComponent.stem { return id }
    try rename(id, to: new)
    return new
  }

  /// Moves a note to a subfolder, which is created if it does not exist. An empty path is the folder
  /// itself. Returns false if the note is there already.
  @discardableResult
  func move(_ id: Note.ID, toFolder path: String) throws(TitleError) -> Bool {
    let parts = path.split(separator: "/").map { String($0).trimmed }.filter { !$0.isEmpty }
    if parts.contains("..") { throw .outside }
    let names = parts.map { FileName(title: $0, ending: "").text }
    let plain = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    let folder = Folder(files.folder.file(plain).path).exists ? plain : names.joined(separator: "/")
    let new = id.lastComponent.inside(folder)
    try rename(id, to: new)
    return new != id
  }

  private func rename(_ id: Note.ID, to new: Note.ID) throws(TitleError) {
    if new == id { return }
    let renamings = WikiLink.renamings(of: id.stem, to: new.stem, among: stems)
    try moveWithCopies(id, to: new)
    let links = change(renamings, to: new, in: notes.map(\.id))
    history.add(Undoable(note: new, action: .rename(from: id, links: links)))
  }

  /// The paths of the subfolders, in the order of the alphabet.
  var subfolders: [String] { ((try? files.folder.subfolders()) ?? []).map(\.text).sorted() }

  /// Returns true if another note in the same folder has the same title, with another ending.
  func hasTwin(_ id: Note.ID) -> Bool {
    Note.endings.contains { $0 != id.ending && self[FileName(id.stem + $0)] != nil }
  }

  /// The conflict copies of a note.
  func copies(of id: Note.ID) -> [Note.ID] { notes.map(\.id).filter { $0.original == id } }

  /// Moves a note and its conflict copies. A copy stays if another note has its new name.
  private func moveWithCopies(_ id: Note.ID, to new: Note.ID) throws(TitleError) {
    try move(id, to: new)
    for copy in copies(of: id) {
      if let name = copy.copy(afterRenaming: new) { try? move(copy, to: name) }
    }
  }

  /// The paths of all notes without their endings.
  private var stems: some Sequence<String> { notes.lazy.map(\.id.stem) }

  /// Returns true if a note has a name, in any case: links and commands ignore it, and so do other systems.
  private func isTaken(_ name: Note.ID, except id: Note.ID? = nil) -> Bool {
    let (count, folded) = (name.text.utf8.count, name.text.lowercased())
    return notes.contains {
      $0.id.text.utf8.count == count && $0.id != id && $0.id.text.lowercased() == folded
    }
  }

  private func move(_ id: Note.ID, to new: Note.ID) throws(TitleError) {
    if self[id] == nil { throw .missing(id) }
    if isTaken(new, except: id) { throw .taken(new) }
    drafts.move(id, to: new) { [weak self] outcome in
      guard let self, case .failure(let error) = outcome else { return }
      reportProblem(error, about: new)
      switch error {
      // The file has the new name, or never had the old one.
      case .unconfirmed, .missing: return
      default: break
      }
      // Another note may have taken the old name.
      if self[id] == nil { follow(new, to: id) }
      let renamings = WikiLink.renamings(of: new.stem, to: id.stem, among: [new.stem])
      _ = change(renamings, to: id, in: notes.map(\.id))
      history.removeAll { $0.note == id && $0.deletion == nil }
    }
    follow(id, to: new)
  }

  /// Applies a file's rename to the note, its draft, its undo actions and its pin.
  func follow(_ old: Note.ID, to new: Note.ID) {
    guard let note = self[old] else { return }
    bus.publish(NoteRenamed(old: old, new: new))
    drafts.rename(old, to: new)
    history.update { if $0.deletion == nil && $0.note == old { $0.note = new } }
    files.items.batch {
      files.put(note.renamed(new), as: new)
      files.put(nil, as: old)
    }
    // The pin follows after the batch, when the list contains the new name and no longer the old
    // one.
    guard settings.value.names(old) else { return }
    settingsFile.mutate { $0.rename(old, to: new) }
  }

  func setPinned(_ isPinned: Bool, of id: Note.ID) {
    settingsFile.mutate { settings in
      if isPinned { settings.pinned.insert(id) } else { settings.pinned.remove(id) }
    }
  }

  /// Moves a note to the trash, including its unsaved text.
  func delete(_ id: Note.ID) {
    guard let deletion = discard(id) else { return }
    history.add(Undoable(note: id, action: .delete(deletion)))
  }

  /// Moves a note to the trash, which cannot be undone. Returns nil if there is no such note.
  @discardableResult
  func discard(_ id: Note.ID) -> DeletionResult? {
    guard let note = self[id] else { return nil }
    let (trash, deletion, draft) = (trash, DeletionResult(), drafts.remove(id))
    let (contents, edit) = (draft?.contents, draft?.edit)
    files.put(nil, as: id)
    if let draft { pendingDeletions.append(draft) }
    files.perform(changing: [id]) { folder throws(FileError) in
      if let contents { _ = try edit?.save(contents.text, to: folder.file(id)) }
      let file = try trash.put(folder.file(id).path)
      deletion.file.withLock { $0 = file }
    } then: { [weak self] outcome in
      self?.pendingDeletions.removeAll { $0 === draft }
      guard let self, case .failure(let error) = outcome else { return }
      history.removeAll { $0.deletion === deletion }
      reportProblem(error, about: id)
      // Another note may have taken the name.
      let name = draft.map { drafts.putBack($0) } ?? id
      if draft != nil || drafts[id] == nil { files.put(note.renamed(name), as: name) }
    }
    return deletion
  }

  // MARK: - Undoing

  /// Undoes the last command, or the last one of a note. Returns false if there is nothing to undo.
  ///
  /// The bus publishes ``Undone`` when a deleted note is back. A rename is announced before its file
  /// has moved.
  @discardableResult
  func undo(in id: Note.ID? = nil) -> Bool {
    history.undo(
      where: { canUndo($0) && (id == nil || id == $0.note && $0.deletion == nil) }, revert)
  }

  /// Undoes the last command if no other change was made since.
  func undoRecent() -> Bool { history.undoRecent(where: canUndo, revert) }

  private func canUndo(_ undoable: Undoable) -> Bool {
    switch undoable.action {
    case .delete: true
    case .rename: self[undoable.note] != nil
    // The text may have been changed since, or the editor has undone it.
    case .append(let added):
      self[undoable.note]?.isReadOnly == false && text(of: undoable.note).hasSuffix(added)
    }
  }

  /// Performs the command again that was undone last. Returns false if there is none.
  func redo() -> Bool { history.redo(repeatAction) }

  /// Performs an action again. Returns false, and reports why, if it cannot.
  private func repeatAction(_ undoable: Undoable) -> Bool {
    switch undoable.action {
    case .rename(let old, _):
      do { try rename(old, to: undoable.note) } catch { reportProblem(error, about: old) }
      return self[old] == nil
    case .delete: delete(undoable.note)
    case .append(let added): append(added, to: undoable.note)
    }
    return true
  }

  /// Reverts an action. Returns false, and reports why, if it cannot.
  private func revert(_ undoable: Undoable) -> Bool {
    switch undoable.action {
    case .rename(let old, let links):
      do throws(TitleError) {
        let renamings = WikiLink.renamings(of: undoable.note.stem, to: old.stem, among: stems)
        try moveWithCopies(undoable.note, to: old)
        for link in links {
          // A note may have a link to itself.
          let id = link.note == undoable.note ? old : link.note
          let isSame = self[id] != nil && text(of: id) == link.new
          if isSame { set(link.old, of: id) } else { _ = change(renamings, to: old, in: [id]) }
        }
        let what = undoable.note.folder == old.folder ? "renaming" : "moving"
        let message = "Undid \(what). The note is called \(old.stem) again."
        bus.publish(Undone(note: old, message: message))
      } catch {
        history.putBack(undoable)
        reportProblem(error)
        return false
      }
    case .append(let added):
      set(String(text(of: undoable.note).dropLast(added.count)), of: undoable.note)
      bus.publish(
        Undone(note: undoable.note, message: "Undid the change of \(undoable.note.stem)."))
    case .delete(let deletion):
      files.perform(changing: [undoable.note]) { [trash] _ throws(FileError) in
        guard let file = deletion.file.withLock({ $0 }) else { return false }
        try trash.restore(file)
        return true
      } then: { [weak self] outcome in
        switch outcome {
        case .success(true):
          let message = "Undid deleting. \(undoable.note.stem) is back."
          self?.bus.publish(Undone(note: undoable.note, message: message))
        // The deletion failed, and the error was reported then.
        case .success(false): break
        case .failure(let error):
          // An unconfirmed move has happened. Another failed action is tried again after all
          // others.
          if case .unconfirmed = error {
          } else {
            self?.history.putBack(undoable) { $0.deletion === deletion }
          }
          self?.reportProblem(error, about: undoable.note)
        }
      }
    }
    return true
  }
}
