import Glibc

/// An entry of a folder, with any name that the system allows.
///
/// `DiskListing` of `RunnelDesk` lists folders for a dialog: it follows links, and leaves out names
/// that are not text. It cannot use this module, which needs libevent.
struct FolderEntry {
  let name: PathBytes
  /// True for a folder, but not for a link to one.
  let isFolder: Bool

  /// The entries are in no order.
  static func all(in folder: PathBytes) throws(SystemError) -> [FolderEntry] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw SystemError(errno) }
    defer { closedir(stream) }
    var entries: [FolderEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError(errno) }
        return entries
      }
      let name = Self.name(of: entry)
      if name.bytes == [dot] || name.bytes == [dot, dot] { continue }
      let isFolder =
        switch Int(entry.pointee.d_type) {
        case DT_DIR: true
        // Some file systems do not report the type.
        case DT_UNKNOWN: folder.appending(name).status?.isFolder ?? false
        default: false
        }
      entries.append(FolderEntry(name: name, isFolder: isFolder))
    }
  }

  private static let dot = UInt8(ascii: ".")

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> PathBytes {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    // Safety: the name is zero-terminated within the entry.
    let start = UnsafeRawPointer(entry) + offset
    return PathBytes(UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }
}

private func strlen(_ text: UnsafeRawPointer) -> Int {
  Glibc.strlen(text.assumingMemoryBound(to: CChar.self))
}
