import CLinux
import Glibc

/// The trash of a user, from which files can be restored, by other programs too.
///
///     let file = try Trash.home.put("notes/Milk.txt")
///     try Trash.home.restore(file)
///
/// It implements the freedesktop.org Trash specification 1.0. Files are moved, not copied: to the
/// trash in the user's home, or to that of the volume that they are on. A volume is one mount: a
/// bind mount of the home's file system is a separate volume.
public struct Trash: Sendable {
  /// The trash of this user in the place of the specification: `$XDG_DATA_HOME`, or
  /// `~/.local/share`.
  public static var home: Trash { Trash(dataHome: userDataFolder) }

  /// The folder for data of the user's programs.
  public let dataHome: String
  /// Returns the top folder of the volume of a folder; nil if the trash in the home is on the same
  /// volume.
  private let volume: @Sendable (PathBytes, PathBytes) -> PathBytes?

  /// Creates a trash with the given data folder.
  public init(dataHome: String) {
    self.init(dataHome: dataHome, volume: Self.volume(of:_:))
  }

  init(dataHome: String, volume: @escaping @Sendable (PathBytes, PathBytes) -> PathBytes?) {
    self.dataHome = dataHome
    self.volume = volume
  }

  /// Moves a file or a folder to the trash. A link is moved, not its target.
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
    // Bytes that are not UTF-8 would be replaced, and the path would be a different one.
    guard folder.isText else { throw .system(EILSEQ) }
    guard folder.appending(parts.name).status != nil else {
      throw FileError(SystemError(errno), at: path)
    }
    return try trashCan(for: folder).put(parts.name.text, from: folder)
  }

  /// Moves a file back to its original path, unless that path exists.
  public func restore(_ file: TrashedFile) throws(FileError) {
    do throws(FileError) {
      try SafeFile(file.path).move(to: file.originalPath)
    } catch {
      // The file has been moved, though it may not survive a power failure.
      if case .unconfirmed = error { unlink(file.infoPath) }
      throw error
    }
    unlink(file.infoPath)
  }

  /// Returns the trash folder for files in a folder.
  private func trashCan(for folder: PathBytes) throws(FileError) -> TrashCan {
    let home = PathBytes(dataHome).appending(PathBytes("Trash"))
    guard let top = volume(folder, home) else { return try TrashCan(home, top: nil) }
    let shared = top.appending(PathBytes(".Trash"))
    // The folder must not be a link. Without the sticky bit, other users could delete the files.
    if let status = shared.status, status.isFolder, status.st_mode & S_ISVTX != 0,
      let can = try? TrashCan(shared.appending(PathBytes("\(geteuid())")), top: top)
    {
      return can
    }
    return try TrashCan(top.appending(PathBytes(".Trash-\(geteuid())")), top: top)
  }

  private static func volume(of folder: PathBytes, _ home: PathBytes) -> PathBytes? {
    let volume = folder.volume
    if volume == home.nearest?.volume { return nil }
    var top = folder
    while let above = top.parts?.folder, above.volume == volume { top = above }
    return top
  }
}

/// A file or a folder in the trash.
public struct TrashedFile: Sendable, Hashable {
  /// The original path, without links.
  public let originalPath: String
  /// The path in the trash.
  public let path: String
  /// The path of the file that records the original path and the time of deletion.
  public let infoPath: String
}

/// A mount. Files can be moved only within one.
private struct Volume: Equatable {
  let device: dev_t
  let mount: UInt64
}

extension PathBytes {
  /// The volume of the path; nil if it does not exist.
  fileprivate var volume: Volume? {
    status.map { Volume(device: $0.st_dev, mount: withCString(runnel_mount_number)) }
  }

  /// The resolved path, or that of its nearest existing ancestor.
  fileprivate var nearest: PathBytes? {
    var path = self
    while true {
      if case .success(let real) = path.resolved { return real }
      guard let above = path.parts?.folder, above != path else { return nil }
      path = above
    }
  }
}
