import Runnel

/// The notes of a folder: what is in the files is in the list, and what is typed gets into the files.
///
/// All that is done with files happens on one thread, one thing after the other, and is reported back
/// in the same order.
@MainActor
final class NoteFolder {
  let path: String
  /// All notes, in no order.
  let notes: LiveCollection<[Note]>
  let settings = Property(Settings())
  /// How much of a look at the whole folder is done; nil when that is all.
  let progress = Property<Double?>(nil)
  /// What went wrong, for people to see.
  let problems = PushStream<Problem>()
  /// Carries ``NoteSaved``, ``NoteConflict`` and ``SettingsChanged``.
  let bus: EventBus

  let folder: Folder
  let trash: Trash
  let files = CollectionProperty<[Note.ID: Note]>()
  var drafts: [Note.ID: Draft] = [:]
  let edits = PushStream<Void>()
  var undos: [() -> Void] = []
  let disk = WorkerPool(name: "disk", size: 1)
  private let changes: EventStream<FileChange, FileWatchError>
  private let looks = PushStream<Void>()
  /// The names of files with which something is about to be done: what was read of them is out of date.
  private var busy: [String] = []
  private let bag = DisposeBag()

  init(
    _ path: String, bus: EventBus = EventBus(name: "notes"), trash: Trash = .home,
    changes: EventStream<FileChange, FileWatchError>? = nil,
    savingAfter delay: Duration = .seconds(1), on scheduler: any Scheduler = EventLoop.main
  ) {
    self.path = path
    self.bus = bus
    self.trash = trash
    self.changes = changes ?? EventLoop.main.changes(at: path)
    folder = Folder(path)
    notes = files.values
    // When nothing is typed for a while, and now and then while somebody types on and on.
    let pauses = edits.debounce(for: delay, on: scheduler)
    let times = edits.throttle(for: delay * 8, on: scheduler).delay(for: delay * 8, on: scheduler)
    EventStream.merge(pauses, times)
      .observeNext(weak: self) { folder, _ in folder.save() }.disposed(by: bag)
    looks.flatMapLatest(weak: self) { folder, _ in folder.look() }
      .observeNext(weak: self) { $0.take($1) }.disposed(by: bag)
    settings.stream.pairwise()
      .observeNext(weak: self) { $0.settingsChanged(from: $1.0, to: $1.1) }.disposed(by: bag)
  }

  /// The note of a name, if there is one.
  subscript(id: Note.ID) -> Note? { files[id] }

  func tell(_ error: any Error, about id: Note.ID? = nil) {
    problems.next(Problem(note: id, error: error))
  }

  // MARK: - Files

  /// Does something with files when all is done that was to be done before. Then those that it has to
  /// do with are read again, whatever came of it.
  func onDisk<Output: Sendable>(
    changing names: [String] = [],
    _ work: @escaping @Sendable (Folder) throws(FileError) -> Output,
    then: @escaping (NoteFolder, Result<Output, FileError>) -> Void
  ) {
    let folder = folder
    busy += names
    EventStream.perform(on: disk) { () throws(FileError) in try work(folder) }.results()
      .observeNext(weak: self) { notes, outcome in
        for name in names { notes.busy.removeFirst(name) }
        then(notes, outcome)
        for name in names { notes.reload(name) }
      }
  }

  /// Makes the folder if need be and watches it, then looks at what is there.
  func open() {
    onDisk { folder throws(FileError) in
      try folder.make()
      try folder.cleanUp()
      return (try? folder.file(Settings.fileName).contents())?.bytes ?? []
    } then: { notes, outcome in
      switch outcome {
      case .success(let bytes): notes.settings.value = Settings(bytes)
      case .failure(let error): notes.tell(error)
      }
      notes.watch()
    }
  }

  private func watch() {
    EventStream.merge(changes, .just(.rescan))
      .do(failed: { [weak self] in self?.tell($0) })
      .retry(backoff: Backoff(maximum: .seconds(30)))
      .observe(next: { [weak self] in self?.follow($0) }).disposed(by: bag)
  }

  private func follow(_ change: FileChange) {
    switch change {
    case .rescan, .created(path), .deleted(path): looks.next(())
    case .created(let file), .modified(let file), .deleted(let file): reload(name(of: file))
    case .moved(let old, let new):
      // Files that change places are told of as one that goes there and back: they are read.
      reload(name(of: old))
      reload(name(of: new))
    }
  }

  func name(of file: String) -> String { String(file.dropFirst(path.count + 1)) }

  // MARK: - Reading

  /// Notes as they were read; nil where there is none of that name.
  private typealias Readings = [(id: Note.ID, note: Note?)]

  func reload(_ name: String) {
    guard Note.isName(name) else { return }
    onDisk { folder throws(FileError) in
      [(name, Note(name, in: folder))]
    } then: {
      notes, outcome in
      notes.take((try? outcome.get()) ?? [])
    }
  }

  /// Reads all files, some at a time, so that one that is saved does not have to wait for all.
  private func look() -> EventStream<Readings, Never> {
    progress.value = 0
    let folder = folder
    return EventStream.perform(on: disk) { () throws(FileError) in try folder.names() }.results()
      .flatMapLatest(weak: self) { $0.read($1) }
      .do(completed: { [weak self] in
        self?.progress.value = nil
        // What could not be saved while the folder was away.
        self?.save()
      })
  }

  private func read(_ outcome: Result<[String], FileError>) -> EventStream<Readings, Never> {
    if case .failure(let error) = outcome { tell(error) }
    let names = ((try? outcome.get()) ?? []).filter(Note.isName)
    let all = names + Set(files.value.map(\.key)).subtracting(names)
    return EventStream<Int, Never>.sequence(stride(from: 0, to: all.count, by: 100))
      .concatMap(weak: self) { notes, start in
        notes.progress.value = Double(start) / Double(all.count)
        let folder = notes.folder
        return .perform(on: notes.disk) {
          all[start...].prefix(100).map { ($0, Note($0, in: folder)) }
        }
      }
  }

  /// Makes the list say what was read, but for what is edited or changed just now.
  private func take(_ readings: Readings) {
    files.batch {
      for (id, note) in readings where drafts[id] == nil && !busy.contains(id) { put(note, as: id) }
    }
  }

  /// Puts a note in the place of what goes by its name, unless it says the same.
  func put(_ note: Note?, as id: Note.ID) {
    var note = note
    note?.isPinned = settings.value.pinned.contains(id)
    if note != files[id] { files[id] = note }
  }

  // MARK: - Settings

  private func settingsChanged(from old: Settings, to new: Settings) {
    for id in old.pinned.symmetricDifference(new.pinned) { put(files[id], as: id) }
    bus.publish(SettingsChanged(settings: new))
    onDisk { folder throws(FileError) in
      let file = folder.file(Settings.fileName)
      let before = (try? file.contents())?.bytes ?? []
      if Settings(before) != new { try file.save(Array(new.text.utf8), over: before) }
    } then: { notes, outcome in
      if case .failure(let error) = outcome { notes.tell(error) }
    }
  }
}

extension Array where Element: Equatable {
  fileprivate mutating func removeFirst(_ element: Element) {
    if let index = firstIndex(of: element) { remove(at: index) }
  }
}
