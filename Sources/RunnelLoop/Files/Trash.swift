import Glibc

/// The trash of a user: what is put there can be restored, by other programs too.
///
///     let file = try Trash.home.put("notes/Milk.txt")
///     try Trash.home.restore(file)
///
/// It is that of the freedesktop.org Trash specification 1.0. A file goes to the trash in the user's
/// home, or else to that of the volume that it is on: files are moved, not copied.
public struct Trash: Sendable {
  /// Where the specification says that the trash of this user is: in `$XDG_DATA_HOME`, or in
  /// `~/.local/share`.
  public static var home: Trash {
    let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? ""
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    // What is no absolute path does not count.
    return Trash(dataHome: data.hasPrefix("/") ? data : "\(home)/.local/share")
  }

  /// Where the data of the user's programs are.
  public let dataHome: String
  /// Says for a folder, and the home of the trash, at which folder its volume begins; nil if both are
  /// on one file system.
  private let volume: @Sendable (PathBytes, PathBytes) -> PathBytes?

  /// The trash of a user whose programs have their data in a folder.
  public init(dataHome: String) {
    self.init(dataHome: dataHome, volume: Self.volume(of:_:))
  }

  init(dataHome: String, volume: @escaping @Sendable (PathBytes, PathBytes) -> PathBytes?) {
    self.dataHome = dataHome
    self.volume = volume
  }

  /// Moves a file or a folder to the trash. A link is moved itself.
  public func put(_ path: String) throws(FileError) -> TrashedFile {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusableName(path) }
    guard let parts = PathBytes(path).parts, ![".", ".."].contains(parts.name.text) else {
      throw .notAllowed(path)
    }
    let folder: PathBytes
    switch parts.folder.resolved {
    case .success(let path): folder = path
    case .failure(let error): throw FileError(error, at: parts.folder.text)
    }
    guard folder.appending(parts.name).status != nil else {
      throw FileError(SystemError(errno), at: path)
    }
    return try can(for: folder).put(parts.name.text, from: folder)
  }

  /// Moves something back to where it was, unless there is something else by now.
  public func restore(_ file: TrashedFile) throws(FileError) {
    try SafeFile(file.path).move(to: file.originalPath)
    unlink(file.infoPath)
  }

  /// The trash for what is in a folder.
  private func can(for folder: PathBytes) throws(FileError) -> TrashCan {
    let home = TrashCan(PathBytes(dataHome).appending(PathBytes("Trash")), top: nil)
    try home.make()
    guard let top = volume(folder, home.path) else { return home }
    let shared = top.appending(PathBytes(".Trash"))
    // A link could lead anywhere, and without that bit others could delete what is ours.
    if let status = shared.status, status.isFolder, status.st_mode & S_ISVTX != 0 {
      let can = TrashCan(shared.appending(PathBytes("\(geteuid())")), top: top)
      if (try? can.make()) != nil { return can }
    }
    let can = TrashCan(top.appending(PathBytes(".Trash-\(geteuid())")), top: top)
    try can.make()
    return can
  }

  private static func volume(of folder: PathBytes, _ home: PathBytes) -> PathBytes? {
    guard let device = folder.status?.st_dev, device != home.status?.st_dev else { return nil }
    var top = folder
    while let above = top.parts?.folder, above.status?.st_dev == device { top = above }
    return top
  }
}

/// Something in the trash.
public struct TrashedFile: Sendable, Hashable {
  /// Where it was, without links.
  public let originalPath: String
  /// Where it is now.
  public let path: String
  /// The file that says where it was, and when it was deleted.
  public let infoPath: String
}
