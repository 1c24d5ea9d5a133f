import CLinux
import Foundation
import Glibc

/// A folder for one test, deleted with its contents on release.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    let template = FileManager.default.temporaryDirectory.appending(path: "runnel-XXXXXX").path()
    var buffer = Array(template.utf8CString)
    guard let made = mkdtemp(&buffer).map({ String(cString: $0) }) else {
      fatalError("No temporary folder: \(String(cString: strerror(errno))).")
    }
    path = made
  }

  deinit {
    remove()
  }

  /// The path of an entry.
  package subscript(name: String) -> String { "\(path)/\(name)" }

  package func makeFolder(_ name: String) {
    check(mkdir(self[name], 0o777), "mkdir \(name)")
  }

  package func write(_ name: String, _ text: String = "text") {
    writeFile(self[name], text.utf8)
  }

  package func delete(_ name: String) {
    check(Glibc.remove(self[name]), "remove \(name)")
  }

  package func move(_ old: String, to new: String) {
    check(rename(self[old], self[new]), "rename \(old)")
  }

  /// Exchanges two entries in one call.
  package func exchange(_ one: String, _ other: String) {
    exchange(one, with: self[other])
  }

  /// Exchanges an entry with a file or folder at another path.
  package func exchange(_ one: String, with path: String) {
    let flags = UInt32(runnel_exchange)
    check(runnel_rename(AT_FDCWD, self[one], AT_FDCWD, path, flags), "exchange \(one)")
  }

  /// Deletes the folder and its contents.
  package func remove() {
    Self.remove(Array(path.utf8))
  }

  /// Works on bytes, because names need not be UTF-8.
  private static func remove(_ path: [UInt8]) {
    let cPath = (path + [0]).map { CChar(bitPattern: $0) }
    if unlink(cPath) == 0 { return }
    var names: [[UInt8]] = []
    if let folder = opendir(cPath) {
      while let entry = readdir(folder) {
        // The entry is not longer than its name, so it must not be copied as a whole.
        let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let text = UnsafeRawPointer(entry).advanced(by: start).assumingMemoryBound(to: UInt8.self)
        let name = Array(UnsafeBufferPointer(start: text, count: strlen(text)))
        if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
      }
      closedir(folder)
    }
    for name in names { remove(path + Array("/".utf8) + name) }
    rmdir(cPath)
  }

  package func check(_ status: Int32, _ action: String) {
    guard status < 0 else { return }
    fatalError("\(action): \(String(cString: strerror(errno)))")
  }
}

/// The number of open descriptors of the process.
package var openDescriptors: Int {
  (0..<1_024).count { fcntl($0, F_GETFD) >= 0 }
}
