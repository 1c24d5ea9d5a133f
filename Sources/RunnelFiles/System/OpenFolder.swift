import CLibevent
import Glibc
import RunnelLoop

/// A folder that is open: names mean what is in it, whatever becomes of its path meanwhile.
final class OpenFolder {
  let path: String
  let calls: FileCalls
  private let descriptor: Descriptor

  /// Opens the folder at a path. A link is followed, unless told otherwise.
  convenience init(
    _ path: String, _ calls: FileCalls, following follows: Bool = true
  ) throws(SystemError) {
    try self.init(path, at: path, in: AT_FDCWD, calls, following: follows)
  }

  /// Opens a folder in another one. A link is not followed.
  convenience init(_ name: String, in parent: OpenFolder) throws(SystemError) {
    let path = parent.path(of: name)
    try self.init(name, at: path, in: parent.descriptor.number, parent.calls, following: false)
  }

  private init(
    _ name: String, at path: String, in parent: Int32, _ calls: FileCalls, following follows: Bool
  ) throws(SystemError) {
    self.path = path
    self.calls = calls
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
    descriptor = Descriptor(
      owning: try uninterrupted { () throws(SystemError) in
        try calls.open(parent, name, flags, 0)
      })
  }

  deinit {
    // A process that is about to run another program has it open too: closing it would not end a lock.
    flock(descriptor.number, LOCK_UN)
  }

  // MARK: - What is in it

  /// The path of something in it.
  func path(of name: String) -> String { PathBytes(path).appending(PathBytes(name)).text }

  /// What goes by a name in it; nil if nothing does. A link is not followed.
  func status(of name: String) throws(SystemError) -> stat? {
    var status = stat()
    if fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    if errno == ENOENT { return nil }
    throw SystemError(errno)
  }

  /// True when the effective user of this process owns it.
  var isOwn: Bool {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether there is nothing of a name in it.
  func isGone(_ name: String) -> Bool {
    do throws(SystemError) { return try status(of: name) == nil } catch { return false }
  }

  /// Throws unless this process may write a file in it.
  func checkWritable(_ name: String) throws(SystemError) {
    guard faccessat(descriptor.number, name, W_OK, AT_EACCESS) != 0 else { return }
    throw SystemError(errno)
  }

  /// The rights to a file in it, of which the status is known.
  func rights(to name: String, _ status: stat) throws(SystemError) -> FileRights {
    try calls.rights(to: name, in: descriptor.number, status)
  }

  func contents(of name: String, upTo limit: Int) throws(SystemError) -> FileContents {
    try calls.contents(of: name, in: descriptor.number, upTo: limit)
  }

  /// Whether somebody has the file open for writing, still after some milliseconds: a short write is
  /// over by then, and a child that this process has started mostly runs its program, and has none of
  /// our descriptors any more.
  func isBeingWritten(_ name: String, after milliseconds: Int = 50) -> Bool {
    let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
    let file = openat(descriptor.number, name, flags)
    guard file >= 0 else { return false }
    defer { close(file) }
    return !Self.patiently(milliseconds) { runnel_has_writer(file) == 0 }
  }

  // MARK: - Changing it

  /// Makes a folder in it that only its owner may look into, unless something of that name is there.
  func makeFolder(_ name: String) throws(SystemError) {
    if mkdirat(descriptor.number, name, 0o700) == 0 || errno == EEXIST { return }
    throw SystemError(errno)
  }

  /// Makes a file with these bytes, which the disk has when this returns. On failure there is none.
  /// It has the rights of the original, if there is one.
  func makeFile(
    _ name: String, _ bytes: [UInt8], like original: FileRights?, mode: mode_t = 0o666
  ) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // What is to be private is so from the beginning.
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
      // A signal that comes while it is closed does not keep it open.
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
          // Safety: the rest lies within the buffer, which is not kept.
          let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
          return Result { () throws(SystemError) in try calls.write(file, rest) }
        }
        return try result.get()
      }
    }
  }

  /// Moves something to a name at which there is nothing, in this folder or another one.
  func move(_ name: String, to newName: String, in other: OpenFolder? = nil) throws(SystemError) {
    do throws(SystemError) {
      try rename(name, to: newName, in: other, runnel_no_replace)
    } catch {
      guard error.meansUnsupported else { throw error }
      try moveByLink(name, to: newName, in: other ?? self)
    }
  }

  /// The same where a move may always replace.
  private func moveByLink(
    _ name: String, to newName: String, in other: OpenFolder
  ) throws(SystemError) {
    do throws(SystemError) {
      try link(name, as: newName, in: other)
    } catch {
      // What comes to be there in this moment is replaced.
      guard error.meansNoLinks else { throw error }
      if try other.status(of: newName) != nil { throw SystemError(EEXIST) }
      return try rename(name, to: newName, in: other, 0)
    }
    do throws(SystemError) {
      try remove(name)
    } catch {
      try? other.remove(newName)
      throw error
    }
  }

  /// Gives a file another name as well, at which there is nothing.
  func link(_ name: String, as newName: String, in other: OpenFolder? = nil) throws(SystemError) {
    let target = (other ?? self).descriptor.number
    try uninterrupted { () throws(SystemError) in
      try calls.link(descriptor.number, name, target, newName)
    }
  }

  /// Moves something to another name in this folder, over what is there.
  func replace(_ newName: String, with name: String) throws(SystemError) {
    try rename(name, to: newName, 0)
  }

  /// Makes two things in this folder change their names.
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

  /// Waits until the disk knows the names in it.
  func synchronize() throws(SystemError) {
    do throws(SystemError) {
      try uninterrupted { () throws(SystemError) in try calls.synchronize(descriptor.number) }
    } catch {
      // Some file systems know of no such thing for folders.
      guard error.meansUnsupported else { throw error }
    }
  }

  // MARK: - Who is at work in it

  /// Lets nobody clean up in it who might take what is being saved for a leftover.
  func announceSaving() { lock(LOCK_SH) }

  /// Lets nobody else update something in it, until this object is released.
  func announceUpdating() { lock(LOCK_EX) }

  /// Waits until others let go of it. Those that hang, and file systems that know of no locks, keep
  /// nobody from saving: then what is being saved can be taken for a leftover, but is not lost.
  private func lock(_ operation: Int32) {
    _ = Self.patiently(2_000) {
      do throws(SystemError) {
        try calls.lock(descriptor.number, operation | LOCK_NB)
        return true
      } catch {
        return error.code != EWOULDBLOCK
      }
    }
  }

  /// Whether nobody saves anything in it, until this object is released.
  func isQuiet() -> Bool { (try? calls.lock(descriptor.number, LOCK_EX | LOCK_NB)) != nil }

  /// Waits until something holds, for so many milliseconds at most. Returns whether it does.
  private static func patiently(_ milliseconds: Int, _ condition: () -> Bool) -> Bool {
    for _ in 0..<milliseconds {
      if condition() { return true }
      usleep(1_000)
    }
    return condition()
  }
}

extension SystemError {
  /// Whether the file system does not know of what it was asked for.
  var meansUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

  /// Whether files have one name each there, or this one has as many as it may.
  var meansNoLinks: Bool { meansUnsupported || code == EPERM || code == EMLINK }
}
