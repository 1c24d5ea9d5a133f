import Glibc
import Runnel
import Synchronization

/// What was typed into a note and is not saved yet.
@MainActor
final class Draft {
  var id: Note.ID
  var text: String {
    didSet {
      isQueued = false
      edition += 1
    }
  }
  /// Counts the texts.
  private(set) var edition = 0
  /// Whether the text is about to be saved.
  var isQueued = false
  /// Why it could not be saved, when that was tried last.
  var problem: FileError?
  let edit: FileEdit

  /// A draft of what is in a file; nil where there is none yet.
  init(_ id: Note.ID, of bytes: [UInt8]?, text: String) {
    self.id = id
    self.text = text
    edit = FileEdit(of: bytes)
  }
}

/// Where a deleted note is, as soon as it is there.
final class Deletion: Sendable {
  let file = Mutex<TrashedFile?>(nil)
}

// MARK: - Editing and saving

extension Duration {
  /// The time since the beginning of 1970.
  fileprivate static var now: Duration { .seconds(time(nil)) }
}

extension NoteFolder {
  /// The text of a note as it was typed last, saved or not.
  func text(of id: Note.ID) -> String { drafts[id]?.text ?? self[id]?.text ?? "" }

  /// Takes over what was typed. It is saved a little later. A note that is gone meanwhile is made anew.
  func edit(_ id: Note.ID, _ text: String) {
    let note = self[id]
    guard note?.isReadOnly != true else { return }
    let draft = drafts[id] ?? Draft(id, of: note?.contents.bytes, text: text)
    draft.text = text
    drafts[id] = draft
    if note == nil { files.put(Note(id, FileText([]), modified: .now), as: id) }
    edits.next(())
  }

  /// Saves all that is not saved yet, and returns when all is done with files that is to be done.
  func flush() async {
    save()
    await files.idle().completion()
  }

  /// Begins to save all that is not saved yet.
  func save() {
    for draft in drafts.values where !draft.isQueued { save(draft) }
  }

  private func save(_ draft: Draft) {
    draft.isQueued = true
    let (id, text, edit, edition) = (draft.id, draft.text, draft.edit, draft.edition)
    files.perform(changing: [id]) { folder throws(FileError) in
      let outcome = try edit.save(text, to: folder.file(id))
      return (outcome: outcome, note: Note(id, in: folder))
    } then: { [weak self] outcome in
      switch outcome {
      case .success(let saved): self?.saved(draft, edition, as: id, saved.note, saved.outcome)
      case .failure(let error): self?.failed(draft, error)
      }
    }
  }

  private func saved(
    _ draft: Draft, _ edition: Int, as id: Note.ID, _ note: Note?, _ outcome: SafeFile.Outcome?
  ) {
    draft.problem = nil
    // It was renamed meanwhile, and the file may not have been.
    if draft.id != id { draft.isQueued = false }
    if drafts[draft.id] === draft {
      let isAll = draft.id == id && draft.edition == edition
      drafts[draft.id] = isAll ? nil : draft
      // Nothing was typed meanwhile: what is in the file is what there is to show from now on.
      if isAll { files.put(note, as: id) }
    }
    report(outcome, of: id)
  }

  /// Keeps a draft that could not be saved, for another try.
  private func failed(_ draft: Draft, _ error: FileError) {
    draft.isQueued = false
    if draft.problem != error { tell(error, about: draft.id) }
    draft.problem = error
    if drafts[draft.id] === draft { drafts[draft.id] = draft }
    failures.next(())
  }

  private func report(_ saved: SafeFile.Outcome?, of id: Note.ID) {
    guard let saved else { return }
    bus.publish(NoteSaved(id: id))
    guard case .conflict(let copy) = saved, let name = copy.split(separator: "/").last else {
      return
    }
    bus.publish(NoteConflict(id: id, copy: String(name)))
    files.reload(String(name))
  }

  /// Does something with files, and tells if that fails.
  private func perform(
    changing names: [Note.ID], _ work: @escaping @Sendable (Folder) throws(FileError) -> Void,
    failed: @escaping () -> Void = {}
  ) {
    files.perform(changing: names, work) { [weak self] outcome in
      guard case .failure(let error) = outcome else { return }
      failed()
      self?.tell(error, about: names.last)
    }
  }

  // MARK: - Creating, renaming, deleting

  /// Makes a note, with a number in its title if there is one of that title.
  func create(_ title: String) -> Note.ID {
    var number = 1
    while self[Note.name(title, number: number)] != nil { number += 1 }
    let id = Note.name(title, number: number)
    files.put(Note(id, FileText([]), modified: .now), as: id)
    let draft = Draft(id, of: nil, text: "")
    drafts[id] = draft
    save(draft)
    return id
  }

  /// Gives a note another title, and returns its new name.
  @discardableResult
  func rename(_ id: Note.ID, to title: String) throws(FileError) -> Note.ID {
    let new = Note.name(title, like: id)
    guard new != id, let note = self[id] else { return id }
    if self[new] != nil { throw .exists(files.folder.file(new).path) }
    // The file goes first: what is typed is saved to where it is then.
    perform(changing: [id, new]) { folder throws(FileError) in
      try folder.file(id).move(to: folder.file(new).path)
    } failed: { [weak self] in
      self?.carry(new, to: id)
      self?.files.put(note, as: id)
    }
    carry(id, to: new)
    files.items.batch {
      files.put(note.renamed(new), as: new)
      files.put(nil, as: id)
    }
    undos.append { [weak self] in
      guard let self else { return }
      // To take it back is nothing to take back.
      let count = undos.count
      _ = try? rename(new, to: Note.title(of: id))
      undos.removeLast(undos.count - count)
    }
    return new
  }

  /// Moves what is known of a note besides its file to another name.
  private func carry(_ old: Note.ID, to new: Note.ID) {
    if let draft = drafts.removeValue(forKey: old) {
      draft.id = new
      drafts[new] = draft
    }
    guard settings.value.pinned.contains(old) else { return }
    settings.mutate {
      $0.pinned.remove(old)
      $0.pinned.insert(new)
    }
  }

  func pin(_ id: Note.ID, _ isPinned: Bool) {
    settings.mutate { settings in
      if isPinned { settings.pinned.insert(id) } else { settings.pinned.remove(id) }
    }
  }

  /// Moves a note to the trash, with all that was typed into it.
  func delete(_ id: Note.ID) {
    guard let note = self[id] else { return }
    let (trash, deletion, draft) = (trash, Deletion(), drafts.removeValue(forKey: id))
    let (text, edit) = (draft?.text, draft?.edit)
    files.put(nil, as: id)
    perform(changing: [id]) { folder throws(FileError) in
      if let text { _ = try edit?.save(text, to: folder.file(id)) }
      let file = try trash.put(folder.file(id).path)
      deletion.file.withLock { $0 = file }
    } failed: { [weak self] in
      // Another note may go by its name by now.
      guard let self, drafts[id] == nil else { return }
      draft?.isQueued = false
      drafts[id] = draft
      files.put(note, as: id)
      failures.next(())
    }
    undos.append { [weak self] in
      self?.perform(changing: [id]) { _ throws(FileError) in
        if let file = deletion.file.withLock({ $0 }) { try trash.restore(file) }
      }
    }
  }

  /// Takes back what was done last: a note deleted or renamed.
  func undo() { undos.popLast()?() }
}
