import Glibc

/// What is in a folder.
struct FolderEntry {
  let name: PathBytes
  /// A link to a folder is none.
  let isFolder: Bool

  /// All that is in a folder, in no order.
  static func all(in folder: PathBytes) throws(SystemError) -> [FolderEntry] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw SystemError(errno) }
    defer { closedir(stream) }
    var entries: [FolderEntry] = []
    while let entry = readdir(stream) {
      let name = Self.name(of: entry)
      if name.bytes == [dot] || name.bytes == [dot, dot] { continue }
      let isFolder =
        switch Int(entry.pointee.d_type) {
        case DT_DIR: true
        // Some file systems leave it to us to look.
        case DT_UNKNOWN: folder.appending(name).status?.isFolder ?? false
        default: false
        }
      entries.append(FolderEntry(name: name, isFolder: isFolder))
    }
    return entries
  }

  private static let dot = UInt8(ascii: ".")

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> PathBytes {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    // Safety: the name ends with a zero, within the entry.
    let start = UnsafeRawPointer(entry) + offset
    return PathBytes(UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }
}

private func strlen(_ text: UnsafeRawPointer) -> Int {
  Glibc.strlen(text.assumingMemoryBound(to: CChar.self))
}
