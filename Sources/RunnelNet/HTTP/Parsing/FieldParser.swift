import Glibc

/// The parser of header fields and trailer fields. It writes their places into memory that it uses
/// again.
struct FieldParser {
  /// The places of the fields of the last parse.
  // Safety: allocated for `capacity` fields by the initializer, freed by `deallocate()`.
  private let memory: UnsafeMutablePointer<HTTPHeaders.Field>
  private let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = min(max(capacity, 1), Self.largestCapacity)
    memory = .allocate(capacity: self.capacity)
  }

  private static let largestCapacity = 1 << 16

  func deallocate() {
    memory.deallocate()
  }

  var fields: UnsafeBufferPointer<HTTPHeaders.Field> {
    UnsafeBufferPointer(start: memory, count: count)
  }

  /// The fields of the last parse as headers, whose text is the beginning of the parsed bytes.
  func headers(of bytes: UnsafeRawBufferPointer, upTo end: Int) -> HTTPHeaders {
    HTTPHeaders(text: Array(bytes[..<end]), fields: Array(fields))
  }

  /// Parses fields from an offset to the empty line after them. Returns the offset behind that line;
  /// nil if the bytes end before it.
  @inline(__always)
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(HTTPParseError) -> Int? {
    count = 0
    guard let base = bytes.baseAddress else { return nil }
    let end = bytes.count
    var offset = start
    while true {
      guard offset < end else { return nil }
      let nameStart = offset
      while offset < end, base.load(fromByteOffset: offset, as: UInt8.self).isTokenCharacter {
        offset += 1
      }
      guard offset < end else { return nil }
      let delimiter = base.load(fromByteOffset: offset, as: UInt8.self)
      if offset == nameStart {
        guard delimiter == UInt8(ascii: "\r") else { throw Self.nameError(delimiter) }
        guard offset + 1 < end else { return nil }
        guard base.load(fromByteOffset: offset + 1, as: UInt8.self) == UInt8(ascii: "\n") else {
          throw .malformed("a carriage return is not followed by a line feed")
        }
        return offset + 2
      }
      guard delimiter == UInt8(ascii: ":") else { throw Self.nameError(delimiter) }
      let nameEnd = offset
      offset += 1
      while offset < end, base.load(fromByteOffset: offset, as: UInt8.self).isBlank { offset += 1 }
      let valueStart = offset
      offset = base.endOfFieldValue(from: offset, to: end)
      guard offset + 1 < end else {
        if offset < end { try Self.checkReturn(base.load(fromByteOffset: offset, as: UInt8.self)) }
        return nil
      }
      try Self.checkReturn(base.load(fromByteOffset: offset, as: UInt8.self))
      guard base.load(fromByteOffset: offset + 1, as: UInt8.self) == UInt8(ascii: "\n") else {
        throw .malformed("a carriage return is not followed by a line feed")
      }
      var valueEnd = offset
      while valueEnd > valueStart, base.load(fromByteOffset: valueEnd - 1, as: UInt8.self).isBlank {
        valueEnd -= 1
      }
      offset += 2
      guard count < capacity else { throw .headersTooLarge }
      memory[count] = HTTPHeaders.Field(
        nameStart: UInt32(truncatingIfNeeded: nameStart),
        nameCount: UInt32(truncatingIfNeeded: nameEnd - nameStart),
        valueStart: UInt32(truncatingIfNeeded: valueStart),
        valueCount: UInt32(truncatingIfNeeded: valueEnd - valueStart))
      count += 1
    }
  }

  /// The error of a byte that is not part of a field name.
  private static func nameError(_ byte: UInt8) -> HTTPParseError {
    switch byte {
    case UInt8(ascii: "\n"): .malformed("a line feed without a carriage return")
    case UInt8(ascii: " "), UInt8(ascii: "\t"):
      .malformed("a space before a colon, or a folded header line")
    case UInt8(ascii: ":"): .malformed("a header field has no name")
    default: .malformed("a header line without a valid name and a colon")
    }
  }

  private static func checkReturn(_ byte: UInt8) throws(HTTPParseError) {
    switch byte {
    case UInt8(ascii: "\r"): return
    case UInt8(ascii: "\n"): throw .malformed("a line feed without a carriage return")
    default: throw .malformed("a control character in a header field")
    }
  }
}

extension UInt8 {
  @inline(__always)
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension UnsafeRawPointer {
  /// Returns the offset of the first byte that cannot be in a field value, or the end. It tests
  /// eight bytes at once.
  @inline(__always)
  func endOfFieldValue(from start: Int, to end: Int) -> Int {
    var offset = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while offset &+ 8 <= end {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // The lowest set bit marks the first byte below 32 or equal to 127.
      let deletes = word ^ (ones &* 127)
      let found = ((word &- ones &* 32) & ~word | (deletes &- ones) & ~deletes) & highs
      if found == 0 {
        offset &+= 8
        continue
      }
      offset &+= found.trailingZeroBitCount / 8
      if load(fromByteOffset: offset, as: UInt8.self) != UInt8(ascii: "\t") { return offset }
      offset &+= 1
    }
    while offset < end, load(fromByteOffset: offset, as: UInt8.self).isFieldCharacter {
      offset &+= 1
    }
    return offset
  }
}

extension UnsafeRawBufferPointer {
  /// True if a range of bytes is an ASCII text, which is given in small letters. Capital letters of
  /// the bytes count as small ones.
  @inline(__always)
  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count
    where self[range.lowerBound + index].lowercased != text.utf8Start[index] {
      return false
    }
    return true
  }
}
