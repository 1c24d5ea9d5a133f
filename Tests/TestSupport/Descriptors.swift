import Glibc
import RunnelStreams

/// The two ends of a pipe, closed on release.
package final class TestPipe: Sendable {
  package let reading: Int32
  package let writing: Int32
  private let isWritingOpen = Monitor(true)

  package init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    closeWriting()
  }

  package func closeWriting() {
    isWritingOpen.withLock { isOpen in
      if isOpen { close(writing) }
      isOpen = false
    }
  }

  package func write(_ text: String) {
    write(Array(text.utf8)[...])
  }

  package func write(_ bytes: ArraySlice<UInt8>) {
    writeAll(bytes, to: writing)
  }

  /// The number of bytes that the pipe holds.
  package static let capacity = 65_536

  /// Fills an empty pipe with zeros.
  package func fill() {
    write([UInt8](repeating: 0, count: Self.capacity)[...])
  }

  /// Reads once, at most `count` bytes.
  package func read(_ count: Int = 65_536) -> String {
    var buffer = [UInt8](repeating: 0, count: count)
    let count = Glibc.read(reading, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}

/// Two connected sockets, closed on release.
package final class SocketPair: Sendable {
  package let near: Int32
  package let far: Int32

  package init() {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    socketpair(AF_UNIX, kind, 0, &ends)
    (near, far) = (ends[0], ends[1])
  }

  deinit {
    close(near)
    close(far)
  }

  package func sendFar(_ text: String) {
    writeAll(Array(text.utf8)[...], to: far)
  }
}

/// A file without a name, deleted on release.
package final class TemporaryFile: Sendable {
  package let descriptor: Int32

  package init(_ bytes: [UInt8]) {
    var name = Array("/tmp/runnel-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    unlink(name)
    writeAll(bytes[...], to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit {
    close(descriptor)
  }
}

/// Writes all bytes, or stops at an error. A signal may interrupt a write in the middle.
private func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno != EINTR { return }
    rest = rest.dropFirst(max(0, count))
  }
}
