import CLibevent
import Glibc
import RunnelLoop

/// The mounts that a path leads through, or that are below it.
///
/// A file system that is mounted over a watched folder hides it, and one that is unmounted may uncover
/// another one. The watched folders themselves do not tell of that.
final class MountTable {
  private let path: PathBytes
  private let table: Descriptor
  private let events: Descriptor
  private var mounts: [[UInt8]] = []

  /// The mounts around a path without links; nil where the system does not tell of mounts.
  init?(around path: PathBytes) throws(SystemError) {
    self.path = path
    // A thread may have mounts of its own.
    let number = open("/proc/thread-self/mountinfo", O_RDONLY | O_CLOEXEC)
    if number < 0 && [ENOENT, EACCES].contains(errno) { return nil }
    guard number >= 0 else { throw SystemError(errno) }
    table = Descriptor(owning: number)
    let events = runnel_mount_events(number)
    guard events >= 0 else { throw SystemError(errno) }
    self.events = Descriptor(owning: events)
    mounts = current()
  }

  /// Calls back when mounts have changed, here or elsewhere.
  func watch(on loop: EventLoop, _ action: @escaping () -> Void) throws(SystemError) -> Watch {
    try Watch.make(events.number, on: loop, action)
  }

  /// Takes note of what has changed. Returns true if that may concern the path.
  func update() -> Bool {
    runnel_take_mount_event(events.number)
    let new = current()
    defer { mounts = new }
    return new != mounts
  }

  /// The lines of the table that concern the path.
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
      // Safety: the buffer is as long as is said, and not kept.
      let count = buffer.withUnsafeMutableBytes { read(table, $0.baseAddress, $0.count) }
      guard count > 0 else { return text }
      text += buffer.prefix(count)
    }
  }

  /// The fifth word of a line. A space in a path is written `\040`, and some others likewise.
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
  /// Whether it is another path, or below it.
  fileprivate func isWithin(_ other: PathBytes) -> Bool {
    let other = other.trimmed.bytes
    let slash = UInt8(ascii: "/")
    guard bytes.starts(with: other) else { return false }
    return other == [slash] || bytes.count == other.count || bytes[other.count] == slash
  }
}
