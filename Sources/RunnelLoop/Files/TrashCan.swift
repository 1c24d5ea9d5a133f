import Glibc

/// One folder of trash: the files in one folder in it, and in another one what is known of each.
struct TrashCan {
  let path: PathBytes
  /// The top of the volume that it is for, from where paths begin; nil for the one in the home.
  let top: PathBytes?

  init(_ path: PathBytes, top: PathBytes?) {
    self.path = path
    self.top = top
  }

  private var files: PathBytes { path.appending(PathBytes("files")) }
  private var infos: PathBytes { path.appending(PathBytes("info")) }

  /// Makes it where it is not there yet. Nobody else may look into it.
  func make() throws(FileError) {
    for folder in [path, files, infos] { try Folder(folder.text).make(mode: 0o700) }
    guard let status = path.status, status.isFolder, status.st_uid == geteuid() else {
      throw .notAllowed(path.text)
    }
  }

  /// Moves something here, under its name or one that is like it.
  func put(_ name: String, from folder: PathBytes) throws(FileError) -> TrashedFile {
    let original = folder.appending(PathBytes(name))
    let opened = try open(folder)
    let (files, infos) = (try open(files), try open(infos))
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
