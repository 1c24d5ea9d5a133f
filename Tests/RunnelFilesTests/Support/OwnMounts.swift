import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams

/// Mounts in a private namespace of the thread that creates them and of the threads that it starts.
/// They end with these threads.
enum OwnMounts {
  static let reason = "This process may not create a mount namespace."

  /// True if this process may create a mount namespace, as the superuser usually may.
  static let arePermitted: Bool = {
    let outcome = Monitor(false)
    let pool = WorkerPool(name: "mounts", size: 1)
    pool.execute {
      let isDone = begin()
      outcome.withLock { $0 = isDone }
    }
    pool.stop()
    pool.join()
    return outcome.withLock { $0 }
  }()

  /// Creates a mount namespace for this thread, with the mounts of the process.
  @discardableResult
  static func begin() -> Bool {
    // The function is not imported.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let function = dlsym(nil, "unshare") else { return false }
    // Safety: the type is that of the C declaration.
    let unshare = unsafeBitCast(function, to: Unshare.self)
    let ownMounts: Int32 = 0x20000
    guard unshare(ownMounts) == 0 else { return false }
    return mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
  }

  /// Mounts an empty file system at a path.
  static func mountEmpty(at path: String) -> Bool { mount("none", path, "tmpfs", 0, nil) == 0 }

  /// Makes a file system read-only.
  static func makeReadOnly(_ path: String) -> Bool {
    mount("none", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
  }

  /// Mounts a folder at another path.
  static func bind(_ path: String, to other: String) -> Bool {
    mount(path, other, nil, UInt(MS_BIND), nil) == 0
  }

  static func unmount(_ path: String) -> Bool { umount2(path, Int32(MNT_DETACH)) == 0 }
}
