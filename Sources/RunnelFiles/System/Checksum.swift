/// A hash that detects accidental differences, and does not protect from malice.
enum Checksum {
  /// Returns the 64-bit FNV-1a hash of bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
