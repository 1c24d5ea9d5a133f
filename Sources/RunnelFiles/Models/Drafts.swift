import RunnelLoop
import RunnelStreams

/// The edited texts of a folder's files that are not saved yet.
///
///     let files = FolderProperty("notes") { name, folder in try? folder.file(name).contents() }
///     let drafts = Drafts(in: files)
///     drafts.edit("Milk.txt", "two bottles", of: files.items["Milk.txt"]?.bytes)
///     drafts.edits.throttle(for: .milliseconds(500)).observeNext { drafts.save() }
///     drafts.unsaved.observeNext { print("not saved: \($0.keys)") }
///
/// A draft is kept until all of its text is saved, whatever fails. While a draft exists, the item
/// of its file does not change. After the save, the item is the saved file. A draft is saved
/// through a link only if its item was read through that link. A link that has replaced the file
/// since is kept as a copy.
///
/// The object belongs to the thread of the folder property.
public final class Drafts<Item: Equatable & Sendable> {
  /// A completed save.
  public struct Save {
    /// The name of the saved file.
    public let name: FileName
    /// The result of the save.
    public let outcome: SafeFile.Outcome
  }

  /// Sends an element after each edit.
  public let edits = PushStream<Void>()
  /// Sends each completed save.
  public let saves = PushStream<Save>()
  /// Sends an element after each failed save. Call ``save()`` to try again.
  public let failures = PushStream<Void>()
  /// The errors of the last saves, by the names of the files.
  public let unsaved = Property<[FileName: FileError]>([:])

  private let files: FolderProperty<Item>
  /// The old and new names of moves that have not finished.
  private var moves: [FileName] = []
  /// True if a save waits for a move.
  private var isSaveDue = false
  private var drafts: [FileName: Draft] = [:]

  /// Creates an empty set of drafts for the files of a folder.
  public init(in files: FolderProperty<Item>) {
    self.files = files
    files.isHeld = { [weak self] name in self?.drafts[name] != nil }
  }

  // MARK: - Editing

  /// All drafts, sorted by the names of the files.
  public var all: [Draft] { drafts.values.sorted { $0.name < $1.name } }

  /// True when everything is saved.
  public var isEmpty: Bool { drafts.isEmpty }

  /// The bytes of all drafts, for a rescue.
  public var unsavedFiles: [UnsavedFile] {
    all.map { UnsavedFile($0.name, bytes: $0.bytes, problem: $0.problem) }
  }

  /// Returns the draft of a file, or nil if all of it is saved.
  public subscript(name: FileName) -> Draft? { drafts[name] }

  /// Stores the edited text of a file. The whole text is built only when the draft is saved.
  ///
  /// `bytes` are the contents that the edit began with, or nil for a new file.
  @discardableResult
  public func edit(_ name: FileName, _ text: some DraftText, of bytes: [UInt8]?) -> Draft {
    let draft = drafts[name] ?? Draft(name, of: bytes, following: files.link(of: name), text: text)
    draft.contents = text
    drafts[name] = draft
    edits.next(())
    return draft
  }

  /// Removes a draft, which is then not saved unless it is put back.
  public func remove(_ name: FileName) -> Draft? {
    defer { publishProblems() }
    return drafts.removeValue(forKey: name)
  }

  /// Puts a draft back, so that it is saved again. If another draft has its name by now, the draft
  /// gets the first unused name for copies, so that no text is lost. Returns the name.
  @discardableResult
  public func putBack(_ draft: Draft) -> FileName {
    var (name, number) = (draft.name, 0)
    while drafts[name] != nil || number > 0 && files.items[name] != nil {
      number += 1
      name = draft.name.copy(number)
    }
    draft.name = name
    drafts[name] = draft
    publishProblems()
    failures.next(())
    return name
  }

  /// Moves a draft to the new name of its file. If a draft of that name exists, both are unchanged.
  public func rename(_ name: FileName, to newName: FileName) {
    guard drafts[newName] == nil, let draft = drafts.removeValue(forKey: name) else { return }
    draft.name = newName
    // A link that the text was read through belongs to the former folder.
    if newName.folder != name.folder { draft.edit.follow(.none) }
    drafts[newName] = draft
    publishProblems()
  }

  /// Moves a file to an unused name. Drafts of both names are not saved before the move has finished.
  /// Call ``rename(_:to:)`` for the draft that follows the file, at once or in the closure.
  public func move(
    _ name: FileName, to newName: FileName,
    then: @escaping (Result<Void, FileError>) -> Void = { _ in }
  ) {
    moves += [name, newName]
    let changesFolder = newName.folder != name.folder
    if !changesFolder { files.moveLink(of: name, to: newName) }
    files.perform(changing: [name, newName]) { folder throws(FileError) in
      if changesFolder { try Self.prepare(newName, for: name, in: folder) }
      try folder.file(name).move(to: folder.file(newName).path)
    } then: { [weak self] outcome in
      for moved in [name, newName] {
        if let self, let index = moves.firstIndex(of: moved) { moves.remove(at: index) }
      }
      then(outcome)
      if let self, isSaveDue { save() }
    }
  }

  /// Makes the folder of a new name. A link to a folder is refused, because scans do not follow it, and
  /// so is a file that is a link, because its target may be relative to its folder.
  private static func prepare(
    _ newName: FileName, for name: FileName, in folder: Folder
  ) throws(FileError) {
    let parts = newName.folder.split(separator: "/")
    let folders = parts.indices.map { parts[...$0].joined(separator: "/") }
    for path in ([name.text] + folders).map({ folder.file($0).path })
    where PathBytes(path).status?.isLink == true { throw .redirected(path) }
    try folder.folder(of: newName).make()
  }

  // MARK: - Saving

  /// Begins to save all drafts. A draft that is edited during its save is saved again after it.
  public func save() {
    isSaveDue = false
    for draft in drafts.values where !draft.saving.includesText { save(draft) }
  }

  private func save(_ draft: Draft) {
    guard !moves.contains(draft.name) else { return isSaveDue = true }
    // Only one save of a draft runs at a time, however slow the disk is.
    guard draft.saving.begin() else { return }
    let (name, contents, edit) = (draft.name, draft.contents, draft.edit)
    let read = files.read
    files.perform(changing: [name]) { folder throws(FileError) in
      let outcome = try edit.save(contents.text, to: folder.file(name))
      return (outcome: outcome, reading: read(name, folder))
    } then: { [weak self] result in
      switch result {
      case .success(let saved):
        self?.saved(draft, saved.reading)
        if let outcome = saved.outcome { self?.saves.next(Save(name: name, outcome: outcome)) }
      case .failure(let error): self?.failed(draft, error)
      }
    }
  }

  private func saved(_ draft: Draft, _ reading: FolderProperty<Item>.Reading) {
    let name = reading.name
    draft.problem = nil
    let saving = exchange(&draft.saving, with: .idle)
    guard drafts[draft.name] === draft else { return }
    defer { publishProblems() }
    // After a rename, the saved file may not be the one that has the new name.
    guard draft.name == name else { return save(draft) }
    switch saving {
    case .current:
      // The item shows the file from now on.
      drafts[name] = nil
      files.show(reading)
    case .repeating: save(draft)
    case .idle, .outdated: break
    }
  }

  private func failed(_ draft: Draft, _ error: FileError) {
    draft.saving = .idle
    draft.problem = error
    guard drafts[draft.name] === draft else { return }
    publishProblems()
    failures.next(())
  }

  /// Call this last: observers may change the drafts again.
  private func publishProblems() {
    let problems = drafts.compactMapValues(\.problem)
    if problems != unsaved.value { unsaved.value = problems }
  }
}
