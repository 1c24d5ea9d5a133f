import RunnelCollections
import RunnelLoop
import RunnelStreams

/// The files of a folder as a collection that follows them: each is read, and read again when it has
/// changed.
///
///     let sizes = FolderProperty("notes") { name, folder in
///       name.ending == ".txt" ? try? folder.file(name).contents().bytes.count : nil
///     }
///     sizes.open()
///     sizes.items.observe { print($0.collection.count) }
///
/// The folder is watched first and looked at then, so that nothing is missed. All that is done with
/// files happens on one thread, one thing after the other, and is reported back in the same order.
///
/// It belongs to the thread of its loop. Folders in the folder are left out.
public final class FolderProperty<Item: Equatable & Sendable> {
  /// What becomes of a file: an item of the collection, or nothing.
  public typealias Reader = @Sendable (_ name: FileName, _ folder: Folder) -> Item?

  /// A file that somebody has moved within the folder.
  public struct Rename: Hashable, Sendable {
    /// The name that it had.
    public let old: FileName
    /// The name that it has now.
    public let new: FileName
  }

  /// Where the files are.
  public let folder: Folder
  /// What was made of the files, by their names. What is changed here is not changed in the files.
  public let items = CollectionProperty<[FileName: Item]>()
  /// How much of a look at the whole folder is done; nil when that is all.
  public let progress = Property<Double?>(nil)
  /// Why the folder cannot be read or watched. That is tried again until it can; as long as it cannot
  /// be watched, it is looked at each time. What is known of the files stays meanwhile, unless the folder
  /// is not there.
  public let failures = PushStream<any Error>()
  /// Tells which file goes by another name, before it does so among the items, where the one of the old
  /// name goes, and one of the new name comes.
  public let renames = PushStream<Rename>()
  /// Tells which file was read, whether it is an item or not.
  public let readings = PushStream<FileName>()
  /// Changes an item before it gets into the collection.
  public var prepare: (inout Item) -> Void {
    get { preparation }
    set {
      let old = preparation
      preparation = newValue
      // Nothing is released while a property is modified: what is released may come back.
      withExtendedLifetime(old) {}
    }
  }
  /// Says of which files no item gets into the collection, as one who edits them knows better.
  public var isHeld: (_ name: FileName) -> Bool {
    get { hold }
    set {
      let old = hold
      hold = newValue
      withExtendedLifetime(old) {}
    }
  }

  /// A file that was read.
  struct Reading: Sendable {
    let name: FileName
    let item: Item?
    /// The link that was at its path.
    let link: LinkRule
  }

  let read: @Sendable (FileName, Folder) -> Reading
  private var preparation: (inout Item) -> Void = { _ in }
  private var hold: (FileName) -> Bool = { _ in false }
  /// The links that items were read through.
  private var links: [FileName: LinkRule] = [:]
  private let changes: EventStream<FileChange, FileWatchError>
  private let disk = WorkerPool(name: "disk", size: 1)
  private let looks = PushStream<Void>()
  /// The names of files that are about to be changed: what was read of them is out of date.
  private var busy: [FileName] = []
  /// How much is to be done with files.
  private let pending = Property(0)
  private let bag = DisposeBag()

  private static var backoff: Backoff { Backoff(maximum: .seconds(30)) }

  /// The files of the folder at a path, from ``open()`` on.
  public convenience init(
    _ path: String, on loop: EventLoop = .main,
    changes: EventStream<FileChange, FileWatchError>? = nil, read: @escaping Reader
  ) {
    self.init(Folder(path), on: loop, changes: changes, read: read)
  }

  /// The files of a folder, from ``open()`` on. The changes are those of the loop, unless they come
  /// from elsewhere.
  public init(
    _ folder: Folder, on loop: EventLoop = .main,
    changes: EventStream<FileChange, FileWatchError>? = nil, read: @escaping Reader
  ) {
    self.folder = folder
    self.changes = changes ?? loop.changes(at: folder.path)
    // What is being saved is seen for a moment, by another name.
    self.read = { name, folder in
      if name.isProvisional { return Reading(name: name, item: nil, link: .none) }
      // Before the file is read: a link that appears meanwhile is not to be followed.
      let link = folder.file(name).link
      return Reading(name: name, item: read(name, folder), link: link)
    }
    looks.flatMapLatest(weak: self) { files, _ in files.look() }
      .observeNext(weak: self) { $0.take($1) }.disposed(by: bag)
  }

  /// Makes the folder if need be, clears away what is left of saves that were cut short, watches the
  /// folder, and reads what is in it.
  public func open() {
    perform { folder throws(FileError) in
      try folder.make()
      try folder.cleanUp()
    } then: { [weak self] outcome in
      if case .failure(let error) = outcome { self?.failures.next(error) }
      self?.watch()
    }
  }

  /// Does something with files when all is done that was to be done before. Then those that it
  /// changes are read again, whatever has come of it.
  public func perform<Output: Sendable>(
    changing names: [FileName] = [],
    _ work: @escaping @Sendable (Folder) throws(FileError) -> Output,
    then: @escaping (Result<Output, FileError>) -> Void = { _ in }
  ) {
    let folder = folder
    busy += names
    pending.value += 1
    EventStream.perform(on: disk) { () throws(FileError) in try work(folder) }.results()
      .observeNext(weak: self) { files, outcome in
        for name in names {
          if let index = files.busy.firstIndex(of: name) { files.busy.remove(at: index) }
        }
        then(outcome)
        for name in names { files.reload(name) }
        files.pending.value -= 1
      }
  }

  /// Whether something is still to be done that changes files.
  public var isChanging: Bool { !busy.isEmpty }

  /// Completes when everything is done with files that was to be done, and what was changed is read.
  public func idle() -> Completable<Never> {
    pending.first { $0 == 0 }.asCompletable()
  }

  /// Reads a file again.
  public func reload(_ name: FileName) {
    let read = read
    perform { folder throws(FileError) in
      [read(name, folder)]
    } then: {
      [weak self] outcome in
      self?.take((try? outcome.get()) ?? [])
    }
  }

  /// The link that the item of a file was read through. A text goes where it was read.
  func link(of name: FileName) -> LinkRule { links[name] ?? .none }

  /// Notes that a file is about to be moved: a link leads where it led before.
  func moveLink(of name: FileName, to newName: FileName) { links[newName] = links[name] }

  /// Puts the item of a file that was read in its place.
  func show(_ reading: Reading) {
    links[reading.name] = reading.link == .none ? nil : reading.link
    put(reading.item, as: reading.name)
  }

  /// Puts an item in the place of what goes by its name, unless that is the same.
  public func put(_ item: Item?, as name: FileName) {
    var item = item
    if var changed = item {
      prepare(&changed)
      item = changed
    }
    if item != items[name] { items[name] = item }
  }

  // MARK: - Watching

  private func watch() {
    EventStream.merge(changes, .just(.rescan))
      .do(failed: { [weak self] error in
        self?.failures.next(error)
        // What is there is shown all the same.
        if self?.progress.value == nil { self?.looks.next(()) }
      })
      .retry(backoff: Self.backoff)
      .observe(next: { [weak self] in self?.follow($0) }).disposed(by: bag)
  }

  private func follow(_ change: FileChange) {
    switch change {
    case .rescan, .created(folder.path), .deleted(folder.path): looks.next(())
    case .created(let path), .modified(let path), .deleted(let path): reload(FileName(ofPath: path))
    case .moved(let old, let new):
      follow(Rename(old: FileName(ofPath: old), new: FileName(ofPath: new)))
    }
  }

  /// Reads both files. Those that change places are told of as one that goes there and back: only
  /// reading tells whether there is one less.
  private func follow(_ rename: Rename) {
    let read = read
    perform { folder throws(FileError) in
      [rename.old, rename.new].map { read($0, folder) }
    } then: { [weak self] outcome in
      guard let self, case .success(let files) = outcome else { return }
      let isOne = files[0].item == nil && files[1].item != nil && items[rename.old] != nil
      if isOne, !busy.contains(rename.old), !busy.contains(rename.new), !isHeld(rename.new) {
        renames.next(rename)
      }
      take(files)
    }
  }

  // MARK: - Reading

  private typealias Readings = [Reading]

  /// Reads all files, some at a time, so that what is saved meanwhile does not have to wait for all.
  private func look() -> EventStream<Readings, Never> {
    progress.value = 0
    let folder = folder
    return EventStream.perform(on: disk) { () throws(FileError) in try folder.names() }
      .do(failed: { [weak self] in self?.failures.next($0) })
      .catch { error throws(FileError) in
        // Where there is no folder, the watcher tells when there is one.
        if case .missing = error { .just([]) } else { .failed(error) }
      }
      .retry(backoff: Self.backoff).results()
      .flatMapLatest(weak: self) { $0.read((try? $1.get()) ?? []) }
      .do(completed: { [progress] in progress.value = nil })
  }

  private func read(_ names: [FileName]) -> EventStream<Readings, Never> {
    let all = names + Set(items.value.map(\.key)).subtracting(names)
    let (folder, read) = (folder, read)
    // Two at a time: some are read while those before get into the collection.
    return EventStream<Int, Never>.sequence(stride(from: 0, to: all.count, by: 100))
      .flatMap(maxConcurrent: 2, weak: self) { files, start in
        .perform(on: files.disk) {
          all[start...].prefix(100).map { read($0, folder) }
        }
        .do(next: { [progress = files.progress] in
          progress.value = Double(start + $0.count) / Double(all.count)
        })
      }
  }

  private func take(_ files: Readings) {
    items.batch {
      for file in files where !isHeld(file.name) && !busy.contains(file.name) { show(file) }
    }
    for file in files { readings.next(file.name) }
  }
}
