import Glibc

/// The owner, mode and access control list of a file, to be copied to its replacement.
struct FileRights {
  enum AccessList {
    /// The list in the encoding of the system; nil if the mode is sufficient.
    case known([UInt8]?)
    /// This process may not read the list.
    case unknown
  }

  /// The owner, group and mode.
  let status: stat
  let list: AccessList
}

extension FileCalls {
  /// `status` is the file's status as read before.
  func rights(
    to name: String, in folder: Descriptor, _ status: stat
  ) throws(SystemError) -> FileRights {
    let file: Descriptor
    do throws(SystemError) {
      let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
      file = try uninterrupted { () throws(SystemError) in try open(folder, name, flags, 0) }
    } catch {
      // The file may be unreadable, or another process has just deleted it or replaced it by a
      // link.
      guard [EACCES, ENOENT, ELOOP].contains(error.code) else { throw error }
      return FileRights(status: status, list: .unknown)
    }
    defer { try? close(file) }
    var status = status
    // Mode and list must belong to the same file.
    guard fstat(file, &status) == 0 else { throw SystemError(errno) }
    let list = try uninterrupted { () throws(SystemError) in try accessList(file) }
    return FileRights(status: status, list: .known(list))
  }

  /// Rights that cannot be copied are omitted, so that no user gains access.
  func give(_ rights: FileRights, to file: Descriptor) throws(SystemError) {
    var mode = rights.status.st_mode & 0o7777
    let (owner, group) = (rights.status.st_uid, rights.status.st_gid)
    do throws(SystemError) {
      try uninterrupted { () throws(SystemError) in try setOwner(file, owner, group) }
    } catch {
      // Otherwise, the set-user-ID bit would apply to the new owner.
      mode &= 0o777
      // If the group differs too, its members become others, and some others become its members.
      // Both get only what both had: with 0606, the group had less than others.
      if (try? setOwner(file, uid_t.max, group)) == nil {
        let both = mode & mode >> 3 & 0o007
        mode = mode & 0o700 | both << 3 | both
      }
    }
    // With a list, the group bits of the mode limit all rights in the list.
    if try !setList(rights.list, to: file) { mode &= ~0o070 }
    try uninterrupted { () throws(SystemError) in try setMode(file, mode) }
  }

  private func setList(
    _ list: FileRights.AccessList, to file: Descriptor
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      switch list {
      case .known(let bytes):
        // A new file may have inherited a list from its folder.
        try uninterrupted { () throws(SystemError) in try setAccessList(file, bytes) }
        return true
      case .unknown:
        try uninterrupted { () throws(SystemError) in try setAccessList(file, nil) }
        return false
      }
    } catch {
      guard error.meansUnsupported || [EPERM, EACCES].contains(error.code) else { throw error }
      return false
    }
  }
}
