/// Classes of bytes in RFC 9110.
extension UInt8 {
  /// True for the characters of a token: letters, digits and ``!#$%&'*+-.^_`|~``.
  @inline(__always)
  var isTokenCharacter: Bool {
    // Bits for the bytes 0 to 63 and 64 to 127.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    if self >= 128 { return false }
    return (self < 64 ? low &>> UInt64(self) : high &>> UInt64(self & 63)) & 1 != 0
  }

  /// True for the characters of a field value: all but control characters, and the tab.
  @inline(__always)
  var isFieldCharacter: Bool { self >= 32 && self != 127 || self == 9 }

  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// The value of a hexadecimal digit; nil for other bytes.
  @inline(__always)
  var hexadecimalValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// The byte of a capital letter as a small letter.
  @inline(__always)
  var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension String {
  /// True if the text is a token of RFC 9110.
  var isToken: Bool { !isEmpty && utf8.allSatisfy { $0.isTokenCharacter } }
}
