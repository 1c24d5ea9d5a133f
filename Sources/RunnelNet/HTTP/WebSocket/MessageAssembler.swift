import RunnelStreams

/// Decodes frames and puts their payloads together to messages. It is strict: see ``WebSocket``.
///
/// It takes the bytes of a payload as they come, and checks text at once.
package struct MessageAssembler {
  /// A complete message or control frame.
  package enum Event: Equatable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    case close(WebSocketClosure)
  }

  package struct Limits {
    /// The largest number of bytes.
    package var size: Int
    /// The largest number of fragments, and of control frames between them.
    package var fragments: Int

    /// The largest number of compressed bytes. Data that cannot be compressed grow a little.
    var compressedSize: Int { size.plus(size / 64 + 1_024) }

    package init(size: Int, fragments: Int) {
      self.size = size
      self.fragments = fragments
    }
  }

  private let isMasked: Bool
  private let limits: Limits
  private let codec: (any WebSocketCodec)?
  /// The frame whose payload arrives, and the number of bytes that it lacks.
  private var frame: FrameHeader?
  private var mask: FrameMask?
  private var missing = 0
  /// The kind of the message of which fragments have arrived.
  private var message: FrameKind?
  private var isCompressed = false
  private var payload: [UInt8] = []
  /// The number of bytes of compressed fragments.
  private var compressedCount = 0
  private var control: [UInt8] = []
  /// The compressed bytes without their mask.
  private var unmasked: [UInt8] = []
  private var validator = UTF8Validator()
  /// The number of bytes of the payload that were checked.
  private var checkedCount = 0
  private var fragmentCount = 0
  private var interruptionCount = 0

  /// Creates an assembler of the frames of clients, which are masked, or of those of servers.
  package init(isMasked: Bool, limits: Limits, codec: (any WebSocketCodec)? = nil) {
    self.isMasked = isMasked
    self.limits = limits
    self.codec = codec
  }

  /// True if the bytes so far end between two messages.
  package var isIdle: Bool { frame == nil && message == nil }

  /// Returns the next event of the bytes from an offset, which is moved behind the bytes that are
  /// used up; nil if more bytes are needed.
  package mutating func next(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(WebSocketError) -> Event? {
    while true {
      if frame == nil {
        guard
          let header = try FrameHeader(
            bytes, &offset, isMasked: isMasked, mayBeCompressed: codec != nil)
        else { return nil }
        try begin(header)
      }
      guard let kind = frame?.kind else { return nil }
      if let message = try wholeMessage(kind, bytes, &offset) { return .message(message) }
      try take(bytes, &offset)
      if missing > 0 { return nil }
      guard let isFinal = frame?.isFinal else { return nil }
      frame = nil
      if kind.isControl { return try finishControl(kind) }
      if isFinal { return .message(try finishMessage()) }
    }
  }

  // MARK: - Frames

  private mutating func begin(_ header: FrameHeader) throws(WebSocketError) {
    switch header.kind {
    case .continuation:
      if message == nil { throw .malformed("a continuation without a beginning") }
      if header.isCompressed { throw .malformed("a reserved bit is set in a continuation") }
      fragmentCount += 1
    case .text, .binary:
      if message != nil { throw .malformed("a message within another one") }
      message = header.kind
      isCompressed = header.isCompressed
      fragmentCount = 1
      interruptionCount = 0
    case .close, .ping, .pong:
      if message != nil { interruptionCount += 1 }
    }
    if max(fragmentCount, interruptionCount) > limits.fragments {
      throw .tooManyFragments(limit: limits.fragments)
    }
    if !header.kind.isControl {
      let (count, most) =
        isCompressed ? (compressedCount, limits.compressedSize) : (payload.count, limits.size)
      if header.count > most - count { throw .tooLarge(limit: limits.size) }
      if isCompressed { compressedCount += header.count }
    }
    frame = header
    mask = header.mask
    missing = header.count
  }

  /// Returns a message that is not fragmented, if all of its bytes are there. They are copied once.
  private mutating func wholeMessage(
    _ kind: FrameKind, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(WebSocketError) -> WebSocketMessage? {
    guard let frame, frame.isFinal, !isCompressed, kind == .text || kind == .binary,
      missing == frame.count, missing <= bytes.count - offset
    else { return nil }
    let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + missing])
    offset += missing
    self.frame = nil
    message = nil
    missing = 0
    fragmentCount = 0
    var mask = frame.mask
    if kind == .binary {
      return .binary(
        [UInt8](unsafeUninitializedCapacity: part.count) { buffer, count in
          Self.copy(part, to: UnsafeMutableRawBufferPointer(buffer), &mask)
          count = part.count
        })
    }
    let text = withUnsafeTemporaryAllocation(byteCount: part.count, alignment: 8) { buffer in
      Self.copy(part, to: buffer, &mask)
      return String(validating: buffer, as: UTF8.self)
    }
    guard let text else { throw .invalidText }
    return .text(text)
  }

  private static func copy(
    _ part: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
    _ mask: inout FrameMask?
  ) {
    if mask == nil { return target.copyMemory(from: part) }
    mask?.apply(to: part, into: target)
  }

  /// Takes the bytes of the payload that are there.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(WebSocketError) {
    let count = min(missing, bytes.count - offset)
    if count == 0 { return }
    let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    offset += count
    missing -= count
    if frame?.kind.isControl == true {
      Self.append(part, to: &control, &mask)
    } else if isCompressed, let codec {
      try decompress(part, codec)
      try checkText()
    } else {
      Self.append(part, to: &payload, &mask)
      try checkText()
    }
  }

  private mutating func decompress(
    _ part: UnsafeRawBufferPointer, _ codec: any WebSocketCodec
  ) throws(WebSocketError) {
    Self.append(part, to: &unmasked, &mask)
    var message = exchange(&payload, with: [])
    let result = unmasked.withUnsafeBytes { bytes in
      Result { () throws(WebSocketError) in
        try codec.decompress(bytes, into: &message, limit: limits.size)
      }
    }
    payload = message
    unmasked.removeAll(keepingCapacity: unmasked.capacity <= 1 << 12)
    try result.get()
  }

  private static func append(
    _ part: UnsafeRawBufferPointer, to target: inout [UInt8], _ mask: inout FrameMask?
  ) {
    let start = target.count
    target.append(contentsOf: part)
    target.withUnsafeMutableBytes {
      mask?.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }

  private mutating func checkText() throws(WebSocketError) {
    guard message == .text else { return }
    let isValid = payload.withUnsafeBytes {
      validator.accepts(UnsafeRawBufferPointer(rebasing: $0[checkedCount...]))
    }
    if !isValid { throw .invalidText }
    checkedCount = payload.count
  }

  // MARK: - Ends

  private mutating func finishMessage() throws(WebSocketError) -> WebSocketMessage {
    if isCompressed { try codec?.finishMessage(into: &payload, limit: limits.size) }
    let isText = message == .text
    message = nil
    compressedCount = 0
    fragmentCount = 0
    guard isText else {
      defer { payload = [] }
      return .binary(payload)
    }
    defer {
      // The memory of a large text is not kept.
      payload.removeAll(keepingCapacity: payload.capacity <= 1 << 12)
      validator = UTF8Validator()
      checkedCount = 0
    }
    guard let text = String(validating: payload, as: UTF8.self) else { throw .invalidText }
    return .text(text)
  }

  private mutating func finishControl(_ kind: FrameKind) throws(WebSocketError) -> Event {
    defer { control.removeAll(keepingCapacity: true) }
    switch kind {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    default: return .close(try closure())
    }
  }

  /// The end that a close frame describes, by RFC 6455, section 7.4.
  private func closure() throws(WebSocketError) -> WebSocketClosure {
    if control.isEmpty { return WebSocketClosure(.none) }
    if control.count == 1 { throw .malformed("a close frame of one byte") }
    let code = WebSocketCloseCode(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
    guard code.canBeSent else { throw .malformed("an invalid close code") }
    guard let reason = String(validating: control.dropFirst(2), as: UTF8.self) else {
      throw .invalidText
    }
    return WebSocketClosure(code, reason)
  }
}
