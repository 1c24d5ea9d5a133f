import CLibevent
import Glibc

/// What is asked of the system to read and write files; tests put others in their place, which fail.
///
/// Names are those in an open folder, by its descriptor.
package struct FileCalls: Sendable {
  package typealias Descriptor = Int32

  /// Opens a file with flags; one that is made gets the mode.
  package var open: @Sendable (Descriptor, String, Int32, mode_t) throws(SystemError) -> Descriptor
  package var close: @Sendable (Descriptor) throws(SystemError) -> Void
  package var read: @Sendable (Descriptor, UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  package var write: @Sendable (Descriptor, UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// Waits until the disk has what was written.
  package var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void
  package var setOwner: @Sendable (Descriptor, uid_t, gid_t) throws(SystemError) -> Void
  package var setMode: @Sendable (Descriptor, mode_t) throws(SystemError) -> Void
  /// Reads the access control list of an open file, as the system encodes it; nil if there is none.
  package var accessList: @Sendable (Descriptor) throws(SystemError) -> [UInt8]?
  /// Gives an open file an access control list, or takes away the one it has.
  package var setAccessList: @Sendable (Descriptor, [UInt8]?) throws(SystemError) -> Void
  /// Moves a name of one folder to a name of another one, by the flags of `renameat2`.
  package var rename:
    @Sendable (Descriptor, String, Descriptor, String, Int) throws(SystemError) -> Void
  /// Gives a file one more name.
  package var link: @Sendable (Descriptor, String, Descriptor, String) throws(SystemError) -> Void
  package var unlink: @Sendable (Descriptor, String) throws(SystemError) -> Void
  /// Keeps others from locking a folder, by the operations of `flock`.
  package var lock: @Sendable (Descriptor, Int32) throws(SystemError) -> Void

  /// The system itself.
  package static let system = FileCalls(
    open: { folder, name, flags, mode throws(SystemError) in
      try check(openat(folder, name, flags, mode))
    },
    close: { descriptor throws(SystemError) in try check(Glibc.close(descriptor)) },
    read: { descriptor, buffer throws(SystemError) in
      try check(Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    },
    write: { descriptor, buffer throws(SystemError) in
      try check(Glibc.write(descriptor, buffer.baseAddress, buffer.count))
    },
    synchronize: { descriptor throws(SystemError) in try check(fsync(descriptor)) },
    setOwner: { descriptor, user, group throws(SystemError) in
      try check(fchown(descriptor, user, group))
    },
    setMode: { descriptor, mode throws(SystemError) in try check(fchmod(descriptor, mode)) },
    accessList: { descriptor throws(SystemError) in try accessList(of: descriptor) },
    setAccessList: { descriptor, list throws(SystemError) in
      guard let list else { return try removeAccessList(of: descriptor) }
      try check(fsetxattr(descriptor, accessListName, list, list.count, 0))
    },
    rename: { folder, name, other, newName, flags throws(SystemError) in
      try check(runnel_rename(folder, name, other, newName, UInt32(flags)))
    },
    link: { folder, name, other, newName throws(SystemError) in
      try check(linkat(folder, name, other, newName, 0))
    },
    unlink: { folder, name throws(SystemError) in try check(unlinkat(folder, name, 0)) },
    lock: { folder, operation throws(SystemError) in try check(flock(folder, operation)) })

  private static let accessListName = "system.posix_acl_access"

  private static func accessList(of descriptor: Descriptor) throws(SystemError) -> [UInt8]? {
    // No attribute is longer.
    var list = [UInt8](repeating: 0, count: 65_536)
    do throws(SystemError) {
      let count = try check(fgetxattr(descriptor, accessListName, &list, list.count))
      return Array(list.prefix(count))
    } catch {
      guard error.meansNoAccessList else { throw error }
      return nil
    }
  }

  private static func removeAccessList(of descriptor: Descriptor) throws(SystemError) {
    do throws(SystemError) {
      try check(fremovexattr(descriptor, accessListName))
    } catch {
      guard error.meansNoAccessList else { throw error }
    }
  }

  @discardableResult
  private static func check<Count: SignedInteger>(
    _ result: Count
  ) throws(SystemError) -> Count {
    if result < 0 { throw SystemError(errno) }
    return result
  }
}

extension SystemError {
  /// True when the file has no access control list, or the file system knows of none.
  fileprivate var meansNoAccessList: Bool { code == ENODATA || code == EOPNOTSUPP }
}

/// Does something again as long as a signal keeps it from being done.
func uninterrupted<Output>(
  _ body: () throws(SystemError) -> Output
) throws(SystemError) -> Output {
  while true {
    do throws(SystemError) {
      return try body()
    } catch {
      if error.code != EINTR { throw error }
    }
  }
}
