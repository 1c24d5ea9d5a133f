import Glibc

/// The parser of the heads of requests, for all connections of a server. It is strict: see
/// ``HTTPServer``.
///
/// A head that arrives at once is parsed in one pass. Otherwise its bytes are searched for the end
/// of the head as they arrive, and are parsed when it is there.
package struct RequestParser {
  /// The places of the parts of a head.
  package struct Head {
    package var method: Range<Int>
    package var target: Range<Int>
    /// True if the target is a whole URL.
    package var isAbsolute = false
    package var isVersion10: Bool
    package var framing: MessageFraming
    /// The number of bytes of the head.
    package var count: Int
  }

  private let limits: HTTPLimits
  private var parser: FieldParser

  package init(_ limits: HTTPLimits) {
    self.limits = limits
    parser = FieldParser(capacity: limits.headerCount)
  }

  package func deallocate() {
    parser.deallocate()
  }

  var fields: UnsafeBufferPointer<HTTPHeaders.Field> { parser.fields }

  /// The header fields of the head that was parsed last.
  func headers(of bytes: UnsafeRawBufferPointer, _ head: Head) -> HTTPHeaders {
    parser.headers(of: bytes, upTo: head.count)
  }

  /// Parses the head at the beginning of the bytes; nil if it is not complete. The search belongs to
  /// the connection.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer, _ search: inout HeadSearch
  ) throws(HTTPParseError) -> Head? {
    guard try search.mayBeComplete(bytes, limits) else { return nil }
    if let head = try parseComplete(bytes) {
      search = HeadSearch()
      return head
    }
    try search.continue(in: bytes, limits)
    return nil
  }

  private mutating func parseComplete(
    _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) -> Head? {
    // Empty lines before a request are ignored: some clients send them after a body.
    let start = HeadSearch.countOfEmptyLines(bytes)
    for index in 0..<min(start, bytes.count)
    where bytes[index] != UInt8(ascii: index % 2 == 0 ? "\r" : "\n") {
      throw .malformed("no method")
    }
    guard bytes.count > start else { return nil }
    guard let (method, methodEnd) = try Self.method(bytes, start) else { return nil }
    let targetStart = methodEnd + 1
    let targetEnd = Self.endOfTarget(bytes, targetStart)
    guard targetEnd < bytes.count else {
      if targetEnd - start > limits.startLine { throw .startLineTooLong }
      return nil
    }
    guard bytes[targetEnd] == UInt8(ascii: " "), targetEnd > targetStart else {
      throw .malformed("an invalid target")
    }
    let target = targetStart..<targetEnd
    guard let (isVersion10, lineEnd) = try Self.version(bytes, targetEnd + 1) else { return nil }
    if lineEnd - start - 2 > limits.startLine { throw .startLineTooLong }
    guard let end = try parser.parse(bytes, from: lineEnd) else { return nil }
    if end - lineEnd > limits.headers { throw .headersTooLarge }
    let framing = try MessageFraming(parser.fields, in: bytes, isVersion10: isVersion10)
    guard framing.host != nil || isVersion10 else { throw .malformed("no Host field") }
    let isAbsolute = try Self.checkForm(of: target, method, in: bytes)
    // Only a request for the whole server may name no host.
    let isForServer = bytes[target.lowerBound] == UInt8(ascii: "*")
    if let host = framing.host, !bytes.isAuthority(host, mayBeEmpty: isForServer) {
      throw .malformed("an invalid Host field")
    }
    return Head(
      method: method, target: target, isAbsolute: isAbsolute, isVersion10: isVersion10,
      framing: framing, count: end)
  }

  // MARK: - Request line

  private static let longestMethod = 32

  private static func method(
    _ bytes: UnsafeRawBufferPointer, _ start: Int
  ) throws(HTTPParseError) -> (Range<Int>, end: Int)? {
    var end = start
    while end < bytes.count, bytes[end].isTokenCharacter { end += 1 }
    if end - start > longestMethod { throw .malformed("a method is too long") }
    guard end < bytes.count else { return nil }
    guard end > start, bytes[end] == UInt8(ascii: " ") else { throw .malformed("no method") }
    return (start..<end, end)
  }

  private static func endOfTarget(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isTargetCharacter { end += 1 }
    guard end < bytes.count, bytes[end].isQueryCharacter,
      bytes[start..<end].contains(UInt8(ascii: "?"))
    else { return end }
    while end < bytes.count, bytes[end].isQueryCharacter { end += 1 }
    return end
  }

  /// Reads the version and the line ending.
  private static func version(
    _ bytes: UnsafeRawBufferPointer, _ start: Int
  ) throws(HTTPParseError) -> (isVersion10: Bool, end: Int)? {
    let available = bytes.count - start
    if available < 10 {
      // Refuses what cannot become a version, such as a second space.
      let known: StaticString = "HTTP/"
      for index in 0..<min(5, available) where bytes[start + index] != known.utf8Start[index] {
        throw .malformed("an invalid version")
      }
      return nil
    }
    let known = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    // "HTTP/1.1" and "HTTP/1.0", with the first letter in the lowest byte.
    let version11: UInt64 = 0x312E_312F_5054_5448
    let version10: UInt64 = 0x302E_312F_5054_5448
    guard bytes[start + 8] == UInt8(ascii: "\r"), bytes[start + 9] == UInt8(ascii: "\n") else {
      throw .malformed("an invalid version")
    }
    if known == version11 { return (false, start + 10) }
    if known == version10 { return (true, start + 10) }
    guard known & 0xFF_FFFF_FFFF == 0x2F_5054_5448, bytes[start + 5].isDigit,
      bytes[start + 6] == UInt8(ascii: "."), bytes[start + 7].isDigit
    else { throw .malformed("an invalid version") }
    // A later minor version is compatible.
    guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    return (false, start + 10)
  }

  /// Checks that the target has a form that its method may have. Returns true if it is a whole URL.
  private static func checkForm(
    of target: Range<Int>, _ method: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) -> Bool {
    let first = bytes[target.lowerBound]
    if first == UInt8(ascii: "/") {
      try checkParts(of: target, in: bytes)
      return false
    }
    if first == UInt8(ascii: "*"), target.count == 1, bytes.equals(method, "options") {
      return false
    }
    for scheme: StaticString in ["http://", "https://"]
    where target.count > scheme.utf8CodeUnitCount {
      let start = target.lowerBound + scheme.utf8CodeUnitCount
      guard bytes.equals(target.lowerBound..<start, scheme) else { continue }
      let end = bytes[start..<target.upperBound].firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
      }
      guard bytes.isAuthority(start..<(end ?? target.upperBound), mayBeEmpty: false) else { break }
      try checkParts(of: target, in: bytes)
      return true
    }
    throw .malformed("an invalid target")
  }

  /// Checks the percent signs of the path, and that the query is UTF-8.
  ///
  /// A percent sign of a query may be followed by anything, because browsers send one that the user
  /// has typed as it is.
  private static func checkParts(
    of target: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) {
    guard let base = bytes.baseAddress else { return }
    var pathEnd = target.upperBound
    if let mark = memchr(base + target.lowerBound, Int32(UInt8(ascii: "?")), target.count) {
      pathEnd = UnsafeRawPointer(mark) - base
      let query = bytes[pathEnd..<target.upperBound]
      if query.contains(where: { $0 >= 128 }), String(validating: query, as: UTF8.self) == nil {
        throw .malformed("a query that is not UTF-8")
      }
    }
    let path = target.lowerBound..<pathEnd
    guard memchr(base + path.lowerBound, Int32(UInt8(ascii: "%")), path.count) != nil else {
      return
    }
    for index in path where bytes[index] == UInt8(ascii: "%") {
      guard index + 2 < path.upperBound, let high = bytes[index + 1].hexadecimalValue,
        let low = bytes[index + 2].hexadecimalValue, high | low != 0
      else { throw .malformed("an invalid percent sign in the target") }
    }
  }
}

extension UInt8 {
  /// True for the characters of a query. Browsers send a backslash as it is, and other programs send
  /// UTF-8.
  @inline(__always)
  var isQueryCharacter: Bool {
    isTargetCharacter || self == UInt8(ascii: "\\") || self >= 128
  }

  /// True for the characters of a target. Browsers send some that RFC 3986 does not allow, such as
  /// the vertical bar; they are accepted.
  @inline(__always)
  var isTargetCharacter: Bool {
    // Without the space, the quotation mark, the number sign, angle brackets and the backslash.
    let low: UInt64 = 0xAFFF_FFF2_0000_0000
    let high: UInt64 = 0x7FFF_FFFF_EFFF_FFFF
    if self >= 128 { return false }
    return (self < 64 ? low &>> UInt64(self) : high &>> UInt64(self & 63)) & 1 != 0
  }
}

extension UnsafeRawBufferPointer {
  /// True if a range is a host and perhaps a port.
  func isAuthority(_ range: Range<Int>, mayBeEmpty: Bool) -> Bool {
    if range.isEmpty { return mayBeEmpty }
    let host = self[range]
    var end = range.upperBound
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host.last != UInt8(ascii: "]") {
      guard self[(colon + 1)..<end].allSatisfy({ $0.isDigit }), end - colon <= 6 else {
        return false
      }
      end = colon
    }
    let name = self[range.lowerBound..<end]
    if name.first == UInt8(ascii: "[") {
      return name.count > 2 && name.last == UInt8(ascii: "]")
        && name.dropFirst().dropLast().allSatisfy {
          $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
    }
    return !name.isEmpty
      && name.allSatisfy {
        let letter = $0.lowercased
        return 97...122 ~= letter || $0.isDigit || "-._~!$&'()*+,;=%".utf8.contains($0)
      }
  }
}

/// The search for the end of a head that arrives in parts.
package struct HeadSearch {
  /// The number of bytes that are known to contain no end; 0 before the first parse.
  private var searched = 0
  /// The number of bytes of the first line; nil until it is complete.
  private var lineCount: Int?

  package init() {}

  /// Returns false if bytes were added to a head and its end is not among them.
  mutating func mayBeComplete(
    _ bytes: UnsafeRawBufferPointer, _ limits: HTTPLimits
  ) throws(HTTPParseError) -> Bool {
    if searched == 0 || containsEnd(bytes) { return true }
    try `continue`(in: bytes, limits)
    return false
  }

  /// True if there is an empty line in the bytes that were not searched yet.
  private func containsEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = min(searched, bytes.count)
    while offset < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + offset, Int32(UInt8(ascii: "\n")), bytes.count - offset)
    {
      let index = UnsafeRawPointer(found) - base
      // A line feed alone is an error, which is found by the parser.
      if index == 0 || bytes[index - 1] != UInt8(ascii: "\r") { return true }
      if index >= 3 && bytes[index - 2] == UInt8(ascii: "\n") { return true }
      offset = index + 1
    }
    return false
  }

  /// The most empty lines before a request that are ignored.
  private static let mostEmptyLines = 2

  /// Returns the number of bytes of the empty lines at the beginning of the bytes. A line that begins
  /// with a carriage return counts, also if its line feed has not arrived.
  static func countOfEmptyLines(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while count < 2 * mostEmptyLines, count < bytes.count, bytes[count] == UInt8(ascii: "\r") {
      count += 2
    }
    return count
  }

  /// Checks the limits of a head that is not complete.
  mutating func `continue`(
    in bytes: UnsafeRawBufferPointer, _ limits: HTTPLimits
  ) throws(HTTPParseError) {
    if lineCount == nil {
      // The line may begin after empty ones.
      let lead = Self.countOfEmptyLines(bytes)
      if bytes.count > lead, let base = bytes.baseAddress,
        let end = memchr(base + lead, Int32(UInt8(ascii: "\n")), bytes.count - lead)
      {
        lineCount = UnsafeRawPointer(end) - base + 1
      }
      if (lineCount ?? bytes.count) - lead - 2 > limits.startLine { throw .startLineTooLong }
    }
    if let lineCount, bytes.count - lineCount > limits.headers { throw .headersTooLarge }
    searched = bytes.count
  }
}
