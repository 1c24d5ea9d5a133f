import Glibc
import Runnel
import Synchronization

/// What was typed into a note and is not saved yet.
@MainActor
final class Draft {
  var id: Note.ID
  var text: String { didSet { isQueued = false } }
  /// Whether the text is about to be saved.
  var isQueued = false
  let base: Known<[UInt8]?>

  /// A draft of what is in a file; nil where there is none yet.
  init(_ id: Note.ID, of base: [UInt8]?, text: String) {
    self.id = id
    self.text = text
    self.base = Known(base)
  }
}

/// What is known where files are read and written, one thing after the other.
final class Known<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension SafeFile {
  /// Saves a text over what is known of the file. Nil where there is nothing to save.
  fileprivate func save(_ text: String, over base: Known<[UInt8]?>) throws(FileError) -> Outcome? {
    let bytes = FileText(base.value ?? []).bytes(for: text)
    if bytes == base.value { return nil }
    do throws(FileError) {
      let outcome = try save(bytes, over: base.value ?? [])
      base.value = bytes
      return outcome
    } catch {
      // Then it is in the file all the same.
      if case .unconfirmed = error { base.value = bytes }
      throw error
    }
  }
}

// MARK: - Editing and saving

extension NoteFolder {
  /// The text of a note as it was typed last, saved or not.
  func text(of id: Note.ID) -> String { drafts[id]?.text ?? files[id]?.text ?? "" }

  /// Takes over what was typed. It is saved a little later.
  func edit(_ id: Note.ID, _ text: String) {
    guard let note = files[id], !note.isReadOnly else { return }
    let draft = drafts[id] ?? Draft(id, of: note.contents.bytes, text: text)
    draft.text = text
    drafts[id] = draft
    edits.next(())
  }

  /// Saves all that is not saved yet, and returns when all is done with files that is to be done.
  func flush() async {
    save()
    _ = await EventStream.perform(on: disk) {}.first()
  }

  /// Begins to save all that is not saved yet.
  func save() {
    for draft in drafts.values where !draft.isQueued { save(draft) }
  }

  private func save(_ draft: Draft) {
    draft.isQueued = true
    let (id, text, base) = (draft.id, draft.text, draft.base)
    onDisk(changing: [id]) { folder throws(FileError) in
      try folder.file(id).save(text, over: base)
    } then: { notes, outcome in
      switch outcome {
      case .success(let saved):
        // Unless more was typed meanwhile.
        if draft.isQueued { notes.drafts[draft.id] = nil }
        notes.report(saved, of: draft.id)
      case .failure(let error):
        draft.isQueued = false
        notes.tell(error, about: draft.id)
      }
    }
  }

  private func report(_ saved: SafeFile.Outcome?, of id: Note.ID) {
    guard let saved else { return }
    bus.publish(NoteSaved(id: id))
    guard case .conflict(let copy) = saved else { return }
    bus.publish(NoteConflict(id: id, copy: name(of: copy)))
    reload(name(of: copy))
  }

  // MARK: - Creating, renaming, deleting

  /// Makes a note, with a number in its title if there is one of that title.
  func create(_ title: String) -> Note.ID {
    var id = Note.name(title)
    for number in 2... where files[id] != nil { id = Note.name("\(title) \(number)") }
    put(Note(id, FileText([]), modified: .seconds(time(nil))), as: id)
    let draft = Draft(id, of: nil, text: "")
    drafts[id] = draft
    save(draft)
    return id
  }

  /// Gives a note another title, and returns its new name.
  @discardableResult
  func rename(_ id: Note.ID, to title: String) throws(FileError) -> Note.ID {
    let new = Note.name(title, like: id)
    guard new != id, let note = files[id] else { return id }
    if files[new] != nil { throw .exists(folder.file(new).path) }
    carry(id, to: new)
    put(
      Note(new, note.contents, modified: note.modified, isReadOnly: note.isReadOnly), as: new)
    put(nil, as: id)
    undos.append { [weak self] in
      if (try? self?.rename(new, to: Note.title(of: id))) != nil { self?.undos.removeLast() }
    }
    onDisk(changing: [id, new]) { folder throws(FileError) in
      try folder.file(id).move(to: folder.file(new).path)
    } then: { notes, outcome in
      guard case .failure(let error) = outcome else { return }
      notes.tell(error, about: new)
      notes.carry(new, to: id)
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
    guard files[id] != nil else { return }
    let (trash, trashed, draft) = (trash, Known<TrashedFile?>(nil), drafts.removeValue(forKey: id))
    let (text, base) = (draft?.text, draft?.base)
    put(nil, as: id)
    onDisk(changing: [id]) { folder throws(FileError) in
      if let text, let base { _ = try folder.file(id).save(text, over: base) }
      trashed.value = try trash.put(folder.file(id).path)
    } then: { notes, outcome in
      guard case .failure(let error) = outcome else { return }
      notes.drafts[id] = draft
      notes.tell(error, about: id)
    }
    undos.append { [weak self] in
      self?.onDisk(changing: [id]) { _ throws(FileError) in
        if let file = trashed.value { try trash.restore(file) }
      } then: { notes, outcome in
        if case .failure(let error) = outcome { notes.tell(error, about: id) }
      }
    }
  }

  /// Takes back what was done last: a note deleted or renamed.
  func undo() { undos.popLast()?() }
}
