import Glibc

/// A file that is saved so that nothing is lost: neither what was there when saving fails, or the
/// process or the machine dies meanwhile, nor what somebody else has written since it was read.
///
///     let file = SafeFile("notes/Milk.txt")
///     let old = try file.contents().bytes
///     switch try file.save(old + Array("Butter\n".utf8), over: old) {
///     case .saved: show("Saved")
///     case .conflict(let copy): show("Somebody else has changed it too: see \(copy)")
///     }
///
/// At any time there is one whole version at the path, the old or the new one. When a method
/// returns, the disk has confirmed what it did; that takes some tenths of a millisecond at best, so
/// that it is mostly work for a ``WorkerPool``.
///
/// A link is followed: what is saved is the file that it leads to. A save over ``FileContents`` follows
/// a link only if it leads to the file that was read. The mode and the POSIX access control list of the
/// file are kept, and its owner if this process may give files away. Other extended attributes are not,
/// and another hard link to the file goes on leading to the old contents.
///
/// After an error all is as it was before, but for ``FileError/unconfirmed(_:)``.
public struct SafeFile: Sendable {
  /// What has become of what was there before.
  public enum Outcome: Sendable, Hashable {
    /// It was what the change began with, or nothing: it is replaced.
    case saved
    /// It was something else, and is kept beside the file, at this path.
    case conflict(String)
  }

  /// The number of bytes that are read at most where no limit is given: 1 GB.
  ///
  /// A sparse file takes no room on the disk whatever its size, and would take all memory.
  public static let defaultLimit = 1_000_000_000

  /// Where the file is; without a slash at the end.
  public let path: String
  private let calls: FileCalls

  /// The file at a path, whether it is there or not.
  public init(_ path: String) {
    self.init(path, calls: .system)
  }

  package init(_ path: String, calls: FileCalls) {
    self.path = PathBytes(path).trimmed.text
    self.calls = calls
  }

  /// Reads the file, unless it is larger than so many bytes.
  public func contents(upTo limit: Int = SafeFile.defaultLimit) throws(FileError) -> FileContents {
    try mustBeUsable()
    // Before it is read: a link that takes the place of the file from now on is not to be followed.
    let link = link
    return try reading(upTo: limit) { () throws(SystemError) in
      var contents = try calls.contents(of: path, in: AT_FDCWD, following: true, upTo: limit)
      contents.link = link
      return contents
    }
  }

  /// The link that is at the path now, if there is one.
  package var link: LinkRule { LinkRule(at: PathBytes(path)) }

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

  /// Makes the file, at a path at which there is nothing. It gets the mode, less what the process does
  /// not give to anybody (umask).
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

  /// Replaces what is in the file. What was there when the change began, `old`, is not kept; whatever
  /// else is there now is. A file that is not there any more is made again.
  @discardableResult
  public func save(_ bytes: [UInt8], over old: [UInt8]) throws(FileError) -> Outcome {
    try save(bytes, over: old, following: .any)
  }

  /// Replaces what is in the file, and was read from it when the change began.
  ///
  ///     let file = SafeFile("notes/Milk.txt")
  ///     let old = try file.contents()
  ///     try file.save(old.bytes + Array("Butter\n".utf8), over: old)
  ///
  /// A link that has taken the place of the file since, or leads elsewhere now, is not followed: it is
  /// kept beside the file, as what others have written is.
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

  /// How often others may change a file between two steps of an update.
  private static let patience = 5

  /// Changes what is in the file, or makes it. Those who do so at the same time wait for each other;
  /// what somebody else writes meanwhile is changed. Returns what is in the file then. A file of more
  /// bytes than a limit is not read, and stays as it is.
  ///
  /// Where somebody does not stop writing to the file, that is kept beside it, as in a save.
  @discardableResult
  public func update(
    upTo limit: Int = SafeFile.defaultLimit, _ change: ([UInt8]) -> [UInt8]
  ) throws(FileError) -> [UInt8] {
    try update(upTo: limit, following: .any, change)
  }

  /// The same, where a link that is not to be followed is an error.
  package func update(
    upTo limit: Int, following link: LinkRule, _ change: ([UInt8]) -> [UInt8]
  ) throws(FileError) -> [UInt8] {
    let (folder, name) = try place(following: link)
    folder.announceUpdating()
    for _ in 0..<Self.patience {
      let old = try bytes(of: name, in: folder, upTo: limit)
      let new = change(old)
      if new == old { return old }
      let isDone = try explaining(path) { () throws(SystemError) in
        try isUpdated(name, in: folder, from: old, to: new)
      }
      guard isDone else { continue }
      try confirm(folder)
      return new
    }
    let old = try bytes(of: name, in: folder, upTo: limit)
    let new = change(old)
    _ = try save(new, over: old, as: name, in: folder)
    return new
  }

  /// What is in a file; nothing if there is none.
  private func bytes(
    of name: String, in folder: OpenFolder, upTo limit: Int
  ) throws(FileError) -> [UInt8] {
    try reading(upTo: limit) { () throws(SystemError) in
      do throws(SystemError) {
        return try folder.contents(of: name, upTo: limit).bytes
      } catch {
        guard error.code == ENOENT else { throw error }
        return []
      }
    }
  }

  /// Replaces what is in a file, unless somebody else has done so.
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

  /// Moves the file to a path at which there is nothing, on the same file system. A link is moved
  /// itself.
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

  /// The folder that the file is in, or is to be in, and its name there.
  private func place(following link: LinkRule) throws(FileError) -> (OpenFolder, String) {
    try mustBeUsable()
    let target = try explaining(path) { () throws(SystemError) in
      let target = try link.target(of: PathBytes(path))
      // What is not UTF-8 in it would be replaced, and lead elsewhere.
      guard target.isText else { throw SystemError(EILSEQ) }
      return target
    }
    guard let parts = target.parts, ![".", ".."].contains(parts.name.text) else {
      throw .notAFile(path)
    }
    let folder = parts.folder.text
    return (
      try explaining(folder) { () throws(SystemError) in try OpenFolder(folder, calls) },
      parts.name.text
    )
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
