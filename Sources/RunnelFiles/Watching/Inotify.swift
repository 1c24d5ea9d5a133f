import CLinux
import Glibc
import RunnelLoop

/// An inotify instance, which reports changes of watched folders.
final class Inotify {
  struct Notice {
    let folder: Int32
    let cookie: UInt32
    let name: PathBytes
    private let mask: Int32

    func contains(_ events: Int32) -> Bool { mask & events != 0 }

    // Safety: the caller guarantees that a whole notice begins at the offset.
    fileprivate init(at offset: inout Int, in buffer: UnsafeRawBufferPointer) {
      let head = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let start = offset + MemoryLayout<inotify_event>.size
      offset = start + Int(head.len)
      folder = head.wd
      cookie = head.cookie
      mask = Int32(bitPattern: head.mask)
      name = PathBytes(buffer[start..<offset].prefix { $0 != 0 })
    }
  }

  private static let events =
    IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    | IN_MOVE_SELF

  private let descriptor: Descriptor

  init() throws(SystemError) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard number >= 0 else { throw SystemError(errno) }
    descriptor = Descriptor(owning: number)
  }

  /// Calls the action while notices can be read.
  func watch(on loop: EventLoop, _ action: @escaping () -> Void) throws(SystemError) -> Watch {
    try Watch.make(descriptor.number, on: loop, action)
  }

  /// Watches a folder, and returns its number. A folder that is watched already keeps its number.
  func add(_ folder: PathBytes) throws(SystemError) -> Int32 {
    let flags = Self.events | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK
    let number = folder.withCString {
      inotify_add_watch(descriptor.number, $0, UInt32(bitPattern: flags))
    }
    guard number >= 0 else { throw SystemError(errno) }
    return number
  }

  /// Stops watching a folder, which may be deleted already.
  func remove(_ folder: Int32) {
    inotify_rm_watch(descriptor.number, folder)
  }

  /// True if notices can be read.
  var isWaiting: Bool { descriptor.waitingByteCount > 0 }

  /// Reads as many notices as fit into the buffer. `isAll` is true if none are left.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> (notices: [Notice], isAll: Bool) {
    let count = max(Glibc.read(descriptor.number, buffer.baseAddress, buffer.count), 0)
    var notices: [Notice] = []
    var offset = 0
    while offset < count { notices.append(Notice(at: &offset, in: UnsafeRawBufferPointer(buffer))) }
    return (notices, !isWaiting)
  }
}

extension Watch {
  /// Calls the action while the descriptor can be read. Throws errors as values of `errno`.
  static func make(
    _ descriptor: Int32, on loop: EventLoop, _ action: @escaping () -> Void
  ) throws(SystemError) -> Watch {
    do throws(DescriptorError) {
      return try Watch(descriptor, for: .reading, on: loop, action)
    } catch {
      if case .system(let code) = error { throw SystemError(code) }
      throw SystemError(EMFILE)
    }
  }
}
