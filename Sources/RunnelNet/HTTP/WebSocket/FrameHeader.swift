import RunnelLoop

enum FrameKind: UInt8 {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  var isControl: Bool { rawValue >= 8 }
}

/// The header of a frame, by RFC 6455, section 5.2.
struct FrameHeader {
  var kind: FrameKind
  var isFinal = true
  /// True if the frame begins a compressed message.
  var isCompressed = false
  var mask: FrameMask?
  /// The number of bytes of the payload.
  var count: Int

  init(_ kind: FrameKind, count: Int) {
    self.kind = kind
    self.count = count
  }

  /// Parses the header at an offset, which is moved behind it; nil if the bytes end before. An error
  /// is found as soon as the byte that violates the protocol is there.
  init?(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, isMasked: Bool, mayBeCompressed: Bool
  ) throws(WebSocketError) {
    let available = bytes.count - offset
    guard available >= 1 else { return nil }
    let first = bytes[offset]
    guard first & 0x30 == 0, mayBeCompressed || first & 0x40 == 0 else {
      throw .malformed("a reserved bit is set")
    }
    guard let kind = FrameKind(rawValue: first & 0x0F) else {
      throw .malformed("an unknown opcode")
    }
    self.kind = kind
    isFinal = first & 0x80 != 0
    isCompressed = first & 0x40 != 0
    if kind.isControl {
      if !isFinal { throw .malformed("a fragment of a control frame") }
      if isCompressed { throw .malformed("a compressed control frame") }
    }
    guard available >= 2 else { return nil }
    let second = bytes[offset + 1]
    guard (second & 0x80 != 0) == isMasked else {
      throw .malformed(
        isMasked ? "a frame of a client without a mask" : "a frame of a server with a mask")
    }
    let short = Int(second & 0x7F)
    if kind.isControl && short > 125 { throw .malformed("a control frame is too long") }
    let lengthCount = short == 126 ? 2 : short == 127 ? 8 : 0
    let headerCount = 2 + lengthCount + (isMasked ? 4 : 0)
    guard available >= 2 + lengthCount else { return nil }
    switch lengthCount {
    case 2:
      count = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      if count < 126 { throw .malformed("a length is not written in its shortest form") }
    case 8:
      let length = bytes[(offset + 2)..<(offset + 10)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard let known = Int(exactly: length) else { throw .malformed("an invalid length") }
      if known < 1 << 16 { throw .malformed("a length is not written in its shortest form") }
      count = known
    default: count = short
    }
    guard available >= headerCount, let base = bytes.baseAddress else { return nil }
    if isMasked { mask = FrameMask(at: base + offset + headerCount - 4) }
    offset += headerCount
  }

  /// The largest number of bytes of a header.
  private static let maximumCount = 14

  /// The payload is masked if the header has a mask.
  func write(_ payload: UnsafeRawBufferPointer, to queue: WriteQueue, isForced: Bool) -> Bool {
    if payload.count + Self.maximumCount <= 1 << 16 {
      // Observers of the queue may write other frames, which then use another buffer.
      return queue.inputOutput.withBuffer { buffer in
        let count = fill(buffer, payload)
        return queue.write(
          raw: UnsafeRawBufferPointer(rebasing: buffer[..<count]), isForced: isForced)
      }
    }
    let capacity = payload.count + Self.maximumCount
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = fill(UnsafeMutableRawBufferPointer(buffer), payload)
    }
    return queue.write(bytes, isForced: isForced)
  }

  /// Writes the frame to the beginning of a buffer, and returns the number of its bytes.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ payload: UnsafeRawBufferPointer
  ) -> Int {
    buffer[0] = kind.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
    let masked: UInt8 = mask == nil ? 0 : 0x80
    var end = 2
    switch count {
    case ..<126: buffer[1] = masked | UInt8(count)
    case ..<(1 << 16):
      buffer[1] = masked | 126
      buffer.storeBytes(of: UInt16(count).bigEndian, toByteOffset: 2, as: UInt16.self)
      end = 4
    default:
      buffer[1] = masked | 127
      buffer.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 2, as: UInt64.self)
      end = 10
    }
    guard var mask else {
      UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(from: payload)
      return end + payload.count
    }
    mask.writeKey(to: UnsafeMutableRawBufferPointer(rebasing: buffer[end..<(end + 4)]))
    end += 4
    mask.apply(
      to: payload, into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    return end + payload.count
  }
}
