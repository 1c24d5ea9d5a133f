/// Makes the headers of frames, each of which holds a whole message, and compresses messages.
struct FrameEncoder {
  private let isMasking: Bool
  private let codec: (any WebSocketCodec)?
  private var generator = SystemRandomNumberGenerator()
  /// A key that was made with the one before.
  private var nextKey: UInt32?

  /// Creates an encoder for a client, which masks, or for a server.
  init(isMasking: Bool, codec: (any WebSocketCodec)? = nil) {
    self.isMasking = isMasking
    self.codec = codec
  }

  mutating func header(_ kind: FrameKind, count: Int, isCompressed: Bool = false) -> FrameHeader {
    var header = FrameHeader(kind, count: count)
    header.isCompressed = isCompressed
    if isMasking { header.mask = FrameMask(key: makeKey()) }
    return header
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

  /// Returns the compressed form of a message; nil if it is sent as it is.
  func compress(_ kind: FrameKind, _ payload: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let codec, !kind.isControl, payload.count >= codec.minimumCount else { return nil }
    var compressed: [UInt8] = []
    codec.compress(payload, into: &compressed)
    return compressed
  }

  /// The last messages are not sent, so the next ones must not depend on them.
  func forgetCompressed() {
    codec?.forgetCompressed()
  }
}
