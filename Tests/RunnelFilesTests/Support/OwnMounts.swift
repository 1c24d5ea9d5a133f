import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams

/// Mounts that nobody sees but the thread that makes them, and the threads that it starts. They are gone
/// when these threads are.
enum OwnMounts {
  static let reason = "This process may not have mounts of its own."

  /// True when this process may have some, as the superuser may mostly.
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

  /// Gives this thread mounts of its own, which begin as those of the process.
  @discardableResult
  static func begin() -> Bool {
    // The name is not imported.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let function = dlsym(nil, "unshare") else { return false }
    // Safety: that is how the function is declared.
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

  /// Shows a folder at another path as well.
  static func bind(_ path: String, to other: String) -> Bool {
    mount(path, other, nil, UInt(MS_BIND), nil) == 0
  }

  static func unmount(_ path: String) -> Bool { umount2(path, Int32(MNT_DETACH)) == 0 }
}
