extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")

  /// The value of a decimal digit; 10 or more for other bytes.
  @inline(__always) var digit: UInt8 { self &- .zero }

  var hexDigit: UInt16? {
    switch self {
    case 0x30...0x39: UInt16(self - 0x30)
    case 0x41...0x46: UInt16(self - 0x41 + 10)
    case 0x61...0x66: UInt16(self - 0x61 + 10)
    default: nil
    }
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }

  /// Returns the number of bytes before the first one that is a quote, a backslash, a control character
  /// or not ASCII.
  @inline(__always)
  func countOfPlainBytes(from start: Int, to end: Int) -> Int {
    var offset = start
    while offset &+ 8 <= end {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let found = word.specialBytes
      if found != 0 { return offset &+ found.trailingZeroBitCount / 8 &- start }
      offset &+= 8
    }
    while offset < end {
      let byte = byte(at: offset)
      if byte < 0x20 || byte == .quote || byte == .backslash || byte >= 0x80 { break }
      offset &+= 1
    }
    return offset &- start
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The highest bit of each byte that is a quote, a backslash, a control character or not ASCII. Bytes
  /// after the first such one may be marked although they are none of these.
  @inline(__always)
  fileprivate var specialBytes: UInt64 {
    let quotes = self ^ (Self.ones &* UInt64(UInt8.quote))
    let backslashes = self ^ (Self.ones &* UInt64(UInt8.backslash))
    let found =
      ((quotes &- Self.ones) & ~quotes) | ((backslashes &- Self.ones) & ~backslashes)
      | ((self &- Self.ones &* 0x20) & ~self) | self
    return found & Self.highs
  }
}
