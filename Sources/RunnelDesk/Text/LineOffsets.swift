// Positions in a line are offsets in UTF-8, which a string converts to indices in constant time.

extension String {
  func index(atByte offset: Int) -> Index { utf8.index(startIndex, offsetBy: offset) }

  func byte(at index: Index) -> Int { utf8.distance(from: startIndex, to: index) }

  func piece(_ bytes: Range<Int>) -> Substring {
    self[index(atByte: bytes.lowerBound)..<index(atByte: bytes.upperBound)]
  }

  /// Replaces a range of bytes, whose ends are boundaries of scalars.
  mutating func replace(_ bytes: Range<Int>, with text: String) {
    replaceSubrange(index(atByte: bytes.lowerBound)..<index(atByte: bytes.upperBound), with: text)
  }

  /// Returns the last boundary of scalars that is not after an offset.
  func scalarStart(atOrBefore offset: Int) -> Int {
    if offset <= 0 { return 0 }
    if offset >= utf8.count { return utf8.count }
    var index = index(atByte: offset)
    while utf8[index].isWithinScalar { index = utf8.index(before: index) }
    return byte(at: index)
  }

  /// Returns the last boundary of characters that is not after an offset.
  func characterStart(atOrBefore offset: Int) -> Int {
    let offset = scalarStart(atOrBefore: offset)
    if offset == utf8.count { return offset }
    // From an index within a character, `index(after:)` leads to the end of that character.
    return byte(at: index(before: index(after: index(atByte: offset))))
  }

  /// Returns the first boundary of characters that is not before an offset.
  func characterStart(atOrAfter offset: Int) -> Int {
    let start = characterStart(atOrBefore: offset)
    return start < offset && start < utf8.count ? characterEnd(after: start) : start
  }

  /// The offset is not the end of the line.
  func characterEnd(after offset: Int) -> Int { byte(at: index(after: index(atByte: offset))) }

  /// The offset is not zero.
  func characterStart(before offset: Int) -> Int { byte(at: index(before: index(atByte: offset))) }
}

extension UInt8 {
  static var newline: UInt8 { 0x0A }

  /// True for a byte of a scalar that is not its first one.
  var isWithinScalar: Bool { self & 0xC0 == 0x80 }
}

extension String {
  /// The text with line feeds for the line breaks of other systems, as another program may put them on the clipboard.
  package var withLineFeeds: String {
    if !utf8.contains(UInt8(ascii: "\r")) { return self }
    let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var last: UInt8 = 0
    for byte in utf8 {
      if byte != feed || last != carriage { bytes.append(byte == carriage ? feed : byte) }
      last = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
