import Glibc

/// A folder of files.
///
///     let folder = Folder("notes")
///     try folder.make()
///     for name in try folder.names() where name.ending == ".txt" { show("\(name)") }
public struct Folder: Sendable {
  /// The path of the folder, without a slash at the end.
  public let path: String
  private let calls: FileCalls
  /// The path without links; nil if it was not resolved.
  private var real: PathBytes?

  /// Creates a folder value for a path, which need not exist.
  public init(_ path: String) {
    self.init(path, calls: .system)
  }

  package init(_ path: String, calls: FileCalls) {
    self.path = PathBytes(path).trimmed.text
    self.calls = calls
  }

  /// True if the folder exists.
  public var exists: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.isFolder
  }

  /// True if this process may create and save files in the folder.
  public var isWritable: Bool { faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 }

  /// Returns a file in the folder.
  public func file(_ name: FileName) -> SafeFile {
    let path = PathBytes(path).appending(PathBytes(name.text)).text
    return SafeFile(path, in: name.folder.isEmpty ? real : nil, calls: calls)
  }

  /// Returns a file in the folder or in a subfolder, by its relative path.
  public func file(_ name: String) -> SafeFile { file(FileName(name)) }

  /// The folder with its links resolved, for reading many files at once. They are read there, and saved
  /// there later, even if the path leads to another folder by then.
  var resolved: Folder {
    var folder = self
    folder.real = PathBytes(path).linkFree
    return folder
  }

  /// Returns the folder that contains a file: this one, or a subfolder.
  public func folder(of name: FileName) -> Folder {
    name.folder.isEmpty ? self : Folder(file(name.folder).path, calls: calls)
  }

  /// Creates the folder and missing parent folders. The mode is reduced by the umask.
  public func make(mode: UInt32 = 0o777) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusableName(path) }
    var error = makeDirectory(mode)
    if error?.code == ENOENT, let above = PathBytes(path).parts?.folder.text, above != path {
      try Folder(above).make()
      error = makeDirectory(mode)
    }
    guard let error else { return }
    guard error.code == EEXIST else { throw FileError(error, at: path) }
    if !exists { throw .exists(path) }
  }

  private func makeDirectory(_ mode: UInt32) -> SystemError? {
    mkdir(path, mode) == 0 ? nil : SystemError(errno)
  }

  /// Returns the names of all entries that are not folders, in no order. Names that are not UTF-8
  /// are left out: as texts, several of them would be equal, and name another file.
  ///
  /// If `recursively` is true, the entries of subfolders are included, with their paths from this
  /// folder. Hidden subfolders, unreadable ones and links to folders are left out.
  public func names(recursively: Bool = false) throws(FileError) -> [FileName] {
    var names: [FileName] = []
    try visit(recursively: recursively) { name, isFolder in if !isFolder { names.append(name) } }
    return names
  }

  /// Returns the paths of all subfolders from this folder, in no order. Hidden subfolders and links to folders are left
  /// out, with what is in them.
  public func subfolders() throws(FileError) -> [FileName] {
    var names: [FileName] = []
    try visit(recursively: true) { name, isFolder in if isFolder { names.append(name) } }
    return names
  }

  /// Visits all entries except hidden subfolders.
  private func visit(
    recursively: Bool, _ body: (FileName, _ isFolder: Bool) -> Void
  ) throws(FileError) {
    var folders = [""]
    while let subfolder = folders.popLast() {
      do throws(SystemError) {
        let path = subfolder.isEmpty ? path : file(subfolder).path
        for entry in try FolderEntry.all(in: PathBytes(path)) where entry.name.isText {
          let name = FileName(entry.name.text)
          if entry.isFolder && name.isHidden { continue }
          let inside = name.inside(subfolder)
          body(inside, entry.isFolder)
          if entry.isFolder && recursively { folders.append(inside.text) }
        }
      } catch {
        if subfolder.isEmpty { throw FileError(error, at: path) }
      }
    }
  }

  /// Cleans up after processes that were killed while saving files in this folder, and returns the
  /// paths of copies. Unfinished files are deleted. A file that an interrupted save had replaced is
  /// kept as a copy, unless its contents are known to the save. Only regular files are considered.
  /// An error for one file does not affect the others; the first error is thrown at the end.
  ///
  /// Does nothing while another process saves a file in the folder.
  @discardableResult
  public func cleanUp() throws(FileError) -> [String] {
    do throws(SystemError) {
      let folder = try OpenFolder(path, calls)
      guard folder.isQuiet() else { return [] }
      var copies: [String] = []
      var problem: SystemError?
      for entry in try FolderEntry.all(in: PathBytes(path)) {
        do throws(SystemError) {
          let copy = try folder.cleanUp(entry.name.text)
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
  /// Deletes or keeps a leftover. Returns the name of a copy that was kept.
  fileprivate func cleanUp(_ name: String) throws(SystemError) -> String? {
    guard let leftover = ProvisionalName.leftover(name), try status(of: name)?.isFile == true else {
      return nil
    }
    switch leftover {
    case .unfinished:
      try removeIfThere(name)
      return nil
    case .replaced(let digests, let original): return try keepUnlessKnown(name, digests, original)
    }
  }

  fileprivate func removeIfThere(_ name: String) throws(SystemError) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  /// Keeps a replaced file as a copy, unless it has one of the digests. Returns the name of the
  /// copy.
  fileprivate func keepUnlessKnown(
    _ found: String, _ digests: [String], _ original: String
  ) throws(SystemError) -> String? {
    // Without working locks, another process may still use this name and exchange the file after
    // the check. Renaming the file first prevents that.
    let name = ProvisionalName.exchanging(digests, of: original)
    do throws(SystemError) {
      try move(found, to: name)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
    // A file that is open for writing is incomplete, and a larger one does not match the digests.
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
