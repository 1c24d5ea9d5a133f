import Glibc

/// The destination of a ``WriteQueue``: a descriptor, a socket, or a TLS session.
package protocol WriteTarget: AnyObject {
  /// Writes as many bytes as fit now, of one or two buffers in one system call.
  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult

  /// Sends as many bytes of a file as fit now.
  func send(file: Int32, at offset: Int64, count: Int) -> WriteResult

  /// Sends open descriptors, with at least one byte.
  func write(_ bytes: UnsafeRawBufferPointer, passing descriptors: [Int32]) -> WriteResult

  /// Calls ``WriteQueue/flush()`` when bytes fit again, after a result of `.blocked`.
  func waitForRoom(_ queue: WriteQueue)

  /// True while the bytes of the peer are read, if it can send some.
  var isRead: Bool { get }

  /// Ends writing: everything is written.
  func finishWriting()

  /// Ends writing because of an error. Bytes may be lost.
  func writingFailed(_ error: DescriptorError)
}

extension WriteTarget {
  package var isRead: Bool { false }

  package func write(_ bytes: UnsafeRawBufferPointer, passing: [Int32]) -> WriteResult {
    .failed(.system(EINVAL))
  }

  /// Reads the bytes of a file and writes them.
  package func send(file: Int32, at offset: Int64, count: Int) -> WriteResult {
    withUnsafeTemporaryAllocation(byteCount: min(count, 1 << 16), alignment: 16) { buffer in
      let read = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      if read < 0 { return .failed(.system(errno)) }
      if read == 0 { return .count(0) }
      return write(UnsafeRawBufferPointer(rebasing: buffer.prefix(read)), noBytes)
    }
  }
}

package enum WriteResult {
  /// The number of bytes that were written. For a file, 0 means that it is shorter than expected.
  case count(Int)
  /// Nothing fits now.
  case blocked
  case failed(DescriptorError)
}

package var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
