import Runnel

/// The notes of a folder: what is in the files is in the list, and what is typed gets into the files.
///
/// All that is done with files happens on one thread, one thing after the other, and is reported back
/// in the same order.
@MainActor
final class NoteFolder {
  let path: String
  /// All notes, by the names of their files.
  let notes = CollectionProperty<[Note]>()
  let settings = Property(Settings())
  /// How much of a look at the folder is done; nil when that is all.
  let progress = Property<Double?>(nil)
  /// What went wrong, for people to see.
  let problems = PushStream<Problem>()
  /// Carries ``NoteSaved``, ``NoteConflict`` and ``SettingsChanged``.
  let bus: EventBus

  let folder: Folder
  let trash: Trash
  var drafts: [Note.ID: Draft] = [:]
  let edits = PushStream<Void>()
  var undos: [() -> Void] = []
  let disk = WorkerPool(name: "disk", size: 1)
  private let changesOnDisk: EventStream<FileChange, FileWatchError>
  private let looks = PushStream<Void>()
  /// How often the app itself has changed what a name means, and when it did so with each name: what
  /// was read before is out of date.
  private var now = 0
  private var changes: [String: Int] = [:]
  private let bag = DisposeBag()

  init(
    _ path: String, bus: EventBus = EventBus(name: "notes"), trash: Trash = .home,
    changes: EventStream<FileChange, FileWatchError>? = nil,
    savingAfter delay: Duration = .seconds(1), on scheduler: any Scheduler = EventLoop.main
  ) {
    self.path = path
    self.bus = bus
    self.trash = trash
    folder = Folder(path)
    changesOnDisk = changes ?? EventLoop.main.changes(at: path)
    // When nothing is typed for a while, and now and then while somebody types on and on.
    let long = delay * 8
    EventStream.merge(
      edits.debounce(for: delay, on: scheduler),
      edits.throttle(for: long, on: scheduler).delay(for: long, on: scheduler)
    ).observeNext(weak: self) { folder, _ in folder.save() }.disposed(by: bag)
    looks.flatMapLatest(weak: self) { folder, _ in folder.look() }
      .observeNext(weak: self) { $0.take($1) }.disposed(by: bag)
    settings.stream.pairwise()
      .observeNext(weak: self) { $0.settingsChanged(from: $1.0, to: $1.1) }.disposed(by: bag)
  }

  // MARK: - The folder

  /// Makes the folder if need be and watches it; then looks at what is there.
  func open() {
    onDisk {
      folder throws(FileError) in
      try folder.make()
      try folder.cleanUp()
    } then: { notes, outcome in
      if case .failure(let error) = outcome { notes.tell(error) }
      notes.watch()
    }
  }

  private func watch() {
    EventStream.merge(changesOnDisk, .just(.rescan))
      .do(failed: { [weak self] in self?.tell($0) })
      .retry(backoff: Backoff(maximum: .seconds(30)))
      .observe(next: { [weak self] in self?.follow($0) }).disposed(by: bag)
  }

  private func follow(_ change: FileChange) {
    switch change {
    case .rescan, .created(path), .deleted(path): looks.next(())
    case .created(let file), .modified(let file), .deleted(let file): reload(name(of: file))
    case .moved(let old, let new):
      let (old, new) = (name(of: old), name(of: new))
      reload(new)
      // Two files that change places are told of as one that goes there and back.
      reload(old) { notes, note in
        if note == nil && Note.isName(new) { notes.carry(old, to: new) }
      }
    }
  }

  func name(of file: String) -> String { String(file.dropFirst(path.count + 1)) }

  // MARK: - Reading

  /// What some files were at one time; nil where there is no note of that name.
  private struct Batch: Sendable {
    let time: Int
    let notes: [(id: Note.ID, note: Note?)]
  }

  /// Reads all files, some at a time, so that one that is saved does not have to wait for all.
  private func look() -> EventStream<Batch, Never> {
    loadSettings()
    progress.value = 0
    let folder = folder
    return EventStream.perform(on: disk) { Result { () throws(FileError) in try folder.names() } }
      .flatMapLatest(weak: self) { $0.read($1) }
      .do(completed: { [weak self] in
        self?.progress.value = nil
        // What could not be saved while the folder was away.
        self?.save()
      })
  }

  private func read(_ outcome: Result<[String], FileError>) -> EventStream<Batch, Never> {
    if case .failure(let error) = outcome { tell(error) }
    let names = ((try? outcome.get()) ?? []).filter(Note.isName)
    let all = names + Set(notes.map(\.id)).subtracting(names)
    return EventStream<Int, Never>.sequence(stride(from: 0, to: all.count, by: 100))
      .concatMap(weak: self) { notes, start in
        notes.progress.value = Double(start) / Double(all.count)
        let (folder, time) = (notes.folder, notes.now)
        return .perform(on: notes.disk) {
          Batch(time: time, notes: all[start...].prefix(100).map { ($0, Note($0, in: folder)) })
        }
      }
  }

  /// Reads one file again.
  func reload(_ id: Note.ID, then: @escaping (NoteFolder, Note?) -> Void = { _, _ in }) {
    if id == Settings.fileName { return loadSettings() }
    guard Note.isName(id) else { return }
    let time = now
    onDisk { folder throws(FileError) in
      Note(id, in: folder)
    } then: { notes, outcome in
      let note = try? outcome.get()
      then(notes, note)
      notes.take(Batch(time: time, notes: [(id, note)]))
    }
  }

  /// Does something with files after all that is to be done before, then something with what came of it.
  func onDisk<Output: Sendable>(
    _ work: @escaping @Sendable (Folder) throws(FileError) -> Output,
    then: @escaping (NoteFolder, Result<Output, FileError>) -> Void
  ) {
    let folder = folder
    EventStream.perform(on: disk) { Result { () throws(FileError) in try work(folder) } }
      .observeNext(weak: self, then)
  }

  // MARK: - The list

  /// Makes the list say what was read, but for what is edited, or was changed since.
  private func take(_ batch: Batch) {
    notes.batch {
      for (id, note) in batch.notes where drafts[id] == nil && changes[id, default: 0] <= batch.time
      {
        put(note, as: id)
      }
    }
  }

  /// Puts a note in the place of what goes by its name; nil takes that out.
  private func put(_ note: Note?, as id: Note.ID) {
    let (index, isThere) = place(of: id)
    guard var note else {
      if isThere { notes.remove(at: index) }
      return
    }
    note.isPinned = settings.value.pinned.contains(id)
    if !isThere {
      notes.insert(note, at: index)
    } else if !note.isSame(as: notes[index]) {
      notes[index] = note
    }
  }

  /// The same on the app's own account.
  func change(_ id: Note.ID, to note: Note?) {
    touch(id)
    put(note, as: id)
  }

  private func touch(_ name: String) {
    now += 1
    changes[name] = now
  }

  /// Where a note is, or would be: the list is in the order of the names.
  private func place(of id: Note.ID) -> (index: Int, isThere: Bool) {
    var range = 0..<notes.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if notes[middle].id < id {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    let index = range.lowerBound
    return (index, index < notes.count && notes[index].id == id)
  }

  /// The note of a name, if there is one.
  subscript(id: Note.ID) -> Note? {
    let (index, isThere) = place(of: id)
    return isThere ? notes[index] : nil
  }

  // MARK: - Settings

  private func loadSettings() {
    let time = now
    onDisk { folder throws(FileError) in
      try folder.file(Settings.fileName).contents()
    } then: { notes, outcome in
      guard case .success(let file) = outcome,
        notes.changes[Settings.fileName, default: 0] <= time
      else { return }
      let settings = Settings(String(decoding: file.bytes, as: UTF8.self))
      if settings != notes.settings.value { notes.settings.value = settings }
    }
  }

  private func settingsChanged(from old: Settings, to new: Settings) {
    touch(Settings.fileName)
    for id in old.pinned.symmetricDifference(new.pinned) {
      if let note = self[id] { put(note, as: id) }
    }
    bus.publish(SettingsChanged(settings: new))
    onDisk { folder throws(FileError) in
      let file = folder.file(Settings.fileName)
      let bytes = Array(new.text.utf8)
      let before = (try? file.contents())?.bytes ?? []
      if bytes != before { try file.save(bytes, over: before) }
    } then: { notes, outcome in
      if case .failure(let error) = outcome { notes.tell(error) }
    }
  }

  func tell(_ error: any Error, about id: Note.ID? = nil) {
    problems.next(Problem(note: id, error: error))
  }
}
