import Glibc

/// The recently used files of the user, which file choosers and menus of all programs show.
///
///     let recent = RecentFiles(of: "Notes", command: "notes %f")
///     try recent.add("notes/Milk.txt", type: "text/plain")
///
/// It implements the list `recently-used.xbel` of the freedesktop.org specification of desktop bookmarks, as
/// GTK does. Entries of other programs stay as they are.
///
/// A change replaces the file in one step, and waits for the disk. Call it on a `WorkerPool`.
public struct RecentFiles: Sendable {
  /// The maximum number of entries that only this program has used. The oldest are removed.
  public static let limit = 100
  /// The size up to which a list is read: 16 MiB.
  static let maximumSize = 1 << 24

  /// The path of the list.
  public let path: String
  private let program: String
  private let command: String

  /// Creates a value for the list of this user: `$XDG_DATA_HOME/recently-used.xbel`, or the file in
  /// `~/.local/share`.
  ///
  /// - Parameters:
  ///   - program: The name of this program, as entries have it.
  ///   - command: The command with which the program opens a file: `%f` is its path, `%u` its address.
  ///   - path: The path of another list.
  public init(of program: String, command: String, at path: String? = nil) {
    self.program = program
    self.command = command
    self.path = path ?? "\(userDataFolder)/recently-used.xbel"
  }

  /// Adds a file, or counts one more use of it by this program. The folder of the file must exist.
  ///
  /// - Parameter type: the MIME type, such as `text/plain`.
  /// - Throws: `FileError.system(EBADMSG)` if the list is malformed. Then it stays as it is.
  public func add(_ file: String, type: String) throws(FileError) {
    try add(file, type: type, at: .sinceEpoch)
  }

  func add(_ file: String, type: String, at time: Duration) throws(FileError) {
    let use = RecentList.Use(
      address: "file://" + (try absolute(file)).escapedForAddress, type: type, program: program,
      command: command, time: time.inUTC)
    let list = SafeFile(path)
    if let folder = PathBytes(path).parts?.folder { try Folder(folder.text).make(mode: 0o700) }
    do throws(FileError) {
      // Other users must not read it.
      try list.create(Array(RecentList.empty.utf8), mode: 0o600)
    } catch {
      guard case .exists = error else { throw error }
    }
    var isMalformed = false
    try list.update(upTo: Self.maximumSize) { old in
      let changed = RecentList(old)?.adding(use, limit: Self.limit)
      isMalformed = changed == nil
      return changed ?? old
    }
    if isMalformed { throw .system(EBADMSG) }
  }

  /// Returns the absolute path of a file, whose last part may be a link.
  private func absolute(_ file: String) throws(FileError) -> PathBytes {
    guard let parts = PathBytes(file).parts, ![".", ".."].contains(parts.name.text),
      !file.utf8.contains(0)
    else { throw .unusableName(file) }
    switch parts.folder.resolved {
    case .success(let folder): return folder.appending(parts.name)
    case .failure(let error): throw FileError(error, at: file)
    }
  }
}

extension Duration {
  /// The time since 1970 as a date in UTC, such as `2026-01-05T09:30:00Z`.
  fileprivate var inUTC: String {
    var seconds = Int(components.seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return LocalTime.text(&parts, "%Y-%m-%dT%H:%M:%SZ")
  }
}
