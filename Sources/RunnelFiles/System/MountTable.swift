import CLinux
import Glibc
import RunnelLoop

/// The mount points above and below a path.
///
/// A file system that is mounted over a watched folder hides it, and unmounting may reveal another
/// folder. inotify does not report that.
final class MountTable {
  private let path: PathBytes
  private let table: Descriptor
  private let events: Descriptor
  private var mounts: [[UInt8]] = []

  /// Reads the mounts around a resolved path. Returns nil if the system does not provide the table.
  init?(around path: PathBytes) throws(SystemError) {
    self.path = path
    // A thread may have its own mount namespace.
    let number = open("/proc/thread-self/mountinfo", O_RDONLY | O_CLOEXEC)
    if number < 0 && [ENOENT, EACCES].contains(errno) { return nil }
    guard number >= 0 else { throw SystemError(errno) }
    table = Descriptor(owning: number)
    let events = runnel_mount_events(number)
    guard events >= 0 else { throw SystemError(errno) }
    self.events = Descriptor(owning: events)
    mounts = current()
  }

  /// Calls the action when any mount has changed.
  func watch(on loop: EventLoop, _ action: @escaping () -> Void) throws(SystemError) -> Watch {
    try Watch.make(events.number, on: loop, action)
  }

  /// Reads the table again. Returns true if the mounts around the path have changed.
  func update() -> Bool {
    runnel_take_mount_event(events.number)
    let new = current()
    defer { mounts = new }
    return new != mounts
  }

  /// Returns the lines of the table that concern the path.
  private func current() -> [[UInt8]] {
    Self.contents(of: table.number).split(separator: UInt8(ascii: "\n")).filter { line in
      guard let point = Self.mountPoint(of: line) else { return false }
      return path.isWithin(point) || point.isWithin(path)
    }.map(Array.init)
  }

  private static func contents(of table: Int32) -> [UInt8] {
    lseek(table, 0, SEEK_SET)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Safety: the size passed is that of the buffer, and the pointer does not escape.
      let count = buffer.withUnsafeMutableBytes { read(table, $0.baseAddress, $0.count) }
      guard count > 0 else { return text }
      text += buffer.prefix(count)
    }
  }

  /// Returns the fifth word of a line. Spaces and some other characters are escaped, as in `\040`.
  static func mountPoint(of line: ArraySlice<UInt8>) -> PathBytes? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard words.count > 4 else { return nil }
    var rest = words[4]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      let isEscape = byte == UInt8(ascii: "\\") && digits.count == 3
      let code = isEscape ? UInt8(String(decoding: digits, as: UTF8.self), radix: 8) : nil
      bytes.append(code ?? byte)
      if code != nil { rest = rest.dropFirst(3) }
    }
    return PathBytes(bytes)
  }
}

extension PathBytes {
  /// Returns true if the path equals another one or is below it.
  fileprivate func isWithin(_ other: PathBytes) -> Bool {
    let other = other.trimmed.bytes
    let slash = UInt8(ascii: "/")
    guard bytes.starts(with: other) else { return false }
    return other == [slash] || bytes.count == other.count || bytes[other.count] == slash
  }
}
