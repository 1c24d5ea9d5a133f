import Glibc
import Runnel
import Synchronization

/// What was typed into a note and is not saved yet.
@MainActor
final class Draft {
  var id: Note.ID
  /// What is in the file, as far as the app knows; nil where there is none yet.
  var base: [UInt8]?
  var text: String { didSet { edition += 1 } }
  /// Counts the texts, and says which one was saved last, or could not be.
  private(set) var edition = 0
  var tried: Int?
  var isSaving = false
  /// Where the note goes when what was typed is saved, if it was deleted meanwhile.
  var deletion: Deletion?

  init(_ id: Note.ID, base: [UInt8]?, text: String) {
    self.id = id
    self.base = base
    self.text = text
  }
}

/// What has come of saving a draft.
private struct Saved: Sendable {
  let bytes: [UInt8]
  /// Nil where there was nothing to save.
  var outcome: SafeFile.Outcome?
  /// What is in the file since.
  let note: Note?
  var problem: FileError?
}

/// Where a deleted note is, which is known on the thread of the files.
final class Deletion: Sendable {
  let file = Mutex<TrashedFile?>(nil)
}

// MARK: - Editing and saving

extension NoteFolder {
  /// The text of a note as it was typed last, saved or not.
  func text(of id: Note.ID) -> String { drafts[id]?.text ?? self[id]?.text ?? "" }

  /// Takes over what was typed. It is saved a little later.
  func edit(_ id: Note.ID, _ text: String) {
    guard let note = self[id], !note.isReadOnly else { return }
    if let draft = drafts[id] {
      draft.text = text
    } else {
      drafts[id] = Draft(id, base: note.contents.bytes, text: text)
    }
    edits.next(())
  }

  /// Begins to save all that is not saved yet.
  func save() {
    for draft in drafts.values { begin(draft) }
  }

  /// Saves all that is not saved yet, and returns when everything is done with files that is to be.
  func flush() async {
    repeat {
      save()
      _ = await EventStream.perform(on: disk) {}.first()
    } while drafts.values.contains { $0.tried != $0.edition }
  }

  private func begin(_ draft: Draft) {
    guard !draft.isSaving else { return }
    draft.isSaving = true
    draft.tried = draft.edition
    let (id, base, text) = (draft.id, draft.base, draft.text)
    onDisk { folder throws(FileError) in
      let bytes = NoteText(base ?? []).bytes(for: text)
      do throws(FileError) {
        let outcome = bytes == base ? nil : try folder.file(id).save(bytes, over: base ?? [])
        return Saved(bytes: bytes, outcome: outcome, note: Note(id, in: folder))
      } catch .unconfirmed(let path) {
        return Saved(bytes: bytes, note: Note(id, in: folder), problem: .unconfirmed(path))
      }
    } then: { notes, outcome in
      notes.end(draft, outcome)
    }
  }

  private func end(_ draft: Draft, _ outcome: Result<Saved, FileError>) {
    draft.isSaving = false
    switch outcome {
    case .success(let saved):
      draft.base = saved.bytes
      if draft.tried == draft.edition { settle(draft, saved.note) }
      if let problem = saved.problem { tell(problem, about: draft.id) }
      if saved.outcome != nil { bus.publish(NoteSaved(id: draft.id)) }
      guard case .conflict(let copy) = saved.outcome else { return }
      bus.publish(NoteConflict(id: draft.id, copy: name(of: copy)))
      reload(name(of: copy))
    case .failure(let error):
      tell(error, about: draft.id)
      if draft.deletion != nil { settle(draft, nil) }
    }
  }

  /// Lets go of a draft that is in the file.
  private func settle(_ draft: Draft, _ note: Note?) {
    drafts[draft.id] = nil
    if let deletion = draft.deletion {
      throwAway(draft.id, deletion)
    } else if let note, note.id == draft.id {
      change(draft.id, to: note)
    } else {
      reload(draft.id)
    }
  }

  // MARK: - Creating, renaming, deleting

  /// Makes a note, with a number in its title if there is one of that title.
  func create(_ title: String) -> Note.ID {
    var id = Note.name(title)
    var number = 2
    while self[id] != nil {
      id = Note.name("\(title) \(number)")
      number += 1
    }
    change(id, to: Note(id, NoteText([]), modified: .seconds(time(nil))))
    let draft = Draft(id, base: nil, text: "")
    drafts[id] = draft
    begin(draft)
    return id
  }

  /// Gives a note another title, and returns its new name.
  @discardableResult
  func rename(_ id: Note.ID, to title: String) throws(FileError) -> Note.ID {
    let new = Note.name(title, like: id)
    guard new != id else { return id }
    if self[new] != nil { throw .exists(folder.file(new).path) }
    carry(id, to: new)
    undos.append { [weak self] in
      _ = try? self?.rename(new, to: Note.title(of: id))
      _ = self?.undos.popLast()
    }
    onDisk { folder throws(FileError) in
      try folder.file(id).move(to: folder.file(new).path)
    } then: { notes, outcome in
      guard case .failure(let error) = outcome else { return }
      notes.tell(error, about: new)
      notes.carry(new, to: id)
      notes.reload(id)
      notes.reload(new)
    }
    return new
  }

  /// Moves all that is known of a note to another name.
  func carry(_ old: Note.ID, to new: Note.ID) {
    guard let note = self[old] else { return }
    if let draft = drafts.removeValue(forKey: old) {
      draft.id = new
      drafts[new] = draft
    }
    notes.batch {
      change(old, to: nil)
      change(new, to: note.renamed(new))
    }
    if note.isPinned { setPinned([old: false, new: true]) }
  }

  func pin(_ id: Note.ID, _ isPinned: Bool) { setPinned([id: isPinned]) }

  private func setPinned(_ pins: [Note.ID: Bool]) {
    settings.mutate { settings in
      for (id, isPinned) in pins {
        if isPinned { settings.pinned.insert(id) } else { settings.pinned.remove(id) }
      }
    }
  }

  /// Moves a note to the trash, with all that was typed into it.
  func delete(_ id: Note.ID) {
    guard self[id] != nil else { return }
    change(id, to: nil)
    let deletion = Deletion()
    if let draft = drafts[id] {
      draft.deletion = deletion
      begin(draft)
    } else {
      throwAway(id, deletion)
    }
    undos.append { [weak self] in self?.bringBack(id, deletion) }
  }

  private func throwAway(_ id: Note.ID, _ deletion: Deletion) {
    let trash = trash
    onDisk { folder throws(FileError) in
      let file = try trash.put(folder.file(id).path)
      deletion.file.withLock { $0 = file }
    } then: { notes, outcome in
      guard case .failure(let error) = outcome else { return }
      notes.tell(error, about: id)
      notes.reload(id)
    }
  }

  private func bringBack(_ id: Note.ID, _ deletion: Deletion) {
    if let draft = drafts[id], draft.deletion === deletion { return draft.deletion = nil }
    let trash = trash
    onDisk { _ throws(FileError) in
      if let file = deletion.file.withLock({ $0 }) { try trash.restore(file) }
    } then: { notes, outcome in
      if case .failure(let error) = outcome { notes.tell(error, about: id) }
      notes.reload(id)
    }
  }

  /// Takes back what was done last: a note deleted or renamed.
  func undo() { undos.popLast()?() }
}
