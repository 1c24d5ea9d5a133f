import RunnelLoop
import RunnelStreams

/// What was typed into the files of a folder and is not saved yet.
///
///     let files = FolderProperty("notes") { name, folder in try? folder.file(name).contents() }
///     let drafts = Drafts(in: files)
///     drafts.edit("Milk.txt", "two bottles", of: files.items["Milk.txt"]?.bytes)
///     drafts.edits.debounce(for: .seconds(1)).observeNext { drafts.save() }
///     drafts.unsaved.observeNext { print("not saved: \($0.keys)") }
///
/// A draft is kept until all of it is saved, whatever fails. As long as there is one, the item of its
/// file stays as it is; then it is what was saved. A draft is saved through a link only if the item was
/// read through it: a link that has taken the place of the file since is kept as a copy.
///
/// It belongs to the thread of the files.
public final class Drafts<Item: Equatable & Sendable> {
  /// Something that was saved.
  public struct Save {
    /// The file.
    public let name: FileName
    /// What has become of what was in it.
    public let outcome: SafeFile.Outcome
  }

  /// Tells when something was typed.
  public let edits = PushStream<Void>()
  /// Tells when something was saved.
  public let saves = PushStream<Save>()
  /// Tells when something could not be saved: it is to be tried again.
  public let failures = PushStream<Void>()
  /// Why what was typed into files could not be saved, when that was tried last.
  public let unsaved = Property<[FileName: FileError]>([:])

  private let files: FolderProperty<Item>
  /// The names that files are about to get, if they can be moved.
  private var moves: [FileName] = []
  /// Whether something was to be saved that has to wait for a move.
  private var isSaveDue = false
  private var drafts: [FileName: Draft] = [:]

  /// No drafts yet, of what is in the files of a folder.
  public init(in files: FolderProperty<Item>) {
    self.files = files
    files.isHeld = { [weak self] name in self?.drafts[name] != nil }
  }

  // MARK: - Editing

  /// All that is not saved yet, by the names of the files.
  public var all: [Draft] { drafts.values.sorted { $0.name < $1.name } }

  /// Whether all is saved.
  public var isEmpty: Bool { drafts.isEmpty }

  /// What is to be in the files, where it is not saved yet.
  public var unsavedFiles: [UnsavedFile] {
    all.map { UnsavedFile($0.name, bytes: $0.bytes, problem: $0.problem) }
  }

  /// What was typed into a file, if that is not saved yet.
  public subscript(name: FileName) -> Draft? { drafts[name] }

  /// Takes over what was typed into a file that had these bytes; none if there is no such file yet.
  @discardableResult
  public func edit(_ name: FileName, _ text: String, of bytes: [UInt8]?) -> Draft {
    let draft = drafts[name] ?? Draft(name, of: bytes, following: files.link(of: name), text: text)
    draft.text = text
    drafts[name] = draft
    edits.next(())
    return draft
  }

  /// Takes a draft away: it is not saved any more, unless it is put back.
  public func remove(_ name: FileName) -> Draft? {
    defer { tell() }
    return drafts.removeValue(forKey: name)
  }

  /// Puts a draft back for another try. Where there is another one of that name by now, it gets the
  /// first name for copies that is free: no text gives way to another one. Returns its name.
  @discardableResult
  public func putBack(_ draft: Draft) -> FileName {
    var (name, number) = (draft.name, 0)
    while drafts[name] != nil || number > 0 && files.items[name] != nil {
      number += 1
      name = draft.name.copy(number)
    }
    draft.isQueued = false
    draft.name = name
    drafts[name] = draft
    tell()
    failures.next(())
    return name
  }

  /// Notes that a file goes by another name. Where there is a draft of that name, both stay as they
  /// are.
  public func rename(_ name: FileName, to newName: FileName) {
    guard drafts[newName] == nil, let draft = drafts.removeValue(forKey: name) else { return }
    draft.name = newName
    drafts[newName] = draft
    tell()
  }

  /// Moves a file to a name at which there is nothing. What is typed into a file of the new name is not
  /// saved before that has been tried: then whoever is told says by ``rename(_:to:)`` what it is called.
  public func move(
    _ name: FileName, to newName: FileName,
    then: @escaping (Result<Void, FileError>) -> Void = { _ in }
  ) {
    moves.append(newName)
    files.moveLink(of: name, to: newName)
    files.perform(changing: [name, newName]) { folder throws(FileError) in
      try folder.file(name).move(to: folder.file(newName).path)
    } then: { [weak self] outcome in
      if let self, let index = moves.firstIndex(of: newName) { moves.remove(at: index) }
      then(outcome)
      if let self, isSaveDue { save() }
    }
  }

  // MARK: - Saving

  /// Begins to save all that is not saved yet. A draft that is being saved, and was edited since, is
  /// saved again after that.
  public func save() {
    isSaveDue = false
    for draft in drafts.values where !draft.isQueued { save(draft) }
  }

  private func save(_ draft: Draft) {
    draft.isQueued = !moves.contains(draft.name)
    guard draft.isQueued else { return isSaveDue = true }
    // However slow the disk is, no more than one save of a draft waits for it.
    guard !draft.isSaving else { return draft.isDue = true }
    draft.isSaving = true
    let (name, text, edit, edition) = (draft.name, draft.text, draft.edit, draft.edition)
    let read = files.read
    files.perform(changing: [name]) { folder throws(FileError) in
      let outcome = try edit.save(text, to: folder.file(name))
      return (outcome: outcome, reading: read(name, folder))
    } then: { [weak self] result in
      switch result {
      case .success(let saved):
        self?.saved(draft, edition, saved.reading)
        if let outcome = saved.outcome { self?.saves.next(Save(name: name, outcome: outcome)) }
      case .failure(let error): self?.failed(draft, error)
      }
    }
  }

  private func saved(
    _ draft: Draft, _ edition: Int, _ reading: FolderProperty<Item>.Reading
  ) {
    let name = reading.name
    draft.problem = nil
    let isDue = draft.isDue
    (draft.isSaving, draft.isDue) = (false, false)
    guard drafts[draft.name] === draft else { return }
    // What was saved under another name may not be in the file that has this one.
    guard draft.name == name else { return save(draft) }
    // Nothing was typed meanwhile: what is in the file is what there is to show from now on.
    if draft.edition == edition {
      drafts[name] = nil
      files.show(reading)
    } else if isDue {
      save(draft)
    }
    tell()
  }

  private func failed(_ draft: Draft, _ error: FileError) {
    (draft.isQueued, draft.isSaving, draft.isDue) = (false, false, false)
    draft.problem = error
    guard drafts[draft.name] === draft else { return }
    tell()
    failures.next(())
  }

  /// To be called when all is as it is to be: others may change it again.
  private func tell() {
    let problems = drafts.compactMapValues(\.problem)
    if problems != unsaved.value { unsaved.value = problems }
  }
}
