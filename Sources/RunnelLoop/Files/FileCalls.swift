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
    rename: { folder, name, other, newName, flags throws(SystemError) in
      try check(runnel_rename(folder, name, other, newName, UInt32(flags)))
    },
    link: { folder, name, other, newName throws(SystemError) in
      try check(linkat(folder, name, other, newName, 0))
    },
    unlink: { folder, name throws(SystemError) in try check(unlinkat(folder, name, 0)) },
    lock: { folder, operation throws(SystemError) in try check(flock(folder, operation)) })

  @discardableResult
  private static func check<Count: SignedInteger>(
    _ result: Count
  ) throws(SystemError) -> Count {
    if result < 0 { throw SystemError(errno) }
    return result
  }
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
