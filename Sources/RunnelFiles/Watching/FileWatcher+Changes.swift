import Glibc
import RunnelLoop

/// What notices say, as changes.
extension FileWatcher {
  /// How long the halves of a move may be apart. The system tells of them one after the other, but
  /// for what other threads do in between.
  private static let patience: Duration = .milliseconds(10)

  /// How many moves of others, anywhere in the system, may come between the halves of an exchange.
  private static let farthestHalf: UInt32 = 16

  func appear(_ name: PathBytes, in folder: WatchedFolder, isFolder: Bool, wasMoved: Bool) {
    // A file that was moved here may have replaced the one that was there when the folder was looked
    // into.
    let isNews = folder.tell(name) || wasMoved && !isFolder
    let news = isNews ? FileChange.created(shownPath(of: name, in: folder)) : nil
    if isFolder { return cover(name, in: folder, telling: news, isNew: isNews) }
    if let news { send(news, ofFile: name, in: folder) }
    // What was a file or a folder is a link now.
    if observer.isActive, folder.isAround, path.status?.isLink == true { beginAgain() }
  }

  func disappear(_ name: PathBytes, from folder: WatchedFolder) {
    let change = FileChange.deleted(shownPath(of: name, in: folder))
    let isNews = folder.untell(name)
    unsure.remove(folder.spot(of: name))
    if let gone = folder.folders[name] { forget(gone) }
    if isNews { send(change) }
  }

  func move(
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
      news = isNews || !isFolder ? .created(new) : nil
    }
    if isFolder {
      cover(name, in: folder, telling: news, isNew: isNews && !isMove)
    } else if let news {
      send(news, ofFile: name, in: folder)
    }
  }

  /// A folder that was there has been exchanged with the file.
  func send(_ news: FileChange, ofFile name: PathBytes, in folder: WatchedFolder) {
    if let replaced = folder.folders[name] {
      forget(replaced)
      send(.deleted(shownPath(of: name, in: folder)))
    }
    send(news)
  }

  // MARK: - PendingMoves

  func depart(_ departure: Departure) {
    if pendingMoves.isEmpty { waitForArrivals() }
    pendingMoves.insert(departure)
  }

  private func waitForArrivals() {
    departureAlarm.set(after: Self.patience) {
      let waiting = self.pendingMoves.inOrder
      // After a stall the other half may be there already.
      self.readNotices()
      self.settle(waiting)
      if !self.pendingMoves.isEmpty { self.waitForArrivals() }
    }
  }

  /// Counts what has departed as deleted, as it is known to arrive nowhere.
  func settle(_ departure: Departure?) {
    if let departure { disappear(departure.name, from: departure.folder) }
  }

  func settle(_ cookies: [UInt32]) {
    for cookie in cookies where observer.isActive { settle(pendingMoves.take(cookie)) }
  }

  /// Whether something leaves that has been exchanged with what arrived there last, in one call.
  ///
  /// The system tells of two moves, there and back, in a row but for those of others. It is one
  /// exchange if what arrived is there still.
  func isExchange(_ notice: Notice, in folder: WatchedFolder) -> Bool {
    guard let lastArrival, lastArrival.spot == folder.spot(of: notice.name),
      notice.cookie &- lastArrival.cookie <= Self.farthestHalf
    else { return false }
    let place = folder.path(of: notice.name, below: path)
    guard place.status?.isFolder == lastArrival.isFolder else { return false }
    guard lastArrival.isFolder && tracksFolders(in: folder) else { return true }
    return number(of: place) == folder.folders[notice.name]?.number
  }

  /// The number of a folder, if it can be watched.
  func number(of path: PathBytes) -> Int32? {
    guard let number = try? inotify?.add(path) else { return nil }
    if folders[number] == nil { stopWatching(number) }
    return number
  }
}
