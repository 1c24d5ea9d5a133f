import Glibc

/// The folders and files of the system. Entries whose names are not UTF-8 are left out.
///
/// `FolderEntry` of `RunnelFiles` lists folders too, but that module needs libevent.
@MainActor
public struct DiskListing: FileListing {
  /// Creates a listing.
  public init() {}

  /// The home folder of the user.
  public var home: String { getenv("HOME").map { String(cString: $0) } ?? "/" }

  static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the entries of a folder, in no order.
  public func entries(of folder: String) throws(FileListingError) -> [FileEntry] {
    try check(folder)
    guard let stream = opendir(folder) else { throw Self.error(errno, at: folder) }
    defer { closedir(stream) }
    var entries: [FileEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Self.error(errno, at: folder) }
        return entries
      }
      guard let name = Self.name(of: entry), name != ".", name != ".." else { continue }
      let type = Int(entry.pointee.d_type)
      let isKnown = type != DT_UNKNOWN && type != DT_LNK
      let isFolder = isKnown ? type == DT_DIR : Self.isFolder("\(folder)/\(name)")
      entries.append(FileEntry(name, isFolder: isFolder))
    }
  }

  /// Returns the entry at a path; nil if there is none.
  public func entry(at path: String) throws(FileListingError) -> FileEntry? {
    try check(path)
    var status = stat()
    // A link to nothing is an entry too.
    if stat(path, &status) != 0 && lstat(path, &status) != 0 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Self.error(errno, at: path)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? "/"
    return FileEntry(name, isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }

  /// Returns the size of a file in bytes; nil if there is no regular file.
  public func size(of path: String) -> Int? {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  /// Creates a folder.
  public func makeFolder(at path: String) throws(FileListingError) {
    try check(path)
    if mkdir(path, 0o777) != 0 { throw Self.error(errno, at: path) }
  }

  private func check(_ path: String) throws(FileListingError) {
    if path.utf8.contains(0) {
      throw FileListingError("\"\(path)\" contains a zero byte. Write it without.")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    // Safety: the name is zero-terminated within the entry.
    let start = UnsafeRawPointer(entry) + offset
    return String(validatingCString: start.assumingMemoryBound(to: CChar.self))
  }

  private static func error(_ code: Int32, at path: String) -> FileListingError {
    switch code {
    case ENOENT: FileListingError("\"\(path)\" does not exist.")
    case ENOTDIR: FileListingError("\"\(path)\" is not a folder.")
    case EACCES, EPERM: FileListingError("You have no permission for \"\(path)\".")
    case EEXIST: FileListingError("\"\(path)\" exists already. Choose another name.")
    case EROFS: FileListingError("\"\(path)\" is on a read-only file system.")
    default: FileListingError("\"\(path)\" cannot be used: \(String(cString: strerror(code))).")
    }
  }
}
