import Glibc
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
  /// system is reached, and when the folder that the path is in goes away.
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
private final class FileWatcher: Teardown {
  private typealias Notice = Inotify.Notice
  private typealias Departure = Departures.Departure
  private typealias Spot = WatchedFolder.Spot

  /// How long the halves of a move may be apart. The system tells of them one after the other, but
  /// for what other threads do in between.
  private static let patience: Duration = .milliseconds(10)

  /// How many moves of others, anywhere in the system, may come between the halves of an exchange.
  private static let farthestHalf: UInt32 = 16

  private let loop: EventLoop
  private let observer: Observer<FileChange, FileWatchError>
  private let isRecursive: Bool
  /// What is watched, as it was given.
  private let givenPath: PathBytes
  /// Where that leads to, whatever becomes of the working folder.
  private var path = PathBytes("")

  private var inotify: Inotify?
  private var watch: Watch?
  private var folders: [Int32: WatchedFolder] = [:]
  /// Where the path is a link: the number of the folder that the link is in, and its name.
  private var link: (folder: Int32, name: PathBytes)?
  /// How many notices wait behind the one that is handled.
  private var waiting = 0
  /// The folders that were looked into while notices waited.
  private var early: Set<Int32> = []
  /// Where a folder was looked for ahead of notices, which may tell that it is elsewhere: while they
  /// waited, or in vain. A folder moves first and is told of a moment later.
  private var unsure: Set<Spot> = []
  private var departures = Departures()
  private let departureAlarm: Alarm
  /// What was moved to somewhere last.
  private var lastArrival: (cookie: UInt32, spot: Spot, isFolder: Bool)?

  init(
    _ path: String, recursively: Bool, on loop: EventLoop,
    into observer: Observer<FileChange, FileWatchError>
  ) {
    self.loop = loop
    self.observer = observer
    isRecursive = recursively
    givenPath = PathBytes(path).trimmed
    departureAlarm = Alarm(on: loop)
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
  private func beginAgain() {
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
    inotify = nil
    folders = [:]
    link = nil
    early = []
    unsure = []
    departures = Departures()
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

  // MARK: - Notices

  private func readNotices() {
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
  private var isBehind: Bool { waiting > 0 || inotify?.isWaiting == true }

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
    settle(departures.take(name, from: folder))
    guard observer.isActive else { return }
    let departure = notice.tells(of: IN_MOVED_TO) ? departures.take(notice.cookie) : nil
    guard folder.covers(name) else { return settle(departure) }

    let isFolder = notice.tells(of: IN_ISDIR)
    if notice.tells(of: IN_MOVED_TO) {
      lastArrival = (notice.cookie, folder.spot(of: name), isFolder)
    }
    if let departure {
      move(departure, to: name, in: folder, isFolder: isFolder)
    } else if notice.tells(of: IN_CREATE | IN_MOVED_TO) {
      appear(name, in: folder, isFolder: isFolder)
    } else if notice.tells(of: IN_CLOSE_WRITE) {
      send(.modified(shownPath(of: name, in: folder)))
    } else if notice.tells(of: IN_DELETE) {
      disappear(name, from: folder)
    } else if notice.tells(of: IN_MOVED_FROM), !isExchange(notice, in: folder) {
      depart(Departure(cookie: notice.cookie, folder: folder, name: name))
    }
  }

  private func shownPath(of name: PathBytes, in folder: WatchedFolder) -> String {
    folder.path(of: name, below: givenPath).text
  }

  private func send(_ change: FileChange) {
    observer.next(change)
  }

  // MARK: - Changes

  private func appear(_ name: PathBytes, in folder: WatchedFolder, isFolder: Bool) {
    let isNews = folder.tell(name)
    let news = isNews ? FileChange.created(shownPath(of: name, in: folder)) : nil
    if isFolder { return cover(name, in: folder, telling: news, isNew: isNews) }
    if let news { send(news, ofFile: name, in: folder) }
    // What was a file or a folder is a link now.
    if observer.isActive, folder.isAround, path.status?.isLink == true { beginAgain() }
  }

  private func disappear(_ name: PathBytes, from folder: WatchedFolder) {
    let change = FileChange.deleted(shownPath(of: name, in: folder))
    let isNews = folder.untell(name)
    unsure.remove(folder.spot(of: name))
    if let gone = folder.folders[name] { forget(gone) }
    if isNews { send(change) }
  }

  private func move(
    _ departure: Departure, to name: PathBytes, in folder: WatchedFolder, isFolder: Bool
  ) {
    let old = shownPath(of: departure.name, in: departure.folder)
    let new = shownPath(of: name, in: folder)
    let wasKnown = departure.folder.untell(departure.name)
    unsure.remove(departure.folder.spot(of: departure.name))
    let isNews = folder.tell(name)
    let moved = departure.folder.folders[departure.name]
    // What is known of a folder moves with it, unless that is out of date, or ahead: of another thing
    // that has taken the old place since.
    let isTracked = moved.map { isFolder && !folder.isWithin($0) } ?? !(isFolder && isRecursive)
    let isMove = wasKnown && isNews && isTracked
    let news: FileChange?
    if isMove {
      if let replaced = folder.folders[name] { forget(replaced) }
      if let moved { folder.insert(moved, as: name) }
      news = .moved(from: old, to: new)
    } else {
      if let moved { forget(moved) }
      if wasKnown { send(.deleted(old)) }
      // It may have gone into a folder of its own, which had moved out of it ahead of the notices.
      guard isWatched(folder) else { return }
      news = isNews ? .created(new) : nil
    }
    if isFolder {
      cover(name, in: folder, telling: news, isNew: isNews && !isMove)
    } else if let news {
      send(news, ofFile: name, in: folder)
    }
  }

  /// A folder that was there has been exchanged with the file.
  private func send(_ news: FileChange, ofFile name: PathBytes, in folder: WatchedFolder) {
    if let replaced = folder.folders[name] {
      forget(replaced)
      send(.deleted(shownPath(of: name, in: folder)))
    }
    send(news)
  }

  // MARK: - Departures

  private func depart(_ departure: Departure) {
    if departures.isEmpty { waitForArrivals() }
    departures.insert(departure)
  }

  private func waitForArrivals() {
    departureAlarm.set(after: Self.patience) {
      let waiting = self.departures.inOrder
      // After a stall the other half may be there already.
      self.readNotices()
      self.settle(waiting)
      if !self.departures.isEmpty { self.waitForArrivals() }
    }
  }

  /// Counts what has departed as deleted, as it is known to arrive nowhere.
  private func settle(_ departure: Departure?) {
    if let departure { disappear(departure.name, from: departure.folder) }
  }

  private func settle(_ cookies: [UInt32]) {
    for cookie in cookies where observer.isActive { settle(departures.take(cookie)) }
  }

  /// Whether something leaves that has been exchanged with what arrived there last, in one call.
  ///
  /// The system tells of two moves, there and back, in a row but for those of others. It is one
  /// exchange if what arrived is there still.
  private func isExchange(_ notice: Notice, in folder: WatchedFolder) -> Bool {
    guard let lastArrival, lastArrival.spot == folder.spot(of: notice.name),
      notice.cookie &- lastArrival.cookie <= Self.farthestHalf
    else { return false }
    let place = folder.path(of: notice.name, below: path)
    guard place.status?.isFolder == lastArrival.isFolder else { return false }
    guard lastArrival.isFolder && tracksFolders(in: folder) else { return true }
    return number(of: place) == folder.folders[notice.name]?.number
  }

  /// The number of a folder, if it can be watched.
  private func number(of path: PathBytes) -> Int32? {
    guard let number = try? inotify?.add(path) else { return nil }
    if folders[number] == nil { stopWatching(number) }
    return number
  }

  // MARK: - Folders

  /// Sees to it that a folder is watched, where it is to be; tells the news of it, then of what is in
  /// it if it was not watched. If that is not new, the observer may think that something else is.
  private func cover(
    _ name: PathBytes, in folder: WatchedFolder, telling news: FileChange?, isNew: Bool
  ) {
    guard observer.isActive else { return }
    let shown = shownPath(of: name, in: folder)
    let wasWatched = folder.folders[name] != nil
    do throws(SystemError) {
      var added: WatchedFolder?
      if tracksFolders(in: folder) {
        if isBehind { unsure.insert(folder.spot(of: name)) }
        added = try add(name, in: folder)
      }
      if let news {
        // What was there is gone, or was exchanged.
        if isNew && added != nil && wasWatched { send(.deleted(shown)) }
        send(news)
      }
      guard let added else { return }
      if !isNew { replace(shown) }
      added.told = []
      try look(into: added)
    } catch {
      observer.failed(FileWatchError(error.code, at: shown))
    }
  }

  private func replace(_ path: String) {
    send(.deleted(path))
    send(.created(path))
  }

  /// Looks once more, when all notices have been read, where they may have been out of date.
  private func lookAgain() {
    let folders = early.compactMap { self.folders[$0] }.sorted { $0.depth < $1.depth }
    let spots = unsure
    early = []
    unsure = []
    for folder in folders where observer.isActive && isWatched(folder) {
      do throws(SystemError) {
        try look(into: folder)
      } catch {
        observer.failed(FileWatchError(error.code, at: givenPath.text))
      }
    }
    for spot in spots where observer.isActive {
      guard let folder = self.folders[spot.folder], folder.told == nil else { continue }
      cover(spot.name, in: folder, telling: nil, isNew: false)
    }
  }

  /// Watches a folder, and returns it if it was not watched before.
  ///
  /// Its path is only as good as the last notice that was read: the folder that is there now may be
  /// another one, or known from elsewhere. The number says which one it is.
  private func add(
    _ name: PathBytes, in parent: WatchedFolder
  ) throws(SystemError) -> WatchedFolder? {
    guard let inotify else { return nil }
    let path = parent.path(of: name, below: path)
    let number: Int32
    do throws(SystemError) {
      number = try inotify.add(path)
    } catch {
      guard Self.isLeftOut(error) else { throw error }
      if Self.isGone(error) { unsure.insert(parent.spot(of: name)) }
      return nil
    }
    let current = parent.folders[name]
    if let current, current.number == number { return nil }
    if let known = folders[number] {
      // One folder in two places is mounted twice: where it was seen first it stays.
      if parent.isWithin(known) || isStillThere(known, at: path) { return nil }
      if let place = known.parent, let name = known.name {
        unsure.insert(place.spot(of: name))
      }
      forget(known)
      return try add(name, in: parent)
    }
    if let current { forget(current) }
    let folder = WatchedFolder(number, at: .top)
    parent.insert(folder, as: name)
    folders[number] = folder
    return folder
  }

  private func isWatched(_ folder: WatchedFolder) -> Bool {
    folders[folder.number] === folder
  }

  /// Whether the folders in a folder are watched too.
  private func tracksFolders(in folder: WatchedFolder) -> Bool {
    isRecursive || folder.isAround
  }

  /// Whether a folder has gone since, as a notice will tell, or is one that nobody can look into.
  private static func isLeftOut(_ error: SystemError) -> Bool {
    isGone(error) || [EACCES, ENAMETOOLONG].contains(error.code)
  }

  private static func isGone(_ error: SystemError) -> Bool {
    [ENOENT, ENOTDIR, ELOOP].contains(error.code)
  }

  private func isStillThere(_ folder: WatchedFolder, at path: PathBytes) -> Bool {
    guard let there = folder.path(below: self.path).status, let here = path.status else {
      return false
    }
    return there.isSameFile(as: here)
  }

  /// Watches all that is below a folder, which is watched already; the observer looks for itself.
  private func addContents(of folder: WatchedFolder) throws(SystemError) {
    var rest = [folder]
    while let folder = rest.popLast() {
      guard isWatched(folder) else { continue }
      for entry in try entries(of: folder) ?? [] where entry.isFolder {
        if let added = try add(entry.name, in: folder) { rest.append(added) }
      }
    }
  }

  /// Tells of what is in a folder, as far as it has not been told of, and of what is not; and so on
  /// in those that are new. They are watched first: what is made meanwhile is seen, or told of by a
  /// notice, or both.
  private func look(into folder: WatchedFolder) throws(SystemError) {
    var rest = [folder]
    while observer.isActive, let folder = rest.popLast() {
      // Another one may have turned out to be the same, or around it.
      guard isWatched(folder) else { continue }
      guard let entries = try entries(of: folder) else {
        early.insert(folder.number)
        continue
      }
      for name in folder.told?.subtracting(entries.map(\.name)) ?? [] where observer.isActive {
        disappear(name, from: folder)
      }
      for entry in entries where observer.isActive {
        let isNew = folder.tell(entry.name)
        let shown = shownPath(of: entry.name, in: folder)
        let added = entry.isFolder && isRecursive ? try add(entry.name, in: folder) : nil
        if isNew { send(.created(shown)) } else if added != nil { replace(shown) }
        guard let added else { continue }
        added.told = []
        rest.append(added)
      }
      if isBehind { early.insert(folder.number) } else { folder.told = nil }
    }
  }

  /// What is in a folder; nil if nobody can look into it now.
  private func entries(of folder: WatchedFolder) throws(SystemError) -> [FolderEntry]? {
    do throws(SystemError) {
      return try FolderEntry.all(in: folder.path(below: path))
    } catch {
      guard Self.isLeftOut(error) else { throw error }
      return nil
    }
  }

  /// Stops watching a folder and all that is below it.
  private func forget(_ folder: WatchedFolder) {
    settle(departures.inOrder(from: folder.withAllBelow))
    folder.leave()
    for folder in folder.withAllBelow {
      folders[folder.number] = nil
      stopWatching(folder.number)
    }
  }

  private func stopWatching(_ number: Int32) {
    if number != link?.folder { inotify?.remove(number) }
  }
}
