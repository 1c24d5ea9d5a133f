/// Writes frames, each with a whole message.
struct FrameEncoder {
  private let isMasking: Bool
  private let codec: (any WebSocketCodec)?
  private var generator = SystemRandomNumberGenerator()
  /// A key that was made with the one before.
  private var nextKey: UInt32?
  private var compressed: [UInt8] = []

  /// Creates an encoder for a client, which masks, or for a server.
  init(isMasking: Bool, codec: (any WebSocketCodec)? = nil) {
    self.isMasking = isMasking
    self.codec = codec
  }

  /// Appends a frame.
  mutating func append(
    _ kind: FrameKind, _ payload: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) {
    guard let codec, !kind.isControl, payload.count >= codec.minimumCount else {
      return append(FrameHeader(kind, count: payload.count), payload, to: &bytes)
    }
    codec.compress(payload, into: &compressed)
    var header = FrameHeader(kind, count: compressed.count)
    header.isCompressed = true
    compressed.withUnsafeBytes { append(header, $0, to: &bytes) }
    compressed.removeAll(keepingCapacity: compressed.capacity <= 1 << 12)
  }

  private mutating func append(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) {
    var header = header
    if isMasking { header.mask = FrameMask(key: makeKey()) }
    bytes.reserveCapacity(bytes.count + 14 + payload.count)
    header.write(into: &bytes)
    let start = bytes.count
    bytes.append(contentsOf: payload)
    guard var mask = header.mask else { return }
    bytes.withUnsafeMutableBytes {
      mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }

  private mutating func makeKey() -> UInt32 {
    if let key = nextKey {
      nextKey = nil
      return key
    }
    let random = generator.next()
    nextKey = UInt32(truncatingIfNeeded: random >> 32)
    return UInt32(truncatingIfNeeded: random)
  }

  /// The last messages are not sent, so the next ones must not depend on them.
  func forgetCompressed() {
    codec?.forgetCompressed()
  }
}
