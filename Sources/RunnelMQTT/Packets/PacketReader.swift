/// Reads the fields of a packet. Each read past its end throws.
struct PacketReader {
  let bytes: [UInt8]
  var index: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// The number of bytes that are left.
  var count: Int { end - index }

  private mutating func skip(_ count: Int) throws(ProtocolViolation) -> Int {
    guard count <= self.count else { throw .malformed("a field is longer than its packet") }
    defer { index += count }
    return index
  }

  mutating func byte() throws(ProtocolViolation) -> UInt8 { bytes[try skip(1)] }

  mutating func number16() throws(ProtocolViolation) -> UInt16 {
    let start = try skip(2)
    return UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1])
  }

  mutating func number32() throws(ProtocolViolation) -> UInt32 {
    UInt32(try number16()) << 16 | UInt32(try number16())
  }

  /// Reads a number of 7 bits a byte, in its shortest form.
  mutating func variableNumber() throws(ProtocolViolation) -> UInt32 {
    var value: UInt32 = 0
    for shift in [0, 7, 14, 21] as [UInt32] {
      let byte = try byte()
      value |= UInt32(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        if byte == 0 && shift > 0 { throw .malformed("a number is not in its shortest form") }
        return value
      }
    }
    throw .malformed("a number has more than four bytes")
  }

  mutating func byteArray() throws(ProtocolViolation) -> [UInt8] {
    let length = Int(try number16())
    let start = try skip(length)
    return Array(bytes[start..<start + length])
  }

  mutating func text() throws(ProtocolViolation) -> String {
    let length = Int(try number16())
    let start = try skip(length)
    let content = bytes[start..<start + length]
    guard !content.contains(0), let text = String(validating: content, as: UTF8.self) else {
      throw .malformed("a text is not UTF-8, or has a character with the code zero")
    }
    return text
  }

  /// Reads an identifier of a packet, which is not zero.
  mutating func packetID() throws(ProtocolViolation) -> UInt16 {
    let id = try number16()
    if id == 0 { throw .protocolError("a packet identifier is zero") }
    return id
  }

  /// Returns all bytes that are left.
  mutating func rest() -> [UInt8] {
    defer { index = end }
    return Array(bytes[index..<end])
  }
}

/// Writes the fields of a packet. The caller has checked the lengths.
struct PacketWriter {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(number16 value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func append(number32 value: UInt32) {
    append(number16: UInt16(value >> 16))
    append(number16: UInt16(truncatingIfNeeded: value))
  }

  mutating func append(variableNumber value: UInt32) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  mutating func append(byteArray value: [UInt8]) {
    append(number16: UInt16(value.count))
    bytes += value
  }

  mutating func append(text value: String) {
    append(number16: UInt16(value.utf8.count))
    bytes += value.utf8
  }
}
