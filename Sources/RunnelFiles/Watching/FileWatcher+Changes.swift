import Glibc
import RunnelLoop

extension FileWatcher {
  /// The longest time between the two halves of a move. The system queues them one after the other,
  /// unless other threads cause notices in between.
  private static let moveTimeout: Duration = .milliseconds(10)

  /// The largest number of other moves in the system between the two halves of an exchange.
  private static let maximumCookieDistance: UInt32 = 16

  func appear(_ name: PathBytes, in folder: WatchedFolder, isFolder: Bool, wasMoved: Bool) {
    // A moved file may have replaced one that was there when the folder was read.
    let isUnreported = folder.markReported(name) || wasMoved && !isFolder
    let change = isUnreported ? FileChange.created(shownPath(of: name, in: folder)) : nil
    if isFolder { return track(name, in: folder, reporting: change, isNew: isUnreported) }
    if let change { send(change, ofFile: name, in: folder) }
    // The watched path has become a link.
    if observer.isActive, folder.isAround, path.status?.isLink == true { restart() }
  }

  func disappear(_ name: PathBytes, from folder: WatchedFolder) {
    let change = FileChange.deleted(shownPath(of: name, in: folder))
    let isUnreported = folder.markRemoved(name)
    uncertainSpots.remove(folder.spot(of: name))
    if let gone = folder.folders[name] { forget(gone) }
    if isUnreported { send(change) }
  }

  func move(
    _ departure: Departure, to name: PathBytes, in folder: WatchedFolder, isFolder: Bool
  ) {
    let old = shownPath(of: departure.name, in: departure.folder)
    let new = shownPath(of: name, in: folder)
    let wasKnown = departure.folder.markRemoved(departure.name)
    uncertainSpots.remove(departure.folder.spot(of: departure.name))
    let isUnreported = folder.markReported(name)
    let moved = departure.folder.folders[departure.name]
    // The state of a folder moves with it. It is dropped if it is out of date, or if it already
    // belongs to another folder at the old path.
    let isTracked = moved.map { isFolder && !folder.isWithin($0) } ?? !(isFolder && isRecursive)
    let isMove = wasKnown && isUnreported && isTracked
    let change: FileChange?
    if isMove {
      if let replaced = folder.folders[name] { forget(replaced) }
      if let moved { folder.insert(moved, as: name) }
      change = .moved(from: old, to: new)
    } else {
      if let moved { forget(moved) }
      if wasKnown { send(.deleted(old)) }
      // The destination may have been inside the folder, and was moved out before its notices were
      // read.
      guard isWatched(folder) else { return }
      change = isUnreported || !isFolder ? .created(new) : nil
    }
    if isFolder {
      track(name, in: folder, reporting: change, isNew: isUnreported && !isMove)
    } else if let change {
      send(change, ofFile: name, in: folder)
    }
  }

  /// A folder that the file was exchanged with is reported as deleted.
  func send(_ change: FileChange, ofFile name: PathBytes, in folder: WatchedFolder) {
    if let replaced = folder.folders[name] {
      forget(replaced)
      send(.deleted(shownPath(of: name, in: folder)))
    }
    send(change)
  }

  // MARK: - Moves

  func recordDeparture(_ departure: Departure) {
    if pendingMoves.isEmpty { waitForArrivals() }
    pendingMoves.insert(departure)
  }

  private func waitForArrivals() {
    departureAlarm.set(after: Self.moveTimeout) {
      let waiting = self.pendingMoves.inOrder
      // After a stall, the other half may be in the queue already.
      self.readNotices()
      self.settle(waiting)
      if !self.pendingMoves.isEmpty { self.waitForArrivals() }
    }
  }

  /// Reports a departure without an arrival as deleted.
  func settle(_ departure: Departure?) {
    if let departure { disappear(departure.name, from: departure.folder) }
  }

  func settle(_ cookies: [UInt32]) {
    for cookie in cookies where observer.isActive { settle(pendingMoves.take(cookie)) }
  }

  /// Returns true if a departure is the second half of an exchange with the last arrival.
  ///
  /// The system reports an exchange as two moves, there and back, with moves of other folders
  /// possibly in between. It is an exchange if the arrival is still in its place.
  func isExchange(_ notice: Notice, in folder: WatchedFolder) -> Bool {
    guard let lastArrival, lastArrival.spot == folder.spot(of: notice.name),
      notice.cookie &- lastArrival.cookie <= Self.maximumCookieDistance
    else { return false }
    let place = folder.path(of: notice.name, below: path)
    guard place.status?.isFolder == lastArrival.isFolder else { return false }
    guard lastArrival.isFolder && tracksFolders(in: folder) else { return true }
    return number(of: place) == folder.folders[notice.name]?.number
  }

  /// Returns the number of a folder, if it can be watched.
  func number(of path: PathBytes) -> Int32? {
    guard let number = try? inotify?.add(path) else { return nil }
    if folders[number] == nil { stopWatching(number) }
    return number
  }
}
