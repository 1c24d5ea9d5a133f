/// Base64 by RFC 4648, section 4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the text of bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * position) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a text; nil if it is not the text that ``encode(_:)`` returns for them.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: characters.count, by: 4) {
      var bits = 0
      var padding = 0
      for position in 0..<4 {
        let character = characters[start + position]
        let isLast = start + 4 == characters.count
        if character == UInt8(ascii: "="), isLast, position >= 2 {
          padding += 1
          bits <<= 6
          continue
        }
        guard padding == 0, let value = value(of: character) else { return nil }
        bits = bits << 6 | value
      }
      // The bits that the padding stands for must be zero.
      guard bits & (1 << (8 * padding) - 1) == 0 else { return nil }
      for position in 0..<(3 - padding) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * position)))
      }
    }
    return bytes
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
