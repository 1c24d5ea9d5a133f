import CLibevent
import Glibc

/// The trash of a user: what is put there can be restored, by other programs too.
///
///     let file = try Trash.home.put("notes/Milk.txt")
///     try Trash.home.restore(file)
///
/// It is that of the freedesktop.org Trash specification 1.0. A file goes to the trash in the user's
/// home, or else to that of the volume that it is on: files are moved, not copied. A volume is what is
/// mounted at one place: a bind mount of the file system of the home is another one.
public struct Trash: Sendable {
  /// Where the specification says that the trash of this user is: in `$XDG_DATA_HOME`, or in
  /// `~/.local/share`.
  public static var home: Trash {
    // What is no absolute path does not count, nor what is not UTF-8.
    let data = getenv("XDG_DATA_HOME").flatMap { String(validatingCString: $0) } ?? ""
    let home = getenv("HOME").flatMap { String(validatingCString: $0) } ?? ""
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
    // What is not UTF-8 in it would be replaced, and lead elsewhere.
    guard folder.isText else { throw .system(EILSEQ) }
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
    let home = PathBytes(dataHome).appending(PathBytes("Trash"))
    guard let top = volume(folder, home) else { return try TrashCan(home, top: nil) }
    let shared = top.appending(PathBytes(".Trash"))
    // A link could lead anywhere, and without that bit others could delete what is ours.
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

/// Something in the trash.
public struct TrashedFile: Sendable, Hashable {
  /// Where it was, without links.
  public let originalPath: String
  /// Where it is now.
  public let path: String
  /// The file that says where it was, and when it was deleted.
  public let infoPath: String
}

/// A mounted file system, or a part of one: files are moved within it.
private struct Volume: Equatable {
  let device: dev_t
  let mount: UInt64
}

extension PathBytes {
  /// The volume that it is on; nil if there is nothing at the path.
  fileprivate var volume: Volume? {
    status.map { Volume(device: $0.st_dev, mount: withCString(runnel_mount_number)) }
  }

  /// The path itself without links, or that of the first folder around it that is there.
  fileprivate var nearest: PathBytes? {
    var path = self
    while true {
      if case .success(let real) = path.resolved { return real }
      guard let above = path.parts?.folder, above != path else { return nil }
      path = above
    }
  }
}
