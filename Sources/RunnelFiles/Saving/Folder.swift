import Glibc

/// A folder with files in it.
///
///     let folder = Folder("notes")
///     try folder.make()
///     for name in try folder.names() where name.ending == ".txt" { show("\(name)") }
public struct Folder: Sendable {
  /// Where the folder is; without a slash at the end.
  public let path: String
  private let calls: FileCalls

  /// The folder at a path, whether it is there or not.
  public init(_ path: String) {
    self.init(path, calls: .system)
  }

  package init(_ path: String, calls: FileCalls) {
    self.path = PathBytes(path).trimmed.text
    self.calls = calls
  }

  /// Whether it is there.
  public var exists: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.isFolder
  }

  /// Whether this process may make and save files in it.
  public var isWritable: Bool { faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 }

  /// A file in it.
  public func file(_ name: FileName) -> SafeFile { file(name.text) }

  /// A file in it, or below it.
  public func file(_ name: String) -> SafeFile {
    SafeFile(PathBytes(path).appending(PathBytes(name)).text, calls: calls)
  }

  /// Makes the folder, and those that it is to be in, where they are not there yet. What is made gets
  /// the mode, less what the process does not give to anybody (umask).
  public func make(mode: UInt32 = 0o777) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusableName(path) }
    var error = makeIt(mode)
    if error?.code == ENOENT, let above = PathBytes(path).parts?.folder.text, above != path {
      try Folder(above).make()
      error = makeIt(mode)
    }
    guard let error else { return }
    guard error.code == EEXIST else { throw FileError(error, at: path) }
    if !exists { throw .exists(path) }
  }

  private func makeIt(_ mode: UInt32) -> SystemError? {
    mkdir(path, mode) == 0 ? nil : SystemError(errno)
  }

  /// The names of all that is in it now but folders, in no order. What is not UTF-8 in a name is
  /// replaced by the replacement character.
  public func names() throws(FileError) -> [FileName] {
    do throws(SystemError) {
      return try FolderEntry.all(in: PathBytes(path)).filter { !$0.isFolder }
        .map { FileName($0.name.text) }
    } catch {
      throw FileError(error, at: path)
    }
  }

  /// Puts in order what processes have left behind that were killed while they saved files in this
  /// folder. Unfinished files are deleted; what a save had replaced and not looked at yet is kept as a
  /// copy, unless it was what the change began with. Returns the paths of such copies. Only regular files
  /// count. One that cannot be put in order does not keep the others from it: the first such error is
  /// thrown at the end.
  ///
  /// Does nothing while somebody saves a file in it.
  @discardableResult
  public func cleanUp() throws(FileError) -> [String] {
    do throws(SystemError) {
      let folder = try OpenFolder(path, calls)
      guard folder.isQuiet() else { return [] }
      var copies: [String] = []
      var problem: SystemError?
      for entry in try FolderEntry.all(in: PathBytes(path)) {
        do throws(SystemError) {
          let copy = try folder.putInOrder(entry.name.text)
          copies += copy.map { [folder.path(of: $0)] } ?? []
        } catch {
          problem = problem ?? error
        }
      }
      if let problem { throw problem }
      return copies
    } catch {
      throw FileError(error, at: path)
    }
  }
}

extension OpenFolder {
  /// Puts something in order if it is a leftover. Returns the name of the copy that is kept of it.
  fileprivate func putInOrder(_ name: String) throws(SystemError) -> String? {
    guard let leftover = ProvisionalName.leftover(name), try status(of: name)?.isFile == true else {
      return nil
    }
    switch leftover {
    case .unfinished:
      try removeIfThere(name)
      return nil
    case .replaced(let digests, let original): return try keepIfNews(name, digests, original)
    }
  }

  fileprivate func removeIfThere(_ name: String) throws(SystemError) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  /// Keeps what was replaced as a copy, unless it has one of the digests. Returns the name of that.
  fileprivate func keepIfNews(
    _ found: String, _ digests: [String], _ original: String
  ) throws(SystemError) -> String? {
    // Where locks do not work, somebody may still be at work with it, and put something else there
    // when it has been looked at. Under another name it stays what it is.
    let name = ProvisionalName.exchanging(digests, of: original)
    do throws(SystemError) {
      try move(found, to: name)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
    // What somebody still writes is not what it is going to be, and what is larger was not known.
    let largest = digests.compactMap(ProvisionalName.byteCount).max() ?? 0
    let limit = min(largest, SafeFile.defaultLimit)
    let contents = isBeingWritten(name) ? nil : try? contents(of: name, upTo: limit)
    if let contents, digests.contains(ProvisionalName.digest(contents.bytes)) {
      try removeIfThere(name)
      return nil
    }
    return try keep(name, asCopyOf: original)
  }
}
