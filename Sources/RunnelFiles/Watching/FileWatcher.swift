import Glibc
import RunnelLoop
import RunnelStreams

extension EventLoop {
  /// Sends the changes of a file, of a folder's contents, or of a whole tree of folders.
  ///
  ///     loop.changes(at: "notes", recursively: true).observe(
  ///       next: { change in
  ///         switch change {
  ///         case .created(let path), .modified(let path): show("read \(path)")
  ///         case .deleted(let path): show("removed \(path)")
  ///         case .moved(let old, let new): show("renamed \(old) to \(new)")
  ///         case .rescan: show("read everything again")
  ///         }
  ///       }, failed: { show("\($0)") })
  ///
  /// *Events*: all changes after `observe` has returned. Observe first and read the files
  /// afterwards, and no change is missed; some changes may be visible in the files already. A
  /// deleted file or folder stays watched, because editors often delete and create a file to save
  /// it. Links are not followed, except for the path itself. Unreadable folders below the path are
  /// skipped.
  ///
  /// Only changes through this system are seen, by processes that write and close a file. Writing
  /// to mapped memory and truncating by path are not seen. If two files are exchanged in one call,
  /// one is reported as moved and the other as created. If they move again within that moment, the
  /// changes may be wrong.
  ///
  /// The stream fails with a ``FileWatchError`` if the path does not exist, if a limit of the
  /// system is reached, if the parent folder is removed, or if a new folder at the path cannot be
  /// read.
  ///
  /// Mounting over a watched folder, and unmounting, is detected if `/proc` is available. A new
  /// target of the path is detected if its last component or its parent folder is replaced. If a
  /// folder further up is moved, or a link there changes, the original folder stays watched.
  ///
  /// *Timing*: a file that is moved away counts as deleted if it has not arrived elsewhere in 10
  /// ms.
  ///
  /// *Complexity*: observing a tree, or moving a tree into one, takes time proportional to the
  /// number of its folders. Each observation uses one inotify instance, of which a user has 128 by
  /// default.
  public func changes(
    at path: String, recursively: Bool = false
  ) -> EventStream<FileChange, FileWatchError> {
    .unguarded { observer in
      self.mustBeCurrent("observing changes(at:)")
      let watcher = FileWatcher(path, recursively: recursively, on: self, into: observer)
      observer.observation.add(watcher)
      watcher.begin()
    }
  }
}

/// Tracks the watched folders of one observer, and reports the changes to it.
final class FileWatcher: Teardown {
  typealias Notice = Inotify.Notice
  typealias Departure = PendingMoves.Departure
  typealias Spot = WatchedFolder.Spot

  private let loop: EventLoop
  let observer: Observer<FileChange, FileWatchError>
  let isRecursive: Bool
  let givenPath: PathBytes
  /// The resolved path, independent of the working folder.
  var path = PathBytes("")

  var inotify: Inotify?
  private var watch: Watch?
  private var mounts: MountTable?
  private var mountWatch: Watch?
  var folders: [Int32: WatchedFolder] = [:]
  /// If the path is a link: the number of the folder that contains the link, and its name.
  var link: (folder: Int32, name: PathBytes)?
  /// The number of notices after the one that is being handled.
  private var waiting = 0
  /// The folders that were read while notices waited.
  var foldersReadEarly: Set<Int32> = []
  /// The places where a folder was looked up while notices waited, or was not found. A folder moves
  /// before its notice is queued, so it may be elsewhere.
  var uncertainSpots: Set<Spot> = []
  var pendingMoves = PendingMoves()
  let departureAlarm: RestartableTimer
  var lastArrival: (cookie: UInt32, spot: Spot, isFolder: Bool)?

  init(
    _ path: String, recursively: Bool, on loop: EventLoop,
    into observer: Observer<FileChange, FileWatchError>
  ) {
    self.loop = loop
    self.observer = observer
    isRecursive = recursively
    givenPath = PathBytes(path).trimmed
    departureAlarm = RestartableTimer(on: loop)
  }

  // MARK: - Start and end

  func begin() {
    do throws(FileWatchError) {
      try open(try resolve(isFirst: true), isFirst: true)
    } catch {
      observer.failed(error)
    }
  }

  func tearDown() {
    close()
    departureAlarm.tearDown()
  }

  /// Restarts when the known state of the folders is unreliable.
  func restart() {
    close()
    do throws(FileWatchError) {
      try open(try resolve(isFirst: false), isFirst: false)
    } catch {
      return observer.failed(error)
    }
    observer.next(.rescan)
  }

  private func close() {
    watch?.end()
    watch = nil
    mountWatch?.end()
    mountWatch = nil
    mounts = nil
    inotify = nil
    folders = [:]
    link = nil
    foldersReadEarly = []
    uncertainSpots = []
    pendingMoves = PendingMoves()
    lastArrival = nil
    departureAlarm.cancel()
  }

  /// Resolves the path. After the first time, the last component may be missing.
  private func resolve(isFirst: Bool) throws(FileWatchError) -> PathBytes {
    switch givenPath.resolved {
    case .success(let path): return path
    case .failure(let error):
      if error.code == ENOENT, !isFirst, let parts = givenPath.parts,
        case .success(let folder) = parts.folder.resolved
      {
        return folder.appending(parts.name)
      }
      throw FileWatchError(error.code, at: givenPath.text)
    }
  }

  private func open(_ path: PathBytes, isFirst: Bool) throws(FileWatchError) {
    self.path = path
    do throws(SystemError) {
      // Mounts are read before folders are watched, so that no mount is missed.
      mounts = try MountTable(around: path)
      mountWatch = try mounts?.watch(on: loop) { self.readMounts() }
      let inotify = try Inotify()
      self.inotify = inotify
      watch = try inotify.watch(on: loop) { self.readNotices() }
      try watchLink(with: inotify)
      let isFolder = path.status?.isFolder ?? false
      guard let parts = path.parts else { return try addTop(with: inotify) }
      do throws(SystemError) {
        let around = try addOutermost(parts.folder, .around(parts.name), with: inotify)
        if isFolder { try addTop(parts.name, in: around, with: inotify) }
      } catch {
        // If the parent cannot be read, the folder itself reports its removal.
        guard error.code == EACCES && isFolder else { throw error }
        try addTop(with: inotify)
      }
    } catch {
      // A path that has gone since then is reported when it is created again.
      if error.code == ENOENT && !isFirst { return }
      throw FileWatchError(error.code, at: givenPath.text)
    }
  }

  /// If the path is a link, watches its folder, so that a new target is detected.
  private func watchLink(with inotify: Inotify) throws(SystemError) {
    guard givenPath.status?.isLink == true, let parts = givenPath.parts,
      case .success(let folder) = parts.folder.resolved
    else { return }
    link = (try inotify.add(folder), parts.name)
  }

  private func addOutermost(
    _ path: PathBytes, _ place: WatchedFolder.Place, with inotify: Inotify
  ) throws(SystemError) -> WatchedFolder {
    let folder = WatchedFolder(try inotify.add(path), at: place)
    folders[folder.number] = folder
    return folder
  }

  private func addTop(with inotify: Inotify) throws(SystemError) {
    let top = try addOutermost(path, .top, with: inotify)
    if isRecursive { try addContents(of: top) }
  }

  private func addTop(
    _ name: PathBytes, in around: WatchedFolder, with inotify: Inotify
  ) throws(SystemError) {
    let top = WatchedFolder(try inotify.add(path), at: .top)
    around.insert(top, as: name)
    folders[top.number] = top
    if isRecursive { try addContents(of: top) }
  }

  // MARK: - Mounts

  /// Checks each folder after a mount or an unmount: another one may be at its path.
  private func readMounts() {
    guard mounts?.update() == true else { return }
    for folder in folders.values where folder.isOutermost {
      let place = folder.isAround ? path.parts?.folder ?? path : path
      if number(of: place) != folder.number { return restart() }
    }
    for folder in folders.values {
      guard let parent = folder.parent, let name = folder.name else { continue }
      uncertainSpots.insert(parent.spot(of: name))
    }
    recheck()
  }

  // MARK: - Notices

  func readNotices() {
    guard let inotify else { return }
    let (notices, isAll) = loop.inputOutput.withBuffer { inotify.read(into: $0) }
    waiting = notices.count
    for notice in notices {
      waiting -= 1
      handle(notice)
      guard observer.isActive, self.inotify === inotify else { return }
    }
    if isAll { recheck() }
  }

  /// True if the file system may be newer than the known state.
  var isBehind: Bool { waiting > 0 || inotify?.isWaiting == true }

  private func handle(_ notice: Notice) {
    if notice.contains(IN_Q_OVERFLOW | IN_UNMOUNT) { return restart() }
    if let link, notice.folder == link.folder {
      let isLost = notice.contains(IN_IGNORED | IN_MOVE_SELF)
      let isChanged = notice.name == link.name && !notice.contains(IN_CLOSE_WRITE)
      if isLost || isChanged { return restart() }
    }
    guard let folder = folders[notice.folder] else { return }
    if notice.contains(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) {
      // For other folders, the parent reports the change.
      if folder.isOutermost { restart() }
      return
    }
    handle(notice, in: folder)
  }

  private func handle(_ notice: Notice, in folder: WatchedFolder) {
    let name = notice.name
    // An earlier departure from this place has no arrival, nor have earlier departures from inside
    // it.
    settle(pendingMoves.take(name, from: folder))
    guard observer.isActive else { return }
    let departure = notice.contains(IN_MOVED_TO) ? pendingMoves.take(notice.cookie) : nil
    guard folder.includes(name) else { return settle(departure) }

    let isFolder = notice.contains(IN_ISDIR)
    if notice.contains(IN_MOVED_TO) {
      lastArrival = (notice.cookie, folder.spot(of: name), isFolder)
    }
    if let departure {
      move(departure, to: name, in: folder, isFolder: isFolder)
    } else if notice.contains(IN_CREATE | IN_MOVED_TO) {
      let wasMoved = notice.contains(IN_MOVED_TO)
      appear(name, in: folder, isFolder: isFolder, wasMoved: wasMoved)
    } else if notice.contains(IN_CLOSE_WRITE) {
      send(.modified(shownPath(of: name, in: folder)))
    } else if notice.contains(IN_DELETE) {
      disappear(name, from: folder)
    } else if notice.contains(IN_MOVED_FROM), !isExchange(notice, in: folder) {
      recordDeparture(Departure(cookie: notice.cookie, folder: folder, name: name))
    }
  }

  func shownPath(of name: PathBytes, in folder: WatchedFolder) -> String {
    folder.path(of: name, below: givenPath).text
  }

  func send(_ change: FileChange) {
    observer.next(change)
  }
}
