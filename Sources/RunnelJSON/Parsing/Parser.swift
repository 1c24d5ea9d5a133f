/// A reader of JSON text as RFC 8259 defines it. It uses no stack for nested values.
struct Parser: ~Copyable {
  /// An array or object that is not complete.
  private struct Open {
    let token: Int
    let isObject: Bool
    /// The number of names.
    var names = 0
    /// One bit for each name, chosen by its bytes.
    var mask: UInt64 = 0
    var lookUp = LookUp.inOrder
  }

  private enum State {
    case value, elementOrEnd, name, nameOrEnd, commaOrEnd
  }

  struct Failure: Error {
    let offset: Int
    let reason: String
  }

  // Safety: the caller keeps the text meanwhile, and each offset is compared with the end first.
  private let text: UnsafeRawPointer
  private let end: Int
  private let limits: JSONLimits
  private var offset = 0
  private var open: [Open] = []
  private var tokens: ContiguousArray<Token> = []

  /// The number of names of an object that are compared with each other.
  private static let fewNames = 32

  private init(_ text: UnsafeRawPointer, count: Int, _ limits: JSONLimits) {
    self.text = text
    end = count
    self.limits = limits
    tokens.reserveCapacity(count / 6 + 4)
  }

  static func tokens(
    of text: UnsafeRawBufferPointer, _ limits: JSONLimits
  ) throws(Failure) -> ContiguousArray<Token> {
    guard let start = text.baseAddress, !text.isEmpty else {
      throw Failure(offset: 0, reason: "The text is empty.")
    }
    let most = limits.usableSize
    guard text.count <= most else {
      throw Failure(offset: most, reason: "The text has more than \(most) bytes.")
    }
    var parser = Parser(start, count: text.count, limits)
    try parser.parse()
    return parser.tokens
  }

  private mutating func parse() throws(Failure) {
    var state = State.value
    while true {
      skipSpace()
      guard offset < end else {
        if state == .commaOrEnd && open.isEmpty { return }
        throw failure("The text ends too early.")
      }
      let byte = text.byte(at: offset)
      switch state {
      case .value: state = try parseValue(byte)
      case .elementOrEnd:
        state = byte == UInt8(ascii: "]") ? close() : try parseValue(byte)
      case .nameOrEnd where byte == UInt8(ascii: "}"): state = close()
      case .name, .nameOrEnd:
        guard byte == .quote else { throw failure("A name in quotes is expected.") }
        try parseName()
        state = .value
      case .commaOrEnd: state = try parseCommaOrEnd(byte)
      }
    }
  }

  private func failure(_ reason: String) -> Failure { Failure(offset: offset, reason: reason) }

  @inline(__always)
  private mutating func skipSpace() {
    while offset < end {
      let byte = text.byte(at: offset)
      guard byte <= .space else { return }
      guard byte == .space || byte == .lineFeed || byte == .carriageReturn || byte == .tab else {
        return
      }
      offset &+= 1
    }
  }

  // MARK: - Arrays and objects

  private mutating func parseCommaOrEnd(_ byte: UInt8) throws(Failure) -> State {
    guard let innermost = open.last else {
      throw failure("The text goes on after its value.")
    }
    if byte == .comma {
      offset += 1
      return innermost.isObject ? .name : .value
    }
    let end = UInt8(ascii: innermost.isObject ? "}" : "]")
    guard byte == end else {
      throw failure("A comma or \"\(UnicodeScalar(end))\" is expected.")
    }
    return close()
  }

  private mutating func begin(_ kind: Token.Kind) throws(Failure) {
    guard open.count < limits.depth else {
      throw failure("The text has more than \(limits.depth) levels of arrays and objects.")
    }
    open.append(Open(token: tokens.count, isObject: kind == .object))
    tokens.append(Token(kind, at: offset))
    if kind == .object { tokens.append(Token(lookUp: .inOrder, from: 0)) }
    offset += 1
  }

  private mutating func close() -> State {
    offset += 1
    let closed = open.removeLast()
    tokens[closed.token].setCount(tokens.count - closed.token - 1)
    if closed.isObject {
      tokens[closed.token + 1] = Token(lookUp: closed.lookUp, from: closed.token + 2)
    }
    return .commaOrEnd
  }

  private mutating func parseName() throws(Failure) {
    let token = tokens.count
    try parseString()
    noteName(token)
    skipSpace()
    guard offset < end, text.byte(at: offset) == .colon else {
      throw failure(offset < end ? "A colon is expected." : "The text ends too early.")
    }
    offset += 1
  }

  /// Chooses how names are looked up in the present object, which has a new name.
  private mutating func noteName(_ token: Int) {
    let last = open.count - 1
    open[last].names += 1
    if open[last].names > Self.fewNames { return open[last].lookUp = .table }
    guard open[last].lookUp == .inOrder else { return }
    let name = tokens[token]
    guard name.kind == .string else { return open[last].lookUp = .last }
    var mark = UInt64(truncatingIfNeeded: name.count)
    if name.count > 0 {
      mark &+= UInt64(text.byte(at: Int(name.start))) &* 5
      mark &+= UInt64(text.byte(at: Int(name.start) + name.count - 1)) &* 11
    }
    let bit: UInt64 = 1 << (mark & 63)
    if open[last].mask & bit != 0 && occursBefore(name, in: open[last].token, before: token) {
      open[last].lookUp = .last
    }
    open[last].mask |= bit
  }

  private func occursBefore(_ name: Token, in object: Int, before end: Int) -> Bool {
    var index = object + 2
    while index < end {
      let other = tokens[index]
      if other.count == name.count
        && text.equals(at: Int(other.start), at: Int(name.start), count: name.count)
      {
        return true
      }
      index += 1
      index += tokens[index].span
    }
    return false
  }

  // MARK: - Values

  private mutating func parseValue(_ byte: UInt8) throws(Failure) -> State {
    switch byte {
    case .quote: try parseString()
    case UInt8(ascii: "{"):
      try begin(.object)
      return .nameOrEnd
    case UInt8(ascii: "["):
      try begin(.array)
      return .elementOrEnd
    case .minus, .zero...UInt8(ascii: "9"): try parseNumber()
    case UInt8(ascii: "t"): try parse("true", .true)
    case UInt8(ascii: "f"): try parse("false", .false)
    case UInt8(ascii: "n"): try parse("null", .null)
    default: throw failure("A value is expected.")
    }
    return .commaOrEnd
  }

  private mutating func parse(_ word: StaticString, _ kind: Token.Kind) throws(Failure) {
    let count = word.utf8CodeUnitCount
    let word = UnsafeRawPointer(word.utf8Start)
    for index in 0..<count {
      guard offset + index < end, text.byte(at: offset + index) == word.byte(at: index) else {
        throw failure("A value is expected.")
      }
    }
    tokens.append(Token(kind, at: offset, count: count))
    offset += count
  }

  private mutating func parseNumber() throws(Failure) {
    let start = offset
    if text.byte(at: offset) == .minus { offset += 1 }
    let first = offset
    try skipDigits()
    if offset - first > 1 && text.byte(at: first) == .zero {
      offset = first
      throw failure("A number begins with a zero before other digits.")
    }
    var kind = Token.Kind.integer
    if offset < end, text.byte(at: offset) == .point {
      kind = .decimal
      offset += 1
      try skipDigits()
    }
    if offset < end, text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
      kind = .decimal
      offset += 1
      if offset < end, text.byte(at: offset) == .plus || text.byte(at: offset) == .minus {
        offset += 1
      }
      try skipDigits()
    }
    tokens.append(Token(kind, at: start, count: offset - start))
  }

  /// Skips at least one digit.
  private mutating func skipDigits() throws(Failure) {
    let start = offset
    while offset < end, text.byte(at: offset).digit < 10 { offset &+= 1 }
    if offset == start { throw failure("A digit is expected.") }
  }

  // MARK: - Strings

  private mutating func parseString() throws(Failure) {
    offset += 1
    let start = offset
    var kind = Token.Kind.string
    while true {
      offset &+= text.countOfPlainBytes(from: offset, to: end)
      guard offset < end else { throw failure("A string does not end.") }
      let byte = text.byte(at: offset)
      if byte == .quote { break }
      if byte == .backslash {
        kind = .escapedString
        try skipEscape()
      } else if byte >= 0x80 {
        let count = text.countOfCharacter(at: offset, to: end)
        guard count > 0 else { throw failure("A string has bytes that are not UTF-8.") }
        offset &+= count
      } else {
        throw failure("A string contains a control character. It must be escaped.")
      }
    }
    tokens.append(Token(kind, at: start, count: offset - start))
    offset += 1
  }

  private mutating func skipEscape() throws(Failure) {
    guard offset + 1 < end else {
      offset = end
      throw failure("A string does not end.")
    }
    switch text.byte(at: offset + 1) {
    case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      guard let unit = text.escapedUnit(at: offset, to: end) else {
        throw failure("\"\\u\" needs four hexadecimal digits.")
      }
      if unit & 0xF800 == 0xD800 {
        let next = text.escapedUnit(at: offset + 6, to: end) ?? 0
        guard unit < 0xDC00 && next & 0xFC00 == 0xDC00 else {
          throw failure(
            "A string has one half of a character: \"\\ud800\" to \"\\udfff\" come in pairs.")
        }
        offset += 6
      }
      offset += 6
    default: throw failure("A backslash comes before a character that needs none.")
    }
  }
}

extension UnsafeRawPointer {
  /// Returns true if two places have the same bytes.
  @inline(__always)
  func equals(at offset: Int, at other: Int, count: Int) -> Bool {
    for index in 0..<count where byte(at: offset &+ index) != byte(at: other &+ index) {
      return false
    }
    return true
  }

  /// Returns the number of the escape `\u0041` at a place, or nil.
  func escapedUnit(at offset: Int, to end: Int) -> UInt16? {
    guard offset + 6 <= end, byte(at: offset) == .backslash,
      byte(at: offset + 1) == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for index in 2..<6 {
      guard let digit = byte(at: offset + index).hexDigit else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// Returns the number of bytes of the character at a place that is not ASCII; 0 if it is not valid
  /// UTF-8.
  func countOfCharacter(at offset: Int, to end: Int) -> Int {
    let first = byte(at: offset)
    let (count, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard offset + count <= end, second.contains(byte(at: offset + 1)) else { return 0 }
    for index in 2..<max(count, 2) where byte(at: offset + index) & 0xC0 != 0x80 { return 0 }
    return count
  }
}
