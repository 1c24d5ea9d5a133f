import RunnelCollections
import RunnelLoop
import RunnelStreams

/// The files of a folder as a live collection. Each file is read, and read again when it changes.
///
///     let sizes = FolderProperty("notes") { name, folder in
///       name.ending == ".txt" ? try? folder.file(name).contents().bytes.count : nil
///     }
///     sizes.open()
///     sizes.items.observe { print($0.collection.count) }
///
/// The folder is watched first and read afterwards, so that no change is missed. All file
/// operations run on one worker thread in order, and their results arrive in the same order.
///
/// The object belongs to the thread of its loop. Subfolders are ignored, unless the property is
/// created with `recursively`. The name of a file in a subfolder is its path from the folder. Hidden
/// subfolders are ignored, and links to folders are not followed.
public final class FolderProperty<Item: Equatable & Sendable> {
  /// A function that reads a file and returns its item, or nil if the file has none.
  public typealias Reader = @Sendable (_ name: FileName, _ folder: Folder) -> Item?

  /// A move of a file within the folder by another process.
  public struct Rename: Hashable, Sendable {
    /// The previous name.
    public let old: FileName
    /// The new name.
    public let new: FileName
  }

  /// The folder of the files.
  public let folder: Folder
  private let isRecursive: Bool
  /// The items of the files by name. Changing this collection does not change the files.
  public let items = CollectionProperty<[FileName: Item]>()
  /// The completed part of a scan of the folder, from 0 to 1; nil when no scan runs.
  public let progress = Property<Double?>(nil)
  /// Sends errors of reading or watching the folder, which is retried until it succeeds. While the
  /// folder cannot be watched, each retry scans it. The items are kept meanwhile, unless the folder
  /// does not exist.
  public let failures = PushStream<any Error>()
  /// Sends the rename of a file before the items change: the item of the old name is removed, and
  /// one of the new name is inserted.
  public let renames = PushStream<Rename>()
  /// Sends the name of each file that was read, even if it has no item.
  public let readings = PushStream<FileName>()
  /// A closure that changes an item before it is inserted into the collection.
  public var prepare: (inout Item) -> Void {
    get { preparation }
    set { release(exchange(&preparation, with: newValue)) }
  }
  /// A closure that returns true for files whose items must not change, for example because they
  /// are being edited.
  public var isHeld: (_ name: FileName) -> Bool {
    get { hold }
    set { release(exchange(&hold, with: newValue)) }
  }

  struct Reading: Sendable {
    let name: FileName
    let item: Item?
    /// The link at the path of the file.
    var link: LinkRule
  }

  let read: @Sendable (FileName, Folder) -> Reading
  private var preparation: (inout Item) -> Void = { _ in }
  private var hold: (FileName) -> Bool = { _ in false }
  /// The links that items were read through.
  private var links: [FileName: LinkRule] = [:]
  private var linkedFolders: Set<PathBytes> = []
  private let changes: EventStream<FileChange, FileWatchError>
  private let disk = WorkerPool(name: "disk", size: 1)
  private let scanRequests = PushStream<Void>()
  /// The names of files that are about to be changed: earlier readings of them are out of date.
  private var busy: [FileName] = []
  /// The number of file operations that have not finished.
  private let pending = Property(0)
  private let bag = DisposeBag()

  private static var backoff: Backoff { Backoff(maximum: .seconds(30)) }

  /// Creates a collection of the files at a path. It is empty until ``open()``.
  public convenience init(
    _ path: String, recursively: Bool = false, on loop: EventLoop = .main,
    changes: EventStream<FileChange, FileWatchError>? = nil, read: @escaping Reader
  ) {
    self.init(Folder(path), recursively: recursively, on: loop, changes: changes, read: read)
  }

  /// Creates a collection of the files in a folder. It is empty until ``open()``. `changes`
  /// replaces the file watcher of the loop.
  public init(
    _ folder: Folder, recursively: Bool = false, on loop: EventLoop = .main,
    changes: EventStream<FileChange, FileWatchError>? = nil, read: @escaping Reader
  ) {
    self.folder = folder
    isRecursive = recursively
    self.changes = changes ?? loop.changes(at: folder.path, recursively: recursively)
    // A file that is being saved has a provisional name for a moment.
    self.read = { name, folder in
      if name.isProvisional || FileName(name.folder).isHidden {
        return Reading(name: name, item: nil, link: .none)
      }
      // The link is read first: a link that appears later must not be followed.
      let link = folder.file(name).link
      return Reading(name: name, item: read(name, folder), link: link)
    }
    scanRequests.flatMapLatest(weak: self) { files, _ in files.scan() }
      .observeNext(weak: self) { $0.take($1) }.disposed(by: bag)
  }

  /// Creates the folder if it is missing, cleans up after interrupted saves, watches the folder,
  /// and reads its files.
  public func open() {
    perform { [isRecursive] folder throws(FileError) in
      try folder.make()
      try folder.cleanUp()
      guard isRecursive else { return }
      for name in Set(try folder.names(recursively: true).map(\.folder)) where !name.isEmpty {
        try Folder(folder.file(name).path).cleanUp()
      }
    } then: { [weak self] outcome in
      if case .failure(let error) = outcome { self?.failures.next(error) }
      self?.watch()
    }
  }

  /// Runs file operations on the worker thread, after the previous ones. Then reads the named files
  /// again, even after an error.
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

  /// True while an operation that changes files has not finished.
  public var isChanging: Bool { !busy.isEmpty }

  /// Completes when all file operations have finished and the changed files are read.
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

  /// Returns the link that the item of a file was read through. A text is saved to the same target.
  func link(of name: FileName) -> LinkRule { links[name] ?? .none }

  /// Copies the link of a file that is about to be renamed within its folder, because the renamed link
  /// has the same target.
  func moveLink(of name: FileName, to newName: FileName) { links[newName] = links[name] }

  /// Stores the item of a file that was read.
  func show(_ reading: Reading) {
    var link = reading.link
    link.share(&linkedFolders)
    links[reading.name] = reading.item == nil || link == .none ? nil : link
    put(reading.item, as: reading.name)
  }

  /// Stores an item under a name, unless the stored item is equal.
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
        // The folder can be read even if it cannot be watched.
        if self?.progress.value == nil { self?.scanRequests.next(()) }
      })
      .retry(backoff: Self.backoff)
      .observe(next: { [weak self] in self?.follow($0) }).disposed(by: bag)
  }

  private func follow(_ change: FileChange) {
    switch change {
    case .rescan, .created(folder.path), .deleted(folder.path): scanRequests.next(())
    case .created(let path), .modified(let path): reload(name(ofPath: path))
    case .deleted(let path):
      let name = name(ofPath: path)
      for file in [name] + files(below: name) { reload(file) }
    case .moved(let old, let new): follow(Rename(old: name(ofPath: old), new: name(ofPath: new)))
    }
  }

  /// Returns the name of the file at a path, which must begin with the path of the folder.
  public func name(ofPath path: String) -> FileName {
    let start = folder.path == "/" ? "/" : folder.path + "/"
    guard isRecursive, path.utf8.starts(with: start.utf8) else { return FileName(ofPath: path) }
    return FileName(String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self))
  }

  /// A name that has an item is not a subfolder.
  private func files(below folder: FileName) -> [FileName] {
    guard isRecursive, items[folder] == nil else { return [] }
    let start = folder.text + "/"
    return items.value.map(\.key).filter { $0.text.utf8.starts(with: start.utf8) }
  }

  /// Reads both files. An exchange of two files is reported as two moves, so only reading shows if
  /// one of them is gone.
  private func follow(_ rename: Rename) {
    let (read, isRecursive) = (read, isRecursive)
    perform { folder throws(FileError) in
      let files = [rename.old, rename.new].map { read($0, folder) }
      let path = PathBytes(folder.file(rename.new).path)
      return (files, isFolder: isRecursive && path.status?.isFolder == true)
    } then: { [weak self] outcome in
      guard let self, case .success((let files, let isFolder)) = outcome else { return }
      if isFolder { return followFolder(rename) }
      let isOne = files[0].item == nil && files[1].item != nil && items[rename.old] != nil
      if isOne, !busy.contains(rename.old), !busy.contains(rename.new), !isHeld(rename.new) {
        renames.next(rename)
      }
      take(files)
    }
  }

  /// Follows the files of a subfolder that was moved. If it was hidden before, they are new.
  private func followFolder(_ rename: Rename) {
    for old in files(below: rename.old) {
      let path = old.text.utf8.dropFirst(rename.old.text.utf8.count + 1)
      follow(Rename(old: old, new: FileName(String(path) ?? "").inside(rename.new.text)))
    }
    scanRequests.next(())
  }

  // MARK: - Reading

  private typealias Readings = [Reading]

  /// The first pieces are small, so that some items are shown soon. Later ones are larger, because
  /// drawing an app after a piece costs as much as reading about 40 files.
  private static func pieces(of count: Int) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var (start, size) = (0, 100)
    while start < count {
      let end = min(start + size, count)
      pieces.append(start..<end)
      (start, size) = (end, min(2 * size, 800))
    }
    return pieces
  }

  /// Reads all files in pieces, so that a save need not wait for all of them.
  private func scan() -> EventStream<Readings, Never> {
    progress.value = 0
    let folder = folder
    return EventStream.perform(on: disk) { [isRecursive] () throws(FileError) in
      try folder.names(recursively: isRecursive)
    }
    .do(failed: { [weak self] in self?.failures.next($0) })
    .catch { error throws(FileError) in
      // If the folder is missing, the watcher reports when it is created.
      if case .missing = error { .just([]) } else { .failed(error) }
    }
    .retry(backoff: Self.backoff).results()
    .flatMapLatest(weak: self) { $0.read((try? $1.get()) ?? []) }
    .do(completed: { [progress] in progress.value = nil })
  }

  private func read(_ names: [FileName]) -> EventStream<Readings, Never> {
    let all = names + Set(items.value.map(\.key)).subtracting(names)
    let (folder, read) = (folder, read)
    // Two pieces at a time: one is read while the items of the other are inserted.
    return EventStream<Range<Int>, Never>.sequence(Self.pieces(of: all.count))
      .flatMap(maxConcurrent: 2, weak: self) { files, piece in
        .perform(on: files.disk) {
          let folder = folder.resolved
          return all[piece].map { read($0, folder) }
        }
        .do(next: { [progress = files.progress] _ in
          progress.value = Double(piece.upperBound) / Double(all.count)
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
