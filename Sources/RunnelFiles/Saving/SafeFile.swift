import Glibc

/// A file with crash-safe saves that detect changes by other processes.
///
/// Saving preserves the old contents if it fails, or if the process or the machine stops meanwhile.
/// It also preserves contents that another process has written since the file was read.
///
///     let file = SafeFile("notes/Milk.txt")
///     let old = try file.contents().bytes
///     switch try file.save(old + Array("Butter\n".utf8), over: old) {
///     case .saved: show("Saved")
///     case .conflict(let copy): show("Somebody else has changed it too: see \(copy)")
///     }
///
/// At any time the path has one complete version, the old or the new one. When a method returns,
/// the disk has confirmed the change. That takes at least some tenths of a millisecond, so call it
/// on a `WorkerPool`.
///
/// Links are followed: the target of the link is saved. A save over ``FileContents`` follows only the
/// links that led to the file that was read. If a folder on the path has become a link since, it
/// throws ``FileError/redirected(_:)``. The mode and the POSIX access control list are kept,
/// and the owner if this process may change it. Other extended attributes are not kept. Another
/// hard link to the file keeps the old contents.
///
/// An error leaves the file unchanged, except for ``FileError/unconfirmed(_:)``.
public struct SafeFile: Sendable {
  /// The result of a save.
  public enum Outcome: Sendable, Hashable {
    /// The file was replaced. It had the expected contents, or did not exist.
    case saved
    /// The file had other contents, which are kept in the same folder at this path.
    case conflict(String)
  }

  /// The default limit for reading: 1 GB.
  ///
  /// A sparse file of any size occupies little of the disk, but would fill the memory.
  public static let defaultLimit = 1_000_000_000

  /// The path of the file, without a slash at the end.
  public let path: String
  private let calls: FileCalls
  /// The folder of the file without links; nil if it was not resolved before.
  private let realFolder: PathBytes?

  /// Creates a file value for a path, which need not exist.
  public init(_ path: String) {
    self.init(path, calls: .system)
  }

  package init(_ path: String, calls: FileCalls) {
    self.init(path, in: nil, calls: calls)
  }

  init(_ path: String, in realFolder: PathBytes?, calls: FileCalls) {
    self.path = PathBytes(path).trimmed.text
    self.realFolder = realFolder
    self.calls = calls
  }

  /// Reads the file. Throws if it is larger than the limit.
  public func contents(upTo limit: Int = SafeFile.defaultLimit) throws(FileError) -> FileContents {
    try mustBeUsable()
    return try reading(upTo: limit) { () throws(SystemError) in
      // The folder is resolved first: a link that replaces a folder later must not be followed.
      let parts = PathBytes(path).parts
      let folder = realFolder ?? parts?.folder.linkFree
      let place = folder.flatMap { folder in parts.map { folder.appending($0.name).text } } ?? path
      do throws(SystemError) {
        var contents = try calls.contents(of: place, in: AT_FDCWD, upTo: limit)
        contents.link = LinkRule(toFileIn: folder)
        return contents
      } catch {
        guard error.code == EISDIR else { throw error }
        // It may be a link, which is read first for the same reason.
        let link = LinkRule(at: PathBytes(path), in: folder)
        var contents = try calls.contents(of: place, in: AT_FDCWD, following: true, upTo: limit)
        contents.link = link
        return contents
      }
    }
  }

  /// The link at the path, if there is one.
  package var link: LinkRule { LinkRule(at: PathBytes(path), in: realFolder) }

  private func reading<Output>(
    upTo limit: Int, _ body: () throws(SystemError) -> Output
  ) throws(FileError) -> Output {
    do throws(SystemError) {
      return try body()
    } catch {
      if error.code == EFBIG { throw .tooLargeToRead(path, limit: limit) }
      throw FileError(error, at: path)
    }
  }

  /// Creates the file. Throws if the path exists. The mode is reduced by the umask.
  public func create(_ bytes: [UInt8], mode: UInt32 = 0o666) throws(FileError) {
    let (folder, name) = try place(following: .none)
    folder.announceSaving()
    try explaining(path) { () throws(SystemError) in
      let provisional = ProvisionalName.unfinished()
      try folder.makeFile(provisional, bytes, like: nil, mode: mode)
      do throws(SystemError) {
        try folder.move(provisional, to: name)
      } catch {
        try? folder.remove(provisional)
        throw error
      }
    }
    try confirm(folder)
  }

  /// Replaces the contents of the file. If they equal `old`, they are discarded; other contents are
  /// kept as a copy. A file that no longer exists is created again.
  @discardableResult
  public func save(_ bytes: [UInt8], over old: [UInt8]) throws(FileError) -> Outcome {
    try save(bytes, over: old, following: .any)
  }

  /// Replaces the contents of a file that were read before the change.
  ///
  ///     let file = SafeFile("notes/Milk.txt")
  ///     let old = try file.contents()
  ///     try file.save(old.bytes + Array("Butter\n".utf8), over: old)
  ///
  /// A link that has replaced the file since, or has another target now, is not followed. It is
  /// kept as a copy in the same folder.
  @discardableResult
  public func save(_ bytes: [UInt8], over old: FileContents) throws(FileError) -> Outcome {
    try save(bytes, over: old.bytes, following: old.link)
  }

  package func save(
    _ bytes: [UInt8], over old: [UInt8], following link: LinkRule
  ) throws(FileError) -> Outcome {
    let (folder, name) = try place(following: link)
    folder.announceSaving()
    return try save(bytes, over: old, as: name, in: folder)
  }

  private func save(
    _ bytes: [UInt8], over old: [UInt8], as name: String, in folder: OpenFolder
  ) throws(FileError) -> Outcome {
    let copy = try explaining(path) { () throws(SystemError) in
      try Replacement(of: name, in: folder, from: old, to: bytes).make()
    }
    try confirm(folder)
    return copy.map { .conflict(folder.path(of: $0)) } ?? .saved
  }

  /// The number of times that other processes may change the file before an update gives up.
  private static let maximumAttempts = 5

  /// Changes the contents of the file, or creates it, and returns the new contents. Concurrent
  /// updates wait for each other. If another process writes the file meanwhile, the change is
  /// applied to its contents. If the old or the new contents exceed the limit, the file is not
  /// changed.
  ///
  /// If another process keeps writing, its last contents are kept as a copy, as in a save.
  @discardableResult
  public func update(
    upTo limit: Int = SafeFile.defaultLimit, _ change: ([UInt8]) -> [UInt8]
  ) throws(FileError) -> [UInt8] {
    try update(upTo: limit, following: .any, change)
  }

  /// Throws if there is a link that must not be followed.
  package func update(
    upTo limit: Int, following link: LinkRule, _ change: ([UInt8]) -> [UInt8]
  ) throws(FileError) -> [UInt8] {
    let (folder, name) = try place(following: link)
    folder.announceUpdating()
    var unchanged: [UInt8]?
    let written = try replace(name, in: folder, upTo: limit) { old in
      let old = old ?? []
      let new = change(old)
      unchanged = new == old ? old : nil
      return new == old ? nil : new
    }
    if let bytes = written ?? unchanged { return bytes }
    let old = try bytes(of: name, in: folder, upTo: limit) ?? []
    let new = change(old)
    _ = try save(new, over: old, as: name, in: folder)
    return new
  }

  /// Replaces the contents, and returns true if they were replaced. No copy is kept.
  ///
  /// Other updates in the folder wait meanwhile. The closure returns the new contents for the present
  /// ones, which are nil if there is no file. It is called again if another process has changed the
  /// file in the meantime. The file stays as it is if the closure returns nil, or if other processes
  /// keep writing.
  package func replace(
    following link: LinkRule, _ change: ([UInt8]?) -> [UInt8]?
  ) throws(FileError) -> Bool {
    let (folder, name) = try place(following: link)
    folder.announceUpdating()
    return try replace(name, in: folder, upTo: Self.defaultLimit, change) != nil
  }

  private func replace(
    _ name: String, in folder: OpenFolder, upTo limit: Int, _ change: ([UInt8]?) -> [UInt8]?
  ) throws(FileError) -> [UInt8]? {
    for _ in 0..<Self.maximumAttempts {
      let old = try bytes(of: name, in: folder, upTo: limit)
      guard let new = change(old) else { return nil }
      if new.count > limit { throw .tooLargeToRead(path, limit: limit) }
      let isDone = try explaining(path) { () throws(SystemError) in
        try isUpdated(name, in: folder, from: old ?? [], to: new)
      }
      guard isDone else { continue }
      try confirm(folder)
      return new
    }
    return nil
  }

  /// Returns the contents of a file; nil if it does not exist.
  private func bytes(
    of name: String, in folder: OpenFolder, upTo limit: Int
  ) throws(FileError) -> [UInt8]? {
    try reading(upTo: limit) { () throws(SystemError) -> [UInt8]? in
      do throws(SystemError) {
        return try folder.contents(of: name, upTo: limit).bytes
      } catch {
        guard error.code == ENOENT else { throw error }
        return nil
      }
    }
  }

  /// Replaces the contents. Returns false if another process has changed them.
  private func isUpdated(
    _ name: String, in folder: OpenFolder, from old: [UInt8], to new: [UInt8]
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try Replacement(of: name, in: folder, from: old, to: new, keepingCopies: false).make()
      return true
    } catch {
      guard error == Replacement.changed else { throw error }
      return false
    }
  }

  /// Moves the file to a path that does not exist, on the same file system. A link is moved, not
  /// its target.
  public func move(to newPath: String) throws(FileError) {
    let (folder, name) = try place(following: .none)
    let (newFolder, newName) = try SafeFile(newPath, calls: calls).place(following: .none)
    do throws(SystemError) {
      try folder.move(name, to: newName, in: newFolder)
    } catch {
      throw FileError(error, at: error.code == ENOENT ? path : newPath)
    }
    try confirm(newFolder)
    try confirm(folder)
  }

  // MARK: - Paths and errors

  /// Opens the folder of the file, and returns it with the name of the file.
  private func place(following link: LinkRule) throws(FileError) -> (OpenFolder, String) {
    try mustBeUsable()
    let place = try explaining(path) { () throws(SystemError) in
      let place = try link.place(of: PathBytes(path))
      // Bytes that are not UTF-8 would be replaced, and the path would be a different one.
      guard place.path.isText else { throw SystemError(EILSEQ) }
      return place
    }
    guard let parts = place.path.parts, ![".", ".."].contains(parts.name.text) else {
      throw .notAFile(path)
    }
    let folder = parts.folder.text
    let opened = try explaining(folder) { () throws(SystemError) -> OpenFolder? in
      guard let real = place.folder else { return try OpenFolder(folder, calls) }
      do throws(SystemError) {
        return try OpenFolder(folder, atLinkFree: real, calls)
      } catch {
        guard error.code == ELOOP else { throw error }
        return nil
      }
    }
    guard let opened else { throw .redirected(folder) }
    return (opened, parts.name.text)
  }

  private func mustBeUsable() throws(FileError) {
    if path.isEmpty || path.utf8.contains(0) { throw .unusableName(path) }
  }

  private func confirm(_ folder: OpenFolder) throws(FileError) {
    do throws(SystemError) { try folder.synchronize() } catch { throw .unconfirmed(path) }
  }

  private func explaining<Output>(
    _ path: String, _ body: () throws(SystemError) -> Output
  ) throws(FileError) -> Output {
    do throws(SystemError) { return try body() } catch { throw FileError(error, at: path) }
  }
}
