import Glibc
import RunnelLoop

/// A file that one process uses, which holds its lock, and that grows at its end.
final class AppendedFile {
  let path: String
  private let calls: FileCalls
  private var file: Descriptor
  private(set) var size: Int
  /// True if a part of a failed addition is still behind the end.
  private var hasRest = false

  private static let flags = O_RDWR | O_APPEND | O_CLOEXEC

  /// Opens the file, or creates it. Throws if another process uses it, or if it is no regular file.
  init(_ path: String, _ calls: FileCalls) throws(FileError) {
    self.path = path
    self.calls = calls
    do throws(SystemError) {
      file = try Self.openOrCreate(path, calls)
      try Self.lock(file, calls)
    } catch {
      throw FileError(error, at: path)
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw FileError(SystemError(errno), at: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    // Another process may have replaced the file before the lock, and uses the new one.
    var present = stat()
    guard stat(path, &present) == 0, present.st_ino == status.st_ino,
      present.st_dev == status.st_dev
    else { throw FileError(SystemError(EWOULDBLOCK), at: path) }
    size = Int(status.st_size)
  }

  deinit { Self.unlock(file) }

  private static func openOrCreate(
    _ path: String, _ calls: FileCalls
  ) throws(SystemError) -> Descriptor {
    // Another process may create or remove the file between two calls, but not each time.
    for _ in 0..<10 {
      do throws(SystemError) {
        return try open(path, flags, calls)
      } catch {
        if error.code != ENOENT { throw error }
      }
      do throws(SystemError) {
        return try create(path, calls)
      } catch {
        if error.code != EEXIST { throw error }
      }
    }
    throw SystemError(ENOENT)
  }

  private static func open(
    _ path: String, _ flags: Int32, _ calls: FileCalls
  ) throws(SystemError) -> Descriptor {
    Descriptor(
      owning: try uninterrupted { () throws(SystemError) in
        try calls.open(AT_FDCWD, path, flags, 0o600)
      })
  }

  private static func create(
    _ path: String, _ calls: FileCalls
  ) throws(SystemError) -> Descriptor {
    try open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, calls)
  }

  private static func lock(_ file: Descriptor, _ calls: FileCalls) throws(SystemError) {
    try uninterrupted { () throws(SystemError) in
      try calls.lock(file.number, LOCK_EX | LOCK_NB)
    }
  }

  /// Ends the lock, of which a child process between fork and exec may have a copy.
  private static func unlock(_ file: Descriptor) { flock(file.number, LOCK_UN) }

  // MARK: - Reading

  /// Returns the bytes of the file, or only the first ones.
  func contents(upTo limit: Int = .max) throws(FileError) -> [UInt8] {
    do throws(SystemError) {
      guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError(errno) }
      var bytes = [UInt8](repeating: 0, count: min(size, limit))
      var count = 0
      while count < bytes.count {
        let read = try uninterrupted { () throws(SystemError) in
          try bytes.withUnsafeMutableBytes { buffer in
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            return Result { () throws(SystemError) in try calls.read(file.number, rest) }
          }.get()
        }
        if read == 0 { break }
        count += read
      }
      return Array(bytes[..<count])
    } catch {
      throw FileError(error, at: path)
    }
  }

  // MARK: - Writing

  /// Adds bytes at the end, all or none.
  func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      if hasRest { try cut(to: size) }
      hasRest = true
      do throws(SystemError) {
        try Self.write(bytes, to: file, calls)
        hasRest = false
      } catch {
        try? cut(to: size)
        throw error
      }
    } catch {
      throw FileError(error, at: path)
    }
    size += bytes.count
  }

  /// Cuts off the bytes after a size.
  func truncate(to size: Int) throws(FileError) {
    do throws(SystemError) { try cut(to: size) } catch { throw FileError(error, at: path) }
  }

  private func cut(to size: Int) throws(SystemError) {
    try uninterrupted { () throws(SystemError) in try calls.truncate(file.number, size) }
    self.size = size
    hasRest = false
  }

  private static func write(
    _ bytes: [UInt8], to file: Descriptor, _ calls: FileCalls
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try uninterrupted { () throws(SystemError) in
        try rest.withUnsafeBytes { buffer in
          Result { () throws(SystemError) in try calls.write(file.number, buffer) }
        }.get()
      }
      if count == 0 { throw SystemError(ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }

  /// Replaces the bytes by others in one step. After a failure or a crash, the file has the bytes from
  /// before.
  func replace(with bytes: [UInt8]) throws(FileError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    // Only the holder of the lock uses this name. A killed process may have left such a file.
    let provisional = path[..<start] + ProvisionalName.unfinished(of: String(path[start...]))
    let name = String(provisional)
    do throws(SystemError) {
      do throws(SystemError) {
        try calls.unlink(AT_FDCWD, name)
      } catch {
        if error.code != ENOENT { throw error }
      }
      let other = try Self.create(name, calls)
      do throws(SystemError) {
        try Self.lock(other, calls)
        try Self.write(bytes, to: other, calls)
        try uninterrupted { () throws(SystemError) in try calls.synchronize(other.number) }
        try calls.rename(AT_FDCWD, name, AT_FDCWD, path, 0)
      } catch {
        try? calls.unlink(AT_FDCWD, name)
        throw error
      }
      Self.unlock(exchange(&file, with: other))
    } catch {
      throw FileError(error, at: path)
    }
    size = bytes.count
    hasRest = false
  }
}
