import CLinux
import Glibc
import RunnelLoop

/// An open folder. Names refer to its entries, even if its path changes.
final class OpenFolder {
  let path: String
  let calls: FileCalls
  private let descriptor: Descriptor

  /// Follows a link by default.
  convenience init(
    _ path: String, _ calls: FileCalls, following follows: Bool = true
  ) throws(SystemError) {
    try self.init(path, at: path, in: AT_FDCWD, calls, following: follows)
  }

  /// A link is not followed.
  convenience init(_ name: String, in parent: OpenFolder) throws(SystemError) {
    let path = parent.path(of: name)
    try self.init(name, at: path, in: parent.descriptor.number, parent.calls, following: false)
  }

  /// Opens the folder at an absolute path. Throws `ELOOP` if a component of it is a link.
  convenience init(
    _ path: String, atLinkFree real: PathBytes, _ calls: FileCalls
  ) throws(SystemError) {
    var names = real.components.map(\.text)
    let last = names.popLast() ?? "."
    // Component by component, because the flag of `open` concerns only the last one.
    var parent = try Self.opened("/", in: AT_FDCWD, calls, Int32(runnel_pass_only))
    for name in names {
      parent = try Self.opened(name, in: parent.number, calls, Int32(runnel_pass_only) | O_NOFOLLOW)
    }
    self.init(path, calls, try Self.opened(last, in: parent.number, calls, O_NOFOLLOW))
  }

  private convenience init(
    _ name: String, at path: String, in parent: Int32, _ calls: FileCalls, following follows: Bool
  ) throws(SystemError) {
    self.init(path, calls, try Self.opened(name, in: parent, calls, follows ? 0 : O_NOFOLLOW))
  }

  private init(_ path: String, _ calls: FileCalls, _ descriptor: Descriptor) {
    self.path = path
    self.calls = calls
    self.descriptor = descriptor
  }

  private static func opened(
    _ name: String, in parent: Int32, _ calls: FileCalls, _ flags: Int32
  ) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      return Descriptor(
        owning: try uninterrupted { () throws(SystemError) in
          try calls.open(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags, 0)
        })
    } catch {
      // With O_DIRECTORY, the system reports a link that is not followed as no folder.
      var status = stat()
      let isLink =
        flags & O_NOFOLLOW != 0 && error.code == ENOTDIR
        && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.isLink
      throw isLink ? SystemError(ELOOP) : error
    }
  }

  deinit {
    // A child process between fork and exec shares the descriptor, so closing it would keep the
    // lock.
    flock(descriptor.number, LOCK_UN)
  }

  // MARK: - Reading

  func path(of name: String) -> String { PathBytes(path).appending(PathBytes(name)).text }

  /// Returns the status of an entry, or nil if it does not exist. A link is not followed.
  func status(of name: String) throws(SystemError) -> stat? {
    var status = stat()
    if fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    if errno == ENOENT { return nil }
    throw SystemError(errno)
  }

  /// True if the effective user of this process owns the folder.
  var isOwn: Bool {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 && status.st_uid == geteuid()
  }

  func isGone(_ name: String) -> Bool {
    do throws(SystemError) { return try status(of: name) == nil } catch { return false }
  }

  /// Throws unless this process may write an existing file.
  func checkWritable(_ name: String) throws(SystemError) {
    guard faccessat(descriptor.number, name, W_OK, AT_EACCESS) != 0 else { return }
    throw SystemError(errno)
  }

  func rights(to name: String, _ status: stat) throws(SystemError) -> FileRights {
    try calls.rights(to: name, in: descriptor.number, status)
  }

  func contents(of name: String, upTo limit: Int) throws(SystemError) -> FileContents {
    try calls.contents(of: name, in: descriptor.number, upTo: limit)
  }

  /// Returns true if a process has the file open for writing, even after a wait. By then
  /// a short write is over. A child process that this process has started usually runs its program,
  /// and holds none of its descriptors any more.
  ///
  /// The system does not tell this of a file of another user. For such a file, the result is true if
  /// the file changes during a short wait. A process that writes later is not detected.
  func isBeingWritten(_ name: String, after milliseconds: Int = 50) -> Bool {
    let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
    let file = openat(descriptor.number, name, flags)
    guard file >= 0 else { return false }
    defer { close(file) }
    if runnel_has_writer(file) >= 0 {
      return !Self.waits(milliseconds) { runnel_has_writer(file) == 0 }
    }
    let before = Self.version(of: file)
    _ = Self.waits(20) { false }
    return Self.version(of: file) != before
  }

  /// The size and modification time of an open file.
  private static func version(of file: Int32) -> [Int] {
    var status = stat()
    fstat(file, &status)
    return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  // MARK: - Changes

  /// Creates a subfolder that only its owner may access, unless the name exists.
  func makeFolder(_ name: String) throws(SystemError) {
    if mkdirat(descriptor.number, name, 0o700) == 0 || errno == EEXIST { return }
    throw SystemError(errno)
  }

  /// Creates a file and waits until the disk has confirmed it. On failure the file is removed. The
  /// file gets the rights of the original, if there is one.
  func makeFile(
    _ name: String, _ bytes: [UInt8], like original: FileRights?, mode: mode_t = 0o666
  ) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // A private file is private from the beginning.
    let mode = original == nil ? mode : 0o600
    let file = try uninterrupted { () throws(SystemError) in
      try calls.open(descriptor.number, name, flags, mode)
    }
    do throws(SystemError) {
      var isOpen = true
      defer { if isOpen { try? calls.close(file) } }
      try write(bytes, to: file)
      if let original { try calls.give(original, to: file) }
      try uninterrupted { () throws(SystemError) in try calls.synchronize(file) }
      isOpen = false
      // A close that a signal interrupts has closed the file.
      do throws(SystemError) { try calls.close(file) } catch {
        if error.code != EINTR { throw error }
      }
    } catch {
      try? remove(name)
      throw error
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try uninterrupted { () throws(SystemError) in
        let result = bytes.withUnsafeBytes { buffer in
          // Safety: the rest is within the buffer, and the pointer does not escape.
          let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
          return Result { () throws(SystemError) in try calls.write(file, rest) }
        }
        return try result.get()
      }
    }
  }

  /// Moves an entry to an unused name, in this folder or another one.
  func move(_ name: String, to newName: String, in other: OpenFolder? = nil) throws(SystemError) {
    do throws(SystemError) {
      try rename(name, to: newName, in: other, runnel_no_replace)
    } catch {
      guard error.meansUnsupported else { throw error }
      try moveByLink(name, to: newName, in: other ?? self)
    }
  }

  /// Moves an entry to an unused name where `rename` cannot exclude a replacement.
  private func moveByLink(
    _ name: String, to newName: String, in other: OpenFolder
  ) throws(SystemError) {
    do throws(SystemError) {
      try link(name, as: newName, in: other)
    } catch {
      // A file that is created under the new name after this check is replaced.
      guard error.meansNoLinks else { throw error }
      if try other.status(of: newName) != nil { throw SystemError(EEXIST) }
      return try rename(name, to: newName, in: other, 0)
    }
    // Another process may have replaced the file since. Its file stays.
    if let old = try status(of: name), let new = try other.status(of: newName),
      !old.isSameFile(as: new)
    {
      return
    }
    do throws(SystemError) {
      try remove(name)
    } catch {
      try? other.remove(newName)
      throw error
    }
  }

  /// Creates a hard link to a file under an unused name.
  func link(_ name: String, as newName: String, in other: OpenFolder? = nil) throws(SystemError) {
    let target = (other ?? self).descriptor.number
    try uninterrupted { () throws(SystemError) in
      try calls.link(descriptor.number, name, target, newName)
    }
  }

  /// Moves an entry to another name in this folder, replacing an existing one.
  func replace(_ newName: String, with name: String) throws(SystemError) {
    try rename(name, to: newName, 0)
  }

  func exchange(_ name: String, _ other: String) throws(SystemError) {
    try rename(name, to: other, runnel_exchange)
  }

  private func rename(
    _ name: String, to newName: String, in other: OpenFolder? = nil, _ flags: Int
  ) throws(SystemError) {
    let target = (other ?? self).descriptor.number
    try uninterrupted { () throws(SystemError) in
      try calls.rename(descriptor.number, name, target, newName, flags)
    }
  }

  func remove(_ name: String) throws(SystemError) {
    try uninterrupted { () throws(SystemError) in try calls.unlink(descriptor.number, name) }
  }

  /// Waits until the disk has confirmed the entries of the folder.
  func synchronize() throws(SystemError) {
    do throws(SystemError) {
      try uninterrupted { () throws(SystemError) in try calls.synchronize(descriptor.number) }
    } catch {
      // Some file systems do not support this for folders.
      guard error.meansUnsupported else { throw error }
    }
  }

  // MARK: - Locks

  /// Prevents cleaning up in the folder, so that a file being saved is not taken for a leftover.
  func announceSaving() { lock(LOCK_SH) }

  /// Prevents other updates in the folder until this object is released.
  func announceUpdating() { lock(LOCK_EX) }

  /// Waits up to 2 s for the lock. If that fails, because another process hangs or the file system
  /// has no locks, saving continues. A file being saved may then be taken for a leftover, but is
  /// not lost.
  private func lock(_ operation: Int32) {
    _ = Self.waits(2_000) {
      do throws(SystemError) {
        try calls.lock(descriptor.number, operation | LOCK_NB)
        return true
      } catch {
        return error.code != EWOULDBLOCK
      }
    }
  }

  /// Returns true if no process saves in the folder, and prevents saves until this object is
  /// released.
  func isQuiet() -> Bool { (try? calls.lock(descriptor.number, LOCK_EX | LOCK_NB)) != nil }

  /// Waits until a condition holds, for at most the given time. Returns false if it does not hold.
  private static func waits(_ milliseconds: Int, _ condition: () -> Bool) -> Bool {
    for _ in 0..<milliseconds {
      if condition() { return true }
      usleep(1_000)
    }
    return condition()
  }
}

extension SystemError {
  /// True if the file system does not support the operation.
  var meansUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

  /// True if the file system has no hard links, or the file has the maximum number of links.
  var meansNoLinks: Bool { meansUnsupported || code == EPERM || code == EMLINK }
}
