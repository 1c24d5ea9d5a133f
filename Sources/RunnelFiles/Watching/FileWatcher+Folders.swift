import Glibc
import RunnelLoop

/// The folders that are watched: covered when they appear, looked into, and forgotten.
extension FileWatcher {
  /// Sees to it that a folder is watched, where it is to be; tells the news of it, then of what is in
  /// it if it was not watched. If that is not new, the observer may think that something else is.
  func cover(
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
  func lookAgain() {
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
  func add(
    _ name: PathBytes, in parent: WatchedFolder
  ) throws(SystemError) -> WatchedFolder? {
    guard let inotify else { return nil }
    let path = parent.path(of: name, below: path)
    let number: Int32
    do throws(SystemError) {
      number = try inotify.add(path)
    } catch {
      // What is watched itself is not left out.
      let isTop = parent.isAround
      guard Self.isLeftOut(error), !isTop || Self.isGone(error) else { throw error }
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

  func isWatched(_ folder: WatchedFolder) -> Bool {
    folders[folder.number] === folder
  }

  /// Whether the folders in a folder are watched too.
  func tracksFolders(in folder: WatchedFolder) -> Bool {
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
  func addContents(of folder: WatchedFolder) throws(SystemError) {
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
  func look(into folder: WatchedFolder) throws(SystemError) {
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
