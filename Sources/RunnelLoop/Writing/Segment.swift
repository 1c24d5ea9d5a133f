import Glibc
import RunnelStreams

/// The bytes of one or more writes, as a part of a ``WriteQueue``.
final class Segment {
  enum Content {
    /// Collected small writes, in the segment's own memory.
    case chunk
    case array([UInt8])
    case file(Descriptor, offset: Int64)
    case descriptors([Descriptor], bytes: [UInt8])
  }

  static let chunkCapacity = 1 << 14

  let content: Content
  /// The number of bytes.
  @exclusivity(unchecked) var count: Int
  /// Called with the error if the segment is not written.
  let completion: ((DescriptorError?) -> Void)?
  @exclusivity(unchecked) var next: Segment?

  // Safety: only a chunk has memory. It is allocated and freed with the segment.
  private let memory: UnsafeMutableRawPointer?

  /// Creates an empty chunk.
  init() {
    content = .chunk
    count = 0
    completion = nil
    memory = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkCapacity, alignment: 16)
  }

  init(_ content: Content, count: Int, _ completion: ((DescriptorError?) -> Void)?) {
    self.content = content
    self.count = count
    self.completion = completion
    memory = nil
  }

  deinit {
    memory?.deallocate()
  }

  var isChunk: Bool { memory != nil }

  var isFile: Bool {
    if case .file = content { true } else { false }
  }

  /// True if it is not plain bytes, so it cannot be written together with another segment.
  var isSpecial: Bool {
    switch content {
    case .chunk, .array: false
    case .file, .descriptors: true
    }
  }

  /// Appends bytes to a chunk. Returns false if there is no room, or if this is no chunk.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let memory, let start = bytes.baseAddress, count + bytes.count <= Self.chunkCapacity
    else { return false }
    (memory + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
    return true
  }

  /// Passes the bytes after the first `start` to a closure. For a file, passes no bytes.
  func withBytes<Result>(
    after start: Int, atMost most: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    switch content {
    case .chunk:
      let all = UnsafeRawBufferPointer(start: memory, count: count)
      return body(UnsafeRawBufferPointer(rebasing: all[start..<min(count, start + most)]))
    case .array(let bytes), .descriptors(_, let bytes):
      return bytes.withUnsafeBytes {
        body(UnsafeRawBufferPointer(rebasing: $0[start..<min(count, start + most)]))
      }
    case .file: return body(noBytes)
    }
  }
}

extension Segment {
  /// Writes the bytes after the first `written`, and those of the next segment with a chunk.
  func write(
    to target: any WriteTarget, after written: Int, atMost most: Int
  ) -> WriteResult {
    if count == 0 { return .count(0) }
    switch content {
    case .chunk, .array:
      return withBytes(after: written, atMost: most) { first in
        guard isChunk, first.count == count - written, let next, !next.isSpecial else {
          return target.write(first, noBytes)
        }
        return next.withBytes(after: 0, atMost: most - first.count) { target.write(first, $0) }
      }
    case .file(let file, let offset):
      let result = target.send(
        file: file.number, at: offset + Int64(written), count: min(most, count - written))
      // The file is shorter than announced.
      if case .count(0) = result { return .failed(.system(EIO)) }
      return result
    case .descriptors(let descriptors, _):
      return withBytes(after: written, atMost: most) { bytes in
        written == 0
          ? target.write(bytes, passing: descriptors.map(\.number))
          : target.write(bytes, noBytes)
      }
    }
  }
}

/// A queue of segments.
struct SegmentList: ~Copyable {
  private(set) var first: Segment?
  private(set) var last: Segment?

  deinit {
    // One at a time, because releasing a long chain recurses.
    var rest = first
    while let segment = rest { rest = segment.next.take() }
  }

  mutating func append(_ segment: Segment) {
    if let last { last.next = segment } else { first = segment }
    last = segment
  }

  mutating func popFirst() -> Segment? {
    guard let segment = first else { return nil }
    first = segment.next.take()
    if first == nil { last = nil }
    return segment
  }

  /// Removes segments from the front until they have at least `count` bytes, or none is left.
  mutating func removeFirst(until count: Int, keepingFirst: Bool) -> [Segment] {
    let kept = keepingFirst ? popFirst() : nil
    var removed: [Segment] = []
    var sum = 0
    while sum < count, let segment = popFirst() {
      if !segment.isFile { sum += segment.count }
      removed.append(segment)
    }
    if let kept {
      kept.next = first
      first = kept
      if last == nil { last = kept }
    }
    return removed
  }
}
