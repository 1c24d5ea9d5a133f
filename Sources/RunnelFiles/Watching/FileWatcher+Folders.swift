import Glibc
import RunnelLoop

/// The management of the watched folders: adding, reading and removing them.
extension FileWatcher {
  /// Watches a folder where required, and reports `change`, then the contents of a folder that was
  /// not watched before. If `change` does not announce a new folder, the known one is reported as
  /// replaced.
  func track(
    _ name: PathBytes, in folder: WatchedFolder, reporting change: FileChange?, isNew: Bool
  ) {
    guard observer.isActive else { return }
    let shown = shownPath(of: name, in: folder)
    let wasWatched = folder.folders[name] != nil
    do throws(SystemError) {
      var added: WatchedFolder?
      if tracksFolders(in: folder) {
        if isBehind { uncertainSpots.insert(folder.spot(of: name)) }
        added = try add(name, in: folder)
      }
      if let change {
        // The known folder is gone or was exchanged.
        if isNew && added != nil && wasWatched { send(.deleted(shown)) }
        send(change)
      }
      guard let added else { return }
      if !isNew { replace(shown) }
      added.reportedNames = []
      try scan(added)
    } catch {
      observer.failed(FileWatchError(error.code, at: shown))
    }
  }

  private func replace(_ path: String) {
    send(.deleted(path))
    send(.created(path))
  }

  /// Scans the folders and places again that were examined while notices waited. Call this when no
  /// notices are left.
  func recheck() {
    let folders = foldersReadEarly.compactMap { self.folders[$0] }.sorted { $0.depth < $1.depth }
    let spots = uncertainSpots
    foldersReadEarly = []
    uncertainSpots = []
    for folder in folders where observer.isActive && isWatched(folder) {
      do throws(SystemError) {
        try scan(folder)
      } catch {
        observer.failed(FileWatchError(error.code, at: givenPath.text))
      }
    }
    for spot in spots where observer.isActive {
      guard let folder = self.folders[spot.folder], folder.reportedNames == nil else { continue }
      track(spot.name, in: folder, reporting: nil, isNew: false)
    }
  }

  /// Watches a folder, and returns it if it was not watched before.
  ///
  /// Its path is as old as the last notice that was read. The folder at the path may be a new one,
  /// or one that is known at another path. The number identifies it.
  func add(
    _ name: PathBytes, in parent: WatchedFolder
  ) throws(SystemError) -> WatchedFolder? {
    guard let inotify else { return nil }
    let path = parent.path(of: name, below: path)
    let number: Int32
    do throws(SystemError) {
      number = try inotify.add(path)
    } catch {
      // The watched folder itself must not be skipped.
      let isTop = parent.isAround
      guard Self.isLeftOut(error), !isTop || Self.isGone(error) else { throw error }
      if Self.isGone(error) { uncertainSpots.insert(parent.spot(of: name)) }
      return nil
    }
    let current = parent.folders[name]
    if let current, current.number == number { return nil }
    if let known = folders[number] {
      // A folder at two paths is mounted twice, and keeps the path at which it was seen first.
      if parent.isWithin(known) || isStillThere(known, at: path) { return nil }
      if let place = known.parent, let name = known.name {
        uncertainSpots.insert(place.spot(of: name))
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

  func isWatched(_ folder: WatchedFolder) -> Bool {
    folders[folder.number] === folder
  }

  func tracksFolders(in folder: WatchedFolder) -> Bool {
    isRecursive || folder.isAround
  }

  /// Returns true if a folder is gone, as a later notice will report, or cannot be read.
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

  /// Watches all subfolders of a watched folder. The observer reads their contents itself.
  func addContents(of folder: WatchedFolder) throws(SystemError) {
    var rest = [folder]
    while let folder = rest.popLast() {
      guard isWatched(folder) else { continue }
      for entry in try entries(of: folder) ?? [] where entry.isFolder {
        if let added = try add(entry.name, in: folder) { rest.append(added) }
      }
    }
  }

  /// Reports entries of a folder that were not reported yet, and those that are gone. Does the same
  /// in new subfolders. Folders are watched before they are read: an entry that is created
  /// meanwhile is seen, announced by a notice, or both.
  func scan(_ folder: WatchedFolder) throws(SystemError) {
    var rest = [folder]
    while observer.isActive, let folder = rest.popLast() {
      // It may have turned out to be a folder that is known at another path.
      guard isWatched(folder) else { continue }
      guard let entries = try entries(of: folder) else {
        foldersReadEarly.insert(folder.number)
        continue
      }
      let removed = folder.reportedNames?.subtracting(entries.map(\.name)) ?? []
      for name in removed where observer.isActive {
        disappear(name, from: folder)
      }
      for entry in entries where observer.isActive {
        let isNew = folder.markReported(entry.name)
        let shown = shownPath(of: entry.name, in: folder)
        let added = entry.isFolder && isRecursive ? try add(entry.name, in: folder) : nil
        if isNew { send(.created(shown)) } else if added != nil { replace(shown) }
        guard let added else { continue }
        added.reportedNames = []
        rest.append(added)
      }
      if isBehind { foldersReadEarly.insert(folder.number) } else { folder.reportedNames = nil }
    }
  }

  /// Returns the entries of a folder, or nil if it cannot be read now.
  private func entries(of folder: WatchedFolder) throws(SystemError) -> [FolderEntry]? {
    do throws(SystemError) {
      return try FolderEntry.all(in: folder.path(below: path))
    } catch {
      guard Self.isLeftOut(error) else { throw error }
      return nil
    }
  }

  /// Stops watching a folder and all folders below it.
  func forget(_ folder: WatchedFolder) {
    settle(pendingMoves.inOrder(from: folder.withAllBelow))
    folder.leave()
    for folder in folder.withAllBelow {
      folders[folder.number] = nil
      stopWatching(folder.number)
    }
  }

  func stopWatching(_ number: Int32) {
    if number != link?.folder { inotify?.remove(number) }
  }
}
