/// Checks that bytes which arrive in pieces are UTF-8, and notices the first byte that cannot be.
package struct UTF8Validator {
  /// The number of bytes that the last character lacks.
  private var missing = 0
  /// The bytes that may come next if some are missing.
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF

  package init() {}

  /// True if the bytes end with a whole character.
  package var isComplete: Bool { missing == 0 }

  /// Checks the next bytes. Returns false if they cannot be part of UTF-8; then the state is
  /// undefined.
  package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var offset = 0
    while offset < bytes.count {
      if missing == 0 {
        // Eight characters of ASCII at once.
        while offset &+ 8 <= bytes.count,
          base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          offset &+= 8
        }
        if offset == bytes.count { break }
      }
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if missing > 0 {
        guard low <= byte && byte <= high else { return false }
        missing &-= 1
        (low, high) = (0x80, 0xBF)
      } else if byte >= 0x80 {
        guard begin(with: byte) else { return false }
      }
    }
    return true
  }

  /// Begins a character of several bytes, by table 3-7 of the Unicode standard.
  private mutating func begin(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF:
      missing = 2
      if byte == 0xE0 { low = 0xA0 }
      if byte == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      missing = 3
      if byte == 0xF0 { low = 0x90 }
      if byte == 0xF4 { high = 0x8F }
    default: return false
    }
    return true
  }
}
