import Glibc
import Runnel
import Synchronization

/// Where a deleted note is, as soon as it is there.
final class Deletion: Sendable {
  let file = Mutex<TrashedFile?>(nil)
}

extension Duration {
  /// The time since the beginning of 1970.
  fileprivate static var now: Duration { .seconds(time(nil)) }
}

// MARK: - Editing and saving

extension NoteFolder {
  /// The text of a note as it was typed last, saved or not.
  func text(of id: Note.ID) -> String { drafts[id]?.text ?? self[id]?.text ?? "" }

  /// Takes over what was typed. It is saved a little later. A note that is gone meanwhile is made anew.
  func edit(_ id: Note.ID, _ text: String) {
    let note = self[id]
    guard note?.isReadOnly != true else { return }
    drafts.edit(id, text, of: note?.contents.bytes)
    if note == nil { files.put(Note(id, FileText([]), modified: .now), as: id) }
  }

  /// Saves all that is not saved yet, and returns when all is done with files that is to be done.
  func flush() async {
    save()
    await files.idle().completion()
  }

  func save() {
    drafts.save()
    settingsFile.save()
  }

  /// What is not saved yet, whether that was tried or not.
  var unsavedFiles: [UnsavedFile] {
    let leaving = leaving.map { UnsavedFile($0.name, bytes: $0.bytes, problem: $0.problem) }
    return drafts.unsavedFiles + leaving + (settingsFile.unsavedFile.map { [$0] } ?? [])
  }

  /// What could not be saved when that was tried last: notes, and then the settings.
  var unsaved: [Problem] {
    let notes = drafts.all.map { ($0.name as Note.ID?, $0.problem) }
    let all = notes + [(nil, settingsFile.isSaved ? nil : settingsFile.problem.value)]
    return all.compactMap { id, error in error.map { Problem(note: id, error: $0) } }
  }

  func report(_ save: Drafts<Note>.Save) {
    bus.publish(NoteSaved(id: save.name))
    guard case .conflict(let path) = save.outcome else { return }
    let copy = FileName(ofPath: path)
    bus.publish(NoteConflict(id: save.name, copy: copy))
    files.reload(copy)
  }

  // MARK: - Creating, renaming, deleting

  /// Makes a note, with a number in its title if there is one of that title.
  func create(_ title: String) -> Note.ID {
    var number = 1
    var id: Note.ID { FileName(title: title, number: number, ending: ".txt") }
    while self[id] != nil { number += 1 }
    files.put(Note(id, FileText([]), modified: .now), as: id)
    drafts.edit(id, "", of: nil)
    drafts.save()
    return id
  }

  /// Gives a note another title, and returns its new name.
  @discardableResult
  func rename(_ id: Note.ID, to title: String) throws(FileError) -> Note.ID {
    let new = FileName(title: title, ending: id.ending)
    guard new != id, self[id] != nil else { return id }
    if self[new] != nil { throw .exists("\(new)") }
    drafts.move(id, to: new) { [weak self] outcome in
      guard let self, case .failure(let error) = outcome else { return }
      tell(error, about: new)
      switch error {
      // It has the new name, or had it all the time.
      case .unconfirmed, .missing: return
      default: break
      }
      // Another note may go by its name by now.
      if self[id] == nil { follow(new, to: id) }
    }
    follow(id, to: new)
    undos.append { [weak self] in
      guard let self else { return }
      // To take it back is nothing to take back.
      let count = undos.count
      _ = try? rename(new, to: id.stem)
      undos.removeLast(undos.count - count)
    }
    return new
  }

  /// Moves all that is known of a note to the name that its file has now.
  func follow(_ old: Note.ID, to new: Note.ID) {
    guard let note = self[old] else { return }
    bus.publish(NoteRenamed(old: old, new: new))
    drafts.rename(old, to: new)
    if settings.value.pinned.contains(old) {
      settingsFile.mutate {
        $0.pinned.remove(old)
        $0.pinned.insert(new)
      }
    }
    files.items.batch {
      files.put(note.renamed(new), as: new)
      files.put(nil, as: old)
    }
  }

  func pin(_ id: Note.ID, _ isPinned: Bool) {
    settingsFile.mutate { settings in
      if isPinned { settings.pinned.insert(id) } else { settings.pinned.remove(id) }
    }
  }

  /// Moves a note to the trash, with all that was typed into it.
  func delete(_ id: Note.ID) {
    guard let note = self[id] else { return }
    let (trash, deletion, draft) = (trash, Deletion(), drafts.remove(id))
    let (text, edit) = (draft?.text, draft?.edit)
    files.put(nil, as: id)
    if let draft { leaving.append(draft) }
    files.perform(changing: [id]) { folder throws(FileError) in
      if let text { _ = try edit?.save(text, to: folder.file(id)) }
      let file = try trash.put(folder.file(id).path)
      deletion.file.withLock { $0 = file }
    } then: { [weak self] outcome in
      self?.leaving.removeAll { $0 === draft }
      guard let self, case .failure(let error) = outcome else { return }
      tell(error, about: id)
      // Another note may go by its name by now.
      let name = draft.map { drafts.putBack($0) } ?? id
      if draft != nil || drafts[id] == nil { files.put(note.renamed(name), as: name) }
    }
    undos.append { [weak self] in
      self?.files.perform(changing: [id]) { _ throws(FileError) in
        if let file = deletion.file.withLock({ $0 }) { try trash.restore(file) }
      } then: { outcome in
        if case .failure(let error) = outcome { self?.tell(error, about: id) }
      }
    }
  }

  /// Takes back what was done last: a note deleted or renamed.
  func undo() { undos.popLast()?() }
}
