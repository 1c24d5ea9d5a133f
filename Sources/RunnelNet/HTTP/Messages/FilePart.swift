import Glibc
import RunnelLoop
import RunnelStreams

/// A range of an open file, as the body of a message.
package struct FilePart {
  package let file: Descriptor
  package let range: Range<Int>

  package init(_ file: Descriptor, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }

  /// All bytes, read at once; nil if the file has become shorter.
  var bytes: [UInt8]? {
    let bytes = bytes(at: range.lowerBound, count: range.count)
    return bytes.count == range.count ? bytes : nil
  }

  private func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(file.number, buffer.baseAddress, count, off_t(offset)))
    }
  }

  /// The bytes, read in pieces when they are observed. Reading blocks on a cold disk.
  var stream: EventStream<[UInt8], any Error> {
    EventStream { observer in
      var offset = range.lowerBound
      while offset < range.upperBound, observer.isActive {
        let piece = bytes(at: offset, count: min(1 << 16, range.upperBound - offset))
        guard !piece.isEmpty else {
          observer.failed(HTTPBodyError.disconnected)
          return .none
        }
        offset += piece.count
        observer.next(piece)
      }
      observer.completed()
      return .none
    }
  }
}
