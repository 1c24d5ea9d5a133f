/// The parser of the heads of responses, as strict as ``RequestParser``.
///
/// A status line may end after the status, without a space: RFC 9112, section 4, allows a client to
/// parse the words of the line, and some servers omit the space before an empty reason.
package struct ResponseParser {
  package struct Head {
    package var status: HTTPStatus
    package var isVersion10: Bool
    package var framing: MessageFraming
    /// The number of bytes of the head.
    package var count: Int
  }

  private let limits: HTTPLimits
  private var parser: FieldParser
  private var search = HeadSearch()

  package init(_ limits: HTTPLimits) {
    self.limits = limits
    parser = FieldParser(capacity: limits.headerCount)
  }

  package func deallocate() {
    parser.deallocate()
  }

  /// The header fields of the head that was parsed last.
  package func headers(of bytes: UnsafeRawBufferPointer, _ head: Head) -> HTTPHeaders {
    parser.headers(of: bytes, upTo: head.count)
  }

  /// Returns the decoder of the body of a response, by RFC 9112, section 6.3. An endless body has no
  /// limit.
  package func body(
    of head: Head, isForHead: Bool, isEndless: Bool = false
  ) throws(HTTPParseError) -> BodyDecoder {
    var limits = limits
    if isEndless { limits.body = .max }
    if isForHead || head.status.hasNoBody { return .empty(limits) }
    if head.framing.body == .unspecified { return .untilEnd(limits) }
    return try BodyDecoder(head.framing, limits)
  }

  /// Parses the head at the beginning of the bytes; nil if it is not complete.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer
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
    guard let line = try Self.statusLine(bytes, limits) else { return nil }
    guard let end = try parser.parse(bytes, from: line.end) else { return nil }
    if end - line.end > limits.headers { throw .headersTooLarge }
    let framing = try MessageFraming(parser.fields, in: bytes, isVersion10: line.isVersion10)
    return Head(
      status: line.status, isVersion10: line.isVersion10, framing: framing, count: end)
  }

  // MARK: - Status line

  private struct StatusLine {
    var status: HTTPStatus
    var isVersion10: Bool
    /// The offset behind the line ending.
    var end: Int
  }

  /// The number of bytes of a version, a space and a status.
  private static let fixedCount = 12

  private static func statusLine(
    _ bytes: UnsafeRawBufferPointer, _ limits: HTTPLimits
  ) throws(HTTPParseError) -> StatusLine? {
    for index in 0..<min(fixedCount, bytes.count) where !isValid(bytes[index], at: index) {
      throw .malformed("an invalid status line")
    }
    guard bytes.count > fixedCount else { return nil }
    if bytes[5] != UInt8(ascii: "1") { throw .unsupportedVersion }
    let code = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    if code < 100 { throw .malformed("an invalid status") }
    var end = fixedCount
    if bytes[end] == UInt8(ascii: " ") {
      while end < bytes.count, bytes[end].isFieldCharacter { end += 1 }
    }
    if end > limits.startLine { throw .startLineTooLong }
    guard end < bytes.count else { return nil }
    switch bytes[end] {
    case UInt8(ascii: "\r"): break
    case UInt8(ascii: "\n"): throw .malformed("a line feed without a carriage return")
    default: throw .malformed("an invalid status line")
    }
    guard end + 1 < bytes.count else { return nil }
    guard bytes[end + 1] == UInt8(ascii: "\n") else {
      throw .malformed("a carriage return is not followed by a line feed")
    }
    return StatusLine(
      status: HTTPStatus(code), isVersion10: bytes[7] == UInt8(ascii: "0"), end: end + 2)
  }

  /// True if a byte can be at this place of `HTTP/1.1 200`.
  private static func isValid(_ byte: UInt8, at index: Int) -> Bool {
    let known: StaticString = "HTTP/0.0 000"
    let expected = known.utf8Start[index]
    return expected == UInt8(ascii: "0") ? byte.isDigit : byte == expected
  }
}
