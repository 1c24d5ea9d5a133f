import CLinux
import Glibc
import RunnelFiles
import RunnelLoop
import TestSupport

extension FileContents {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TemporaryFolder {
  /// Returns the names of all entries, sorted.
  func names() throws -> [String] {
    guard let stream = opendir(path) else { throw FileError.missing(path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      // Safety: the name is zero-terminated within the entry.
      let text = UnsafeRawPointer(entry).advanced(by: start).assumingMemoryBound(to: CChar.self)
      let name = String(cString: text)
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func status(_ name: String) -> stat {
    var status = stat()
    check(lstat(self[name], &status), "stat \(name)")
    return status
  }
}

/// Runs a closure without superuser rights to files, on this thread only.
func asNobody<Output>(_ body: () throws(FileError) -> Output) throws(FileError) -> Output {
  let (user, group) = (setfsuid(65_534), setfsgid(65_534))
  defer {
    _ = setfsgid(gid_t(group))
    _ = setfsuid(uid_t(user))
  }
  return try body()
}

/// A folder that is on another file system than the temporary folder; nil if there is none.
let otherFileSystem: String? = {
  let folder = TemporaryFolder()
  let name = "/dev/shm"
  var (here, there) = (stat(), stat())
  guard lstat(folder.path, &here) == 0, lstat(name, &there) == 0, here.st_dev != there.st_dev,
    access(name, W_OK) == 0
  else { return nil }
  return name
}()
