import Glibc

/// The owner, mode and access control list of a file, for the file that takes its place.
struct FileRights {
  /// The access control list of a file.
  enum AccessList {
    /// The list, as the system encodes it; nil if the mode says everything.
    case known([UInt8]?)
    /// This process may not read the list.
    case unknown
  }

  /// The owner, group and mode.
  let status: stat
  /// The access control list.
  let list: AccessList
}

extension FileCalls {
  /// Reads the rights to a file in a folder. The status is what is known of the file already.
  func rights(
    to name: String, in folder: Descriptor, _ status: stat
  ) throws(SystemError) -> FileRights {
    let file: Descriptor
    do throws(SystemError) {
      let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
      file = try uninterrupted { () throws(SystemError) in try open(folder, name, flags, 0) }
    } catch {
      // It may be written but not read, or another process has just deleted it or made it a link.
      guard [EACCES, ENOENT, ELOOP].contains(error.code) else { throw error }
      return FileRights(status: status, list: .unknown)
    }
    defer { try? close(file) }
    var status = status
    // Mode and list are those of one file.
    guard fstat(file, &status) == 0 else { throw SystemError(errno) }
    let list = try uninterrupted { () throws(SystemError) in try accessList(file) }
    return FileRights(status: status, list: .known(list))
  }

  /// Gives an open file the rights that another one has. What cannot be given is left out: nobody
  /// gets more access than they had.
  func give(_ rights: FileRights, to file: Descriptor) throws(SystemError) {
    var mode = rights.status.st_mode & 0o7777
    let (owner, group) = (rights.status.st_uid, rights.status.st_gid)
    do throws(SystemError) {
      try uninterrupted { () throws(SystemError) in try setOwner(file, owner, group) }
    } catch {
      // The file runs as its new owner otherwise.
      mode &= 0o777
      // Where the group is another one too, its members get what everybody has.
      if (try? setOwner(file, uid_t.max, group)) == nil { mode &= ~0o070 | (mode & 0o007) << 3 }
    }
    // With a list, the bits of the group in the mode are the most that the list may give to anybody.
    if try !isListGiven(rights.list, to: file) { mode &= ~0o070 }
    try uninterrupted { () throws(SystemError) in try setMode(file, mode) }
  }

  private func isListGiven(
    _ list: FileRights.AccessList, to file: Descriptor
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      switch list {
      case .known(let bytes):
        // A new file may have got a list from its folder.
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
