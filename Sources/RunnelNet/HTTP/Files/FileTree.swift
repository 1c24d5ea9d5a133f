import CSockets
import Glibc
import RunnelLoop

/// A folder whose files are served, and nothing outside of it.
final class FileTree {
  /// The way in which a path below the folder is opened.
  enum Lookup {
    /// The system checks each step. Links inside of the folder are followed.
    case system
    /// Each part of the path is opened alone, and links are not followed.
    case steps
  }

  /// An open file or folder.
  struct Entry {
    let file: Descriptor
    let status: stat

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
  }

  let path: String
  var lookup = Lookup.system
  /// The open folder, and the second in which it was opened.
  private var root: (folder: Descriptor, second: Int)?

  init(path: String) {
    self.path = path
  }

  /// Opens a path of names, which are neither empty nor contain a slash or a zero byte. Returns nil
  /// if nothing is there.
  ///
  /// The folder itself is opened once a second, so that a link to it may be changed.
  func open(_ names: [[UInt8]], in second: Int) throws(DescriptorError) -> Entry? {
    let file = open(names, in: try folder(in: second))
    guard file >= 0 else {
      switch -file {
      case ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG, ENXIO, ENODEV, EAGAIN: return nil
      case let code: throw DescriptorError(code, file)
      }
    }
    let descriptor = Descriptor(owning: file)
    var status = stat()
    guard fstat(file, &status) == 0 else { throw DescriptorError(errno, file) }
    return Entry(file: descriptor, status: status)
  }

  private func folder(in second: Int) throws(DescriptorError) -> Descriptor {
    if let root, root.second == second { return root.folder }
    root = nil
    let number = Self.call(Array(path.utf8)) { runnel_open_folder(AT_FDCWD, $0, 1) }
    if number < 0 { throw DescriptorError(-number, number) }
    let folder = Descriptor(owning: number)
    root = (folder, second)
    return folder
  }

  /// Without waiting: opening a pipe waits for its writer otherwise.
  private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

  /// Returns the descriptor, or a negative error.
  private func open(_ names: [[UInt8]], in root: Descriptor) -> Int32 {
    if lookup == .system {
      let joined = names.isEmpty ? [UInt8(ascii: ".")] : Array(names.joined(separator: "/".utf8))
      let file = Self.call(joined) { runnel_open_beneath(root.number, $0, Self.flags) }
      // Old systems do not have the call, and sandboxes may forbid it.
      if file != -ENOSYS && file != -EPERM { return file }
    }
    var folder = root
    for name in names.dropLast() {
      let number = folder.number
      let next = withExtendedLifetime(folder) {
        Self.call(name) { runnel_open_folder(number, $0, 0) }
      }
      if next < 0 { return next }
      folder = Descriptor(owning: next)
    }
    // The folder stays open until the call has returned.
    return withExtendedLifetime(folder) { folder in
      Self.call(names.last ?? [UInt8(ascii: ".")]) {
        openat(folder.number, $0, Self.flags | O_NOFOLLOW)
      }
    }
  }

  /// Returns the result of a call with a name, or its negative error.
  private static func call(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    let bytes = name.map { CChar(bitPattern: $0) } + [0]
    // The bytes are released after the error is read, because that may change it.
    return withExtendedLifetime(bytes) {
      let result = body(bytes)
      return result < 0 ? -errno : result
    }
  }
}
