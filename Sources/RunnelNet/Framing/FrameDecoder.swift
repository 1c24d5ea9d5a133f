/// Splits bytes into the messages of a ``Framing``.
struct FrameDecoder: MessageDecoder {
  private let framing: Framing
  /// The number of bytes in which no delimiter begins.
  private var searched = 0

  init(_ framing: Framing) {
    self.framing = framing
  }

  mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: [UInt8], used: Int)? {
    switch framing.format {
    case .fixed(let count): return try message(of: UInt64(count), after: 0, in: bytes)
    case .delimited(let delimiter): return try message(before: delimiter, in: bytes)
    case .prefixed(let width, let order):
      guard bytes.count >= width else { return nil }
      var length: UInt64 = 0
      for index in 0..<width {
        length = length << 8 | UInt64(bytes[order == .bigEndian ? index : width - 1 - index])
      }
      return try message(of: length, after: width, in: bytes)
    case .varint:
      var length: UInt64 = 0
      for index in 0..<10 {
        guard index < bytes.count else { return nil }
        let bits = UInt64(bytes[index] & 0x7f)
        // The tenth byte has room for one bit.
        if index == 9 && bytes[index] > 1 { throw .malformed }
        length |= bits << (7 * UInt64(index))
        if bytes[index] < 0x80 { return try message(of: length, after: index + 1, in: bytes) }
      }
      throw .malformed
    }
  }

  mutating func decodeLast(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> [UInt8]? {
    if bytes.isEmpty { return nil }
    throw .truncated
  }

  private func message(
    of length: UInt64, after start: Int, in bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: [UInt8], used: Int)? {
    guard length <= UInt64(framing.limit) else { throw .tooLong(limit: framing.limit) }
    guard UInt64(bytes.count - start) >= length else { return nil }
    let end = start + Int(length)
    return (Array(bytes[start..<end]), end)
  }

  private mutating func message(
    before delimiter: [UInt8], in bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: [UInt8], used: Int)? {
    var start = searched
    while start + delimiter.count <= bytes.count {
      if bytes[start] == delimiter[0], bytes[start...].starts(with: delimiter) {
        searched = 0
        guard start <= framing.limit else { throw .tooLong(limit: framing.limit) }
        return (Array(bytes[..<start]), start + delimiter.count)
      }
      start += 1
    }
    searched = start
    guard start <= framing.limit else { throw .tooLong(limit: framing.limit) }
    return nil
  }
}
