import Glibc

/// One folder of trash: the files in one folder in it, and in another one what is known of each.
struct TrashCan {
  private let path: PathBytes
  /// The top of the volume that it is for, from where paths begin; nil for the one in the home.
  private let top: PathBytes?
  private let files: OpenFolder
  private let infos: OpenFolder

  /// Opens it, and makes it where it is not there yet. Nobody else may look into it.
  ///
  /// Others may have made something at its path. No link is followed, and each folder is looked at once
  /// it is open, before anything is made in it.
  init(_ path: PathBytes, top: PathBytes?) throws(FileError) {
    self.path = path
    self.top = top
    try Folder(path.text).make(mode: 0o700)
    let can = try Self.own(path.text) { () throws(SystemError) in
      try OpenFolder(path.text, .system, following: false)
    }
    files = try Self.folder("files", in: can)
    infos = try Self.folder("info", in: can)
  }

  private static func folder(_ name: String, in can: OpenFolder) throws(FileError) -> OpenFolder {
    try own(can.path(of: name)) { () throws(SystemError) in
      try can.makeFolder(name)
      return try OpenFolder(name, in: can)
    }
  }

  /// Opens a folder, which must be of this user.
  private static func own(
    _ path: String, _ open: () throws(SystemError) -> OpenFolder
  ) throws(FileError) -> OpenFolder {
    do throws(SystemError) {
      let folder = try open()
      guard folder.isOwn else { throw SystemError(EACCES) }
      return folder
    } catch {
      // There is something else, such as a link.
      if error.code == ENOTDIR || error.code == ELOOP { throw .notAllowed(path) }
      throw FileError(error, at: path)
    }
  }

  /// Moves something here, under its name or one that is like it.
  func put(_ name: String, from folder: PathBytes) throws(FileError) -> TrashedFile {
    let original = folder.appending(PathBytes(name))
    let opened = try open(folder)
    do throws(SystemError) {
      var number = 1
      while true {
        let ending = ".trashinfo"
        let new = FileName(name).adding(
          before: number == 1 ? "" : " \(number)", upTo: FileName.longest - ending.utf8.count)
        number += 1
        // Whoever has made the one owns the other.
        guard try isMade(new + ending, in: infos, for: original) else { continue }
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

  /// Writes what is known of a file, unless something of that name is known already.
  private func isMade(
    _ name: String, in infos: OpenFolder, for original: PathBytes
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let text = "[Trash Info]\nPath=\(shown(original))\nDeletionDate=\(LocalTime.now)\n"
      try infos.makeFile(name, Array(text.utf8), like: nil)
      return true
    } catch {
      guard error.code == EEXIST else { throw error }
      return false
    }
  }

  /// A path as the specification wants it: from the top of the volume on, and escaped as in a URL.
  private func shown(_ original: PathBytes) -> String {
    var bytes = original.bytes[...]
    if let top {
      bytes = bytes.dropFirst(top.bytes.count).drop { $0 == UInt8(ascii: "/") }
    }
    let digits = Array("0123456789ABCDEF")
    return bytes.reduce(into: "") { text, byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
      text += isPlain ? String(scalar) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}
