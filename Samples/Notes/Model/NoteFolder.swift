import Runnel
import RunnelDesk

/// The notes of a folder, kept in sync with its files in both directions.
@MainActor
final class NoteFolder {
  /// All notes, unsorted.
  let notes: LiveCollection<[Note]>
  var settings: ReadOnlyProperty<Settings> { settingsFile.current }
  /// The completed fraction of a scan of the folder; nil when no scan is running.
  var progress: Property<Double?> { files.progress }
  /// True if all edits and settings are saved, and no file operation is pending.
  var isSaved: Bool { drafts.isEmpty && settingsFile.isSaved && !files.isChanging }
  /// Errors to show to the user.
  let problems = PushStream<Problem>()
  /// The bus for ``NoteSaved``, ``NoteConflict``, ``NoteRenamed`` and ``Undone``.
  let bus: EventBus

  let trash: Trash
  let files: FolderProperty<Note>
  let drafts: Drafts<Note>
  let settingsFile: FileProperty<Settings>
  /// The drafts of notes that are being moved to the trash.
  var pendingDeletions: [Draft] = []
  let history = CommandHistory<Undoable>()
  private let bag = DisposeBag()

  init(
    _ folder: Folder, bus: EventBus = EventBus(name: "notes"), trash: Trash = .home,
    changes: EventStream<FileChange, FileWatchError>? = nil,
    savingAfter delay: Duration = .milliseconds(500), on scheduler: any Scheduler = EventLoop.main
  ) {
    self.bus = bus
    self.trash = trash
    files = FolderProperty(folder, recursively: true, changes: changes) { Note($0, in: $1) }
    notes = files.items.values
    drafts = Drafts(in: files)
    settingsFile = FileProperty(
      Settings.fileName, in: files, read: { Settings($0) }, write: { $0.bytes })
    files.prepare = { [weak self] in
      $0.isPinned = self?.settings.value.pinned.contains($0.id) == true
    }
    files.failures.observeNext(weak: self) { $0.reportProblem($1) }.disposed(by: bag)
    // After each scan, save again: saves fail while the folder is missing.
    files.progress.updates.filter { $0 == nil }
      .observeNext(weak: self) { notes, _ in notes.save() }.disposed(by: bag)
    // The first edit starts a delay, at the end of which all edits are saved. A failed save is
    // tried again after ten times the delay.
    let firsts = drafts.edits.throttle(for: delay, latest: false, on: scheduler)
    let failures = EventStream.merge(drafts.failures.stream, settingsFile.failures.map { _ in })
    let retries = failures.debounce(for: delay * 10, on: scheduler)
    EventStream.merge(firsts.delay(for: delay, on: scheduler), retries)
      .observeNext(weak: self) { notes, _ in notes.save() }.disposed(by: bag)
    drafts.saves.observeNext(weak: self) { $0.report($1) }.disposed(by: bag)
    drafts.unsaved.stream.pairwise().observeNext(weak: self) { notes, change in
      for (id, error) in change.1 where change.0[id] != error {
        notes.reportProblem(error, about: id)
      }
    }.disposed(by: bag)
    files.renames.observeNext(weak: self) { $0.follow($1.old, to: $1.new) }.disposed(by: bag)
    settingsFile.problem.observeNext(weak: self) { notes, error in
      if let error { notes.reportProblem(error) }
    }.disposed(by: bag)
    settings.map(\.pinned).stream.pairwise().observeNext(weak: self) { notes, pinned in
      for id in pinned.0.symmetricDifference(pinned.1) { notes.files.put(notes[id], as: id) }
    }.disposed(by: bag)
  }

  /// Creates the folder if necessary, reads its notes, and follows changes to it.
  func open() {
    settingsFile.reload()
    files.open()
  }

  /// The note with a file name, if any.
  subscript(id: Note.ID) -> Note? { files.items[id] }

  func reportProblem(_ error: any Error, about id: Note.ID? = nil) {
    problems.next(Problem(note: id, error: error))
  }
}
