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
/// file stays as it is; then it is what was saved.
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
  private var drafts: [FileName: Draft] = [:] {
    didSet {
      let problems = drafts.compactMapValues(\.problem)
      if problems != unsaved.value { unsaved.value = problems }
    }
  }

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

  /// What was typed into a file, if that is not saved yet.
  public subscript(name: FileName) -> Draft? { drafts[name] }

  /// Takes over what was typed into a file that had these bytes; none if there is no such file yet.
  @discardableResult
  public func edit(_ name: FileName, _ text: String, of bytes: [UInt8]?) -> Draft {
    let draft = drafts[name] ?? Draft(name, of: bytes, text: text)
    draft.text = text
    drafts[name] = draft
    edits.next(())
    return draft
  }

  /// Takes a draft away: it is not saved any more, unless it is put back.
  public func remove(_ name: FileName) -> Draft? { drafts.removeValue(forKey: name) }

  /// Puts a draft back for another try, unless there is another one of that name by now.
  public func putBack(_ draft: Draft) {
    draft.isQueued = false
    guard drafts[draft.name] == nil else { return }
    drafts[draft.name] = draft
    failures.next(())
  }

  /// Notes that a file goes by another name. Where there is a draft of that name, both stay as they
  /// are: no text gives way to another one.
  public func rename(_ name: FileName, to newName: FileName) {
    guard drafts[newName] == nil, let draft = drafts.removeValue(forKey: name) else { return }
    draft.name = newName
    drafts[newName] = draft
  }

  // MARK: - Saving

  /// Begins to save all that is not saved yet.
  public func save() {
    for draft in drafts.values where !draft.isQueued { save(draft) }
  }

  private func save(_ draft: Draft) {
    draft.isQueued = true
    let (name, text, edit, edition) = (draft.name, draft.text, draft.edit, draft.edition)
    let read = files.read
    files.perform(changing: [name]) { folder throws(FileError) in
      let outcome = try edit.save(text, to: folder.file(name))
      return (outcome: outcome, item: read(name, folder))
    } then: { [weak self] result in
      switch result {
      case .success(let saved):
        self?.saved(draft, edition, as: name, saved.item)
        if let outcome = saved.outcome { self?.saves.next(Save(name: name, outcome: outcome)) }
      case .failure(let error): self?.failed(draft, error)
      }
    }
  }

  private func saved(_ draft: Draft, _ edition: Int, as name: FileName, _ item: Item?) {
    draft.problem = nil
    // It was renamed meanwhile, and the file may not have been.
    if draft.name != name { draft.isQueued = false }
    guard drafts[draft.name] === draft else { return }
    let isAll = draft.name == name && draft.edition == edition
    drafts[draft.name] = isAll ? nil : draft
    // Nothing was typed meanwhile: what is in the file is what there is to show from now on.
    if isAll { files.put(item, as: name) }
  }

  private func failed(_ draft: Draft, _ error: FileError) {
    draft.isQueued = false
    draft.problem = error
    guard drafts[draft.name] === draft else { return }
    drafts[draft.name] = draft
    failures.next(())
  }
}
