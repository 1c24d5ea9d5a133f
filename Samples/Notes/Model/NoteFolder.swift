import Runnel

/// The notes of a folder: what is in the files is in the list, and what is typed gets into the files.
@MainActor
final class NoteFolder {
  /// All notes, in no order.
  let notes: LiveCollection<[Note]>
  var settings: ReadOnlyProperty<Settings> { settingsFile.current }
  /// How much of a look at the whole folder is done; nil when that is all.
  var progress: Property<Double?> { files.progress }
  /// Whether all that was typed and chosen is in the files, and nothing is left to do that may fail.
  var isSaved: Bool { drafts.isEmpty && settingsFile.isSaved && !files.isChanging }
  /// What went wrong, for people to see.
  let problems = PushStream<Problem>()
  /// Carries ``NoteSaved``, ``NoteConflict``, ``NoteRenamed``, ``Undone`` and ``SettingsChanged``.
  let bus: EventBus

  let trash: Trash
  let files: FolderProperty<Note>
  let drafts: Drafts<Note>
  let settingsFile: FileProperty<Settings>
  /// What was typed into notes that are on their way to the trash.
  var leaving: [Draft] = []
  var undos: [Undoable] = []
  /// False if the last thing that was done is a rename or a deletion.
  var wasTypedLast = true
  private let bag = DisposeBag()

  init(
    _ folder: Folder, bus: EventBus = EventBus(name: "notes"), trash: Trash = .home,
    changes: EventStream<FileChange, FileWatchError>? = nil,
    savingAfter delay: Duration = .milliseconds(500), on scheduler: any Scheduler = EventLoop.main
  ) {
    self.bus = bus
    self.trash = trash
    files = FolderProperty(folder, changes: changes) { Note($0, in: $1) }
    notes = files.items.values
    drafts = Drafts(in: files)
    settingsFile = FileProperty(
      Settings.fileName, in: files, read: { Settings($0) }, write: { $0.bytes })
    files.prepare = { [weak self] in
      $0.isPinned = self?.settings.value.pinned.contains($0.id) == true
    }
    files.failures.observeNext(weak: self) { $0.tell($1) }.disposed(by: bag)
    // What could not be saved while the folder was away.
    files.progress.updates.filter { $0 == nil }
      .observeNext(weak: self) { notes, _ in notes.save() }.disposed(by: bag)
    // The first key begins a span of time, at the end of which all that was typed in it is saved.
    let firsts = drafts.edits.throttle(for: delay, latest: false, on: scheduler)
    let failures = EventStream.merge(drafts.failures.stream, settingsFile.failures.map { _ in })
    let retries = failures.debounce(for: delay * 10, on: scheduler)
    EventStream.merge(firsts.delay(for: delay, on: scheduler), retries)
      .observeNext(weak: self) { notes, _ in notes.save() }.disposed(by: bag)
    drafts.saves.observeNext(weak: self) { $0.report($1) }.disposed(by: bag)
    drafts.unsaved.stream.pairwise().observeNext(weak: self) { notes, change in
      for (id, error) in change.1 where change.0[id] != error { notes.tell(error, about: id) }
    }.disposed(by: bag)
    files.renames.observeNext(weak: self) { $0.follow($1.old, to: $1.new) }.disposed(by: bag)
    settingsFile.problem.observeNext(weak: self) { notes, error in
      if let error { notes.tell(error) }
    }.disposed(by: bag)
    settings.stream.pairwise()
      .observeNext(weak: self) { $0.settingsChanged(from: $1.0, to: $1.1) }.disposed(by: bag)
  }

  /// Makes the folder if need be, reads what is in it, and follows it from then on.
  func open() {
    settingsFile.reload()
    files.open()
  }

  /// The note of a name, if there is one.
  subscript(id: Note.ID) -> Note? { files.items[id] }

  func tell(_ error: any Error, about id: Note.ID? = nil) {
    problems.next(Problem(note: id, error: error))
  }

  private func settingsChanged(from old: Settings, to new: Settings) {
    for id in old.pinned.symmetricDifference(new.pinned) { files.put(self[id], as: id) }
    bus.publish(SettingsChanged(settings: new))
  }
}
