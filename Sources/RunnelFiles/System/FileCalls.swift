import CLinux
import Glibc

/// The system calls for reading and writing files. Tests substitute failing ones.
///
/// Names are relative to an open folder, given by its descriptor.
package struct FileCalls: Sendable {
  package typealias Descriptor = Int32

  /// Opens a file with flags. The mode applies to a new file.
  package var open: @Sendable (Descriptor, String, Int32, mode_t) throws(SystemError) -> Descriptor
  package var close: @Sendable (Descriptor) throws(SystemError) -> Void
  package var read: @Sendable (Descriptor, UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  package var write: @Sendable (Descriptor, UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// Cuts off the bytes of a file after a size.
  package var truncate: @Sendable (Descriptor, Int) throws(SystemError) -> Void
  /// Waits until the disk has confirmed the written bytes.
  package var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void
  package var setOwner: @Sendable (Descriptor, uid_t, gid_t) throws(SystemError) -> Void
  package var setMode: @Sendable (Descriptor, mode_t) throws(SystemError) -> Void
  /// Reads the access control list of an open file in the encoding of the system; nil if it has
  /// none.
  package var accessList: @Sendable (Descriptor) throws(SystemError) -> [UInt8]?
  /// Sets the access control list of an open file, or removes it.
  package var setAccessList: @Sendable (Descriptor, [UInt8]?) throws(SystemError) -> Void
  /// Moves a name between folders, with the flags of `renameat2`.
  package var rename:
    @Sendable (Descriptor, String, Descriptor, String, Int) throws(SystemError) -> Void
  /// Creates a hard link.
  package var link: @Sendable (Descriptor, String, Descriptor, String) throws(SystemError) -> Void
  package var unlink: @Sendable (Descriptor, String) throws(SystemError) -> Void
  /// Locks a folder with the operations of `flock`.
  package var lock: @Sendable (Descriptor, Int32) throws(SystemError) -> Void

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
    truncate: { descriptor, size throws(SystemError) in
      try check(ftruncate(descriptor, off_t(size)))
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
    // The maximum size of an attribute.
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
  /// True if the file has no access control list, or the file system does not support them.
  fileprivate var meansNoAccessList: Bool { code == ENODATA || code == EOPNOTSUPP }
}

/// Repeats a system call while signals interrupt it.
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
