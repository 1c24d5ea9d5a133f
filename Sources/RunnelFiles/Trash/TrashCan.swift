import Glibc

/// One trash folder, with a subfolder for files and one for their records.
struct TrashCan {
  private let path: PathBytes
  /// The top folder of the volume, to which recorded paths are relative; nil for the trash in the
  /// home.
  private let top: PathBytes?
  private let files: OpenFolder
  private let infos: OpenFolder

  /// Opens the trash folder, and creates it if it is missing. Only its owner may access it.
  ///
  /// Another user may have created something at its path. Links are not followed, and the owner of
  /// each open folder is checked before anything is created in it.
  init(_ path: PathBytes, top: PathBytes?) throws(FileError) {
    self.path = path
    self.top = top
    try Folder(path.text).make(mode: 0o700)
    let can = try Self.openOwned(path.text) { () throws(SystemError) in
      try OpenFolder(path.text, .system, following: false)
    }
    files = try Self.folder("files", in: can)
    infos = try Self.folder("info", in: can)
  }

  private static func folder(_ name: String, in can: OpenFolder) throws(FileError) -> OpenFolder {
    try openOwned(can.path(of: name)) { () throws(SystemError) in
      try can.makeFolder(name)
      return try OpenFolder(name, in: can)
    }
  }

  /// Opens a folder, which must belong to this user.
  private static func openOwned(
    _ path: String, _ open: () throws(SystemError) -> OpenFolder
  ) throws(FileError) -> OpenFolder {
    do throws(SystemError) {
      let folder = try open()
      guard folder.isOwn else { throw SystemError(EACCES) }
      return folder
    } catch {
      // The path is something else, such as a link.
      if error.code == ENOTDIR || error.code == ELOOP { throw .notAllowed(path) }
      throw FileError(error, at: path)
    }
  }

  /// Moves a file here, with a number appended to its name if that is in use.
  func put(_ name: String, from folder: PathBytes) throws(FileError) -> TrashedFile {
    let original = folder.appending(PathBytes(name))
    let opened = try open(folder)
    do throws(SystemError) {
      var number = 1
      while true {
        let ending = ".trashinfo"
        let new = FileName(name).adding(
          before: number == 1 ? "" : " \(number)", upTo: FileName.maximumLength - ending.utf8.count)
        number += 1
        // Creating the record reserves the name for the file.
        guard try createRecord(new + ending, in: infos, for: original) else { continue }
        try? infos.synchronize()
        do throws(SystemError) {
          try opened.move(name, to: new, in: files)
        } catch {
          try? infos.remove(new + ending)
          if error.code == EEXIST { continue }
          throw error
        }
        try? files.synchronize()
        try? opened.synchronize()
        return TrashedFile(
          originalPath: original.text, path: files.path(of: new),
          infoPath: infos.path(of: new + ending))
      }
    } catch {
      throw FileError(error, at: error.code == EXDEV ? path.text : original.text)
    }
  }

  private func open(_ folder: PathBytes) throws(FileError) -> OpenFolder {
    do throws(SystemError) {
      return try OpenFolder(folder.text, .system)
    } catch {
      throw FileError(error, at: folder.text)
    }
  }

  /// Returns false if the name is in use.
  private func createRecord(
    _ name: String, in infos: OpenFolder, for original: PathBytes
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let text = "[Trash Info]\nPath=\(escaped(original))\nDeletionDate=\(LocalTime.now)\n"
      try infos.makeFile(name, Array(text.utf8), like: nil)
      return true
    } catch {
      guard error.code == EEXIST else { throw error }
      return false
    }
  }

  /// Returns a path in the format of the specification: relative to the top of the volume, and
  /// escaped as in a URL.
  private func escaped(_ original: PathBytes) -> String {
    var bytes = original.bytes[...]
    if let top {
      bytes = bytes.dropFirst(top.bytes.count).drop { $0 == UInt8(ascii: "/") }
    }
    return PathBytes(bytes).escaped(keeping: "-._~/")
  }
}
