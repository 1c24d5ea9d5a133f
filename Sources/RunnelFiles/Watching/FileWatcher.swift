import Glibc
import RunnelLoop
import RunnelStreams

extension EventLoop {
  /// Sends the changes of a file, of what is in a folder, or of a whole tree of folders.
  ///
  ///     loop.changes(at: "notes", recursively: true).observe(
  ///       next: { change in
  ///         switch change {
  ///         case .created(let path), .modified(let path): show("\(path) is to be read")
  ///         case .deleted(let path): show("\(path) is gone")
  ///         case .moved(let old, let new): show("\(old) is \(new) now")
  ///         case .rescan: show("all of it is to be looked at again")
  ///         }
  ///       }, failed: { show("\($0)") })
  ///
  /// *Events*: what happens after `observe` has returned is sent: observe first, then look at what is
  /// there, and nothing is missed. A change may be sent that the look has already shown. What is
  /// deleted goes on being watched, should it be created anew, as editors do when they save. Links
  /// are not followed, but for the path itself. Folders below it that this process cannot read are
  /// left out. Only those changes count that are made through this system, by someone who writes
  /// and closes: one who writes into mapped memory or truncates by path is not seen. Of two that are
  /// exchanged in one call, one is moved and the other created; should they move on within that
  /// moment, what is sent of them may be wrong.
  ///
  /// The stream fails with a ``FileWatchError`` where nothing is at the path, where a limit of the
  /// system is reached, when the folder that the path is in goes away, and when a folder that is made
  /// anew at the path cannot be read.
  ///
  /// A file system that is mounted over a watched folder, or is not any more, is seen, where `/proc` is
  /// mounted. That the path leads elsewhere is seen where the last name of it, or the folder that it is
  /// in, is another one. Where a folder further up is moved, or a link among them is changed, what was there
  /// at first goes on being watched.
  ///
  /// *Timing*: what is moved away counts as deleted when it has not turned up elsewhere in ten
  /// milliseconds.
  ///
  /// *Complexity*: observing a tree, and a tree that is moved into one, takes time in proportion to
  /// the folders. Each observation is a watcher of its own, of which a user has 128 by default.
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

/// Keeps the watched folders in step with the file system, and tells one observer of the changes.
final class FileWatcher: Teardown {
  typealias Notice = Inotify.Notice
  typealias Departure = PendingMoves.Departure
  typealias Spot = WatchedFolder.Spot

  private let loop: EventLoop
  let observer: Observer<FileChange, FileWatchError>
  let isRecursive: Bool
  /// What is watched, as it was given.
  let givenPath: PathBytes
  /// Where that leads to, whatever becomes of the working folder.
  var path = PathBytes("")

  var inotify: Inotify?
  private var watch: Watch?
  private var mounts: MountTable?
  private var mountWatch: Watch?
  var folders: [Int32: WatchedFolder] = [:]
  /// Where the path is a link: the number of the folder that the link is in, and its name.
  var link: (folder: Int32, name: PathBytes)?
  /// How many notices wait behind the one that is handled.
  private var waiting = 0
  /// The folders that were looked into while notices waited.
  var early: Set<Int32> = []
  /// Where a folder was looked for ahead of notices, which may tell that it is elsewhere: while they
  /// waited, or in vain. A folder moves first and is told of a moment later.
  var unsure: Set<Spot> = []
  var pendingMoves = PendingMoves()
  let departureAlarm: RestartableTimer
  /// What was moved to somewhere last.
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

  // MARK: - Beginning and ending

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

  /// Begins anew where what is known of the folders cannot be trusted any more.
  func beginAgain() {
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
    early = []
    unsure = []
    pendingMoves = PendingMoves()
    lastArrival = nil
    departureAlarm.cancel()
  }

  /// Where the path leads to. What was there once may be missing, as long as its folder is there.
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
      // Before folders are watched: what is mounted from now on is seen.
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
        // Then the folder itself tells when it goes.
        guard error.code == EACCES && isFolder else { throw error }
        try addTop(with: inotify)
      }
    } catch {
      // What has gone since then is told of when it comes back.
      if error.code == ENOENT && !isFirst { return }
      throw FileWatchError(error.code, at: givenPath.text)
    }
  }

  /// Watches a link that the path is, so that it is seen when it leads elsewhere.
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

  /// Looks again at each folder when something was mounted or unmounted: there may be another one at its
  /// path.
  private func readMounts() {
    guard mounts?.update() == true else { return }
    for folder in folders.values where folder.isOutermost {
      let place = folder.isAround ? path.parts?.folder ?? path : path
      if number(of: place) != folder.number { return beginAgain() }
    }
    for folder in folders.values {
      if let parent = folder.parent, let name = folder.name { unsure.insert(parent.spot(of: name)) }
    }
    lookAgain()
  }

  // MARK: - Notices

  func readNotices() {
    guard let inotify else { return }
    let (notices, isAll) = inotify.read(into: loop.scratch)
    waiting = notices.count
    for notice in notices {
      waiting -= 1
      handle(notice)
      guard observer.isActive, self.inotify === inotify else { return }
    }
    if isAll { lookAgain() }
  }

  /// Whether the file system may be ahead of what is known of it.
  var isBehind: Bool { waiting > 0 || inotify?.isWaiting == true }

  private func handle(_ notice: Notice) {
    if notice.tells(of: IN_Q_OVERFLOW | IN_UNMOUNT) { return beginAgain() }
    if let link, notice.folder == link.folder {
      let isLost = notice.tells(of: IN_IGNORED | IN_MOVE_SELF)
      let isChanged = notice.name == link.name && !notice.tells(of: IN_CLOSE_WRITE)
      if isLost || isChanged { return beginAgain() }
    }
    guard let folder = folders[notice.folder] else { return }
    if notice.tells(of: IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) {
      // For the others the folder that they are in tells.
      if folder.isOutermost { beginAgain() }
      return
    }
    handle(notice, in: folder)
  }

  private func handle(_ notice: Notice, in folder: WatchedFolder) {
    let name = notice.name
    // What left this place before has left it before this happens, and with it what had left that.
    settle(pendingMoves.take(name, from: folder))
    guard observer.isActive else { return }
    let departure = notice.tells(of: IN_MOVED_TO) ? pendingMoves.take(notice.cookie) : nil
    guard folder.covers(name) else { return settle(departure) }

    let isFolder = notice.tells(of: IN_ISDIR)
    if notice.tells(of: IN_MOVED_TO) {
      lastArrival = (notice.cookie, folder.spot(of: name), isFolder)
    }
    if let departure {
      move(departure, to: name, in: folder, isFolder: isFolder)
    } else if notice.tells(of: IN_CREATE | IN_MOVED_TO) {
      let wasMoved = notice.tells(of: IN_MOVED_TO)
      appear(name, in: folder, isFolder: isFolder, wasMoved: wasMoved)
    } else if notice.tells(of: IN_CLOSE_WRITE) {
      send(.modified(shownPath(of: name, in: folder)))
    } else if notice.tells(of: IN_DELETE) {
      disappear(name, from: folder)
    } else if notice.tells(of: IN_MOVED_FROM), !isExchange(notice, in: folder) {
      depart(Departure(cookie: notice.cookie, folder: folder, name: name))
    }
  }

  func shownPath(of name: PathBytes, in folder: WatchedFolder) -> String {
    folder.path(of: name, below: givenPath).text
  }

  func send(_ change: FileChange) {
    observer.next(change)
  }
}
