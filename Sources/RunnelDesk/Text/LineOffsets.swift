// Places in a line are counted in bytes of UTF-8: getting there takes the same time wherever it is.

extension String {
  /// The place behind so many bytes.
  func index(atByte offset: Int) -> Index { utf8.index(startIndex, offsetBy: offset) }

  /// How many bytes are before a place.
  func byte(at index: Index) -> Int { utf8.distance(from: startIndex, to: index) }

  /// What lies between two places.
  func piece(_ bytes: Range<Int>) -> Substring {
    self[index(atByte: bytes.lowerBound)..<index(atByte: bytes.upperBound)]
  }

  /// Puts a text in the place of some bytes, which begin and end between two scalars.
  mutating func replace(_ bytes: Range<Int>, with text: String) {
    replaceSubrange(index(atByte: bytes.lowerBound)..<index(atByte: bytes.upperBound), with: text)
  }

  /// The nearest place between two scalars, not behind the one asked for.
  func scalarStart(atOrBefore offset: Int) -> Int {
    if offset <= 0 { return 0 }
    if offset >= utf8.count { return utf8.count }
    var index = index(atByte: offset)
    while utf8[index].isWithinScalar { index = utf8.index(before: index) }
    return byte(at: index)
  }

  /// The nearest place between two characters, not behind the one asked for.
  func characterStart(atOrBefore offset: Int) -> Int {
    let offset = scalarStart(atOrBefore: offset)
    if offset == utf8.count { return offset }
    // The standard library goes on from the character that a place is within.
    return byte(at: index(before: index(after: index(atByte: offset))))
  }

  /// The nearest place between two characters, not before the one asked for.
  func characterStart(atOrAfter offset: Int) -> Int {
    let start = characterStart(atOrBefore: offset)
    return start < offset && start < utf8.count ? characterEnd(after: start) : start
  }

  /// The end of the character that begins at a place; there is one.
  func characterEnd(after offset: Int) -> Int { byte(at: index(after: index(atByte: offset))) }

  /// The beginning of the character that ends at a place; there is one.
  func characterStart(before offset: Int) -> Int { byte(at: index(before: index(atByte: offset))) }
}

extension UInt8 {
  static var newline: UInt8 { 0x0A }

  /// Whether it is a byte of a scalar that has begun before.
  var isWithinScalar: Bool { self & 0xC0 == 0x80 }
}
