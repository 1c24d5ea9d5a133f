/// The length of a message's body and the use of its connection, by its header fields.
package struct MessageFraming {
  package var contentLength: Int?
  package var isChunked = false
  /// True if the connection ends after the message.
  package var closes = false
  /// True if an HTTP/1.0 peer wants to keep the connection.
  package var keepsAlive = false
  /// True if the client waits for "100 Continue" before it sends the body.
  package var expectsContinue = false
  /// True if the expectation is an unknown one.
  package var hasUnknownExpectation = false
  /// True if the peer asks for another protocol.
  package var wantsUpgrade = false
  /// The place of the value of `Host`.
  var host: Range<Int>?

  @inline(__always)
  init(
    _ fields: UnsafeBufferPointer<HTTPHeaders.Field>, in bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) {
    var hasTransferEncoding = false
    for field in fields {
      // The length of the name excludes almost all fields.
      switch field.nameCount {
      case 4 where bytes.equals(field.name, "host"):
        if host != nil { throw .malformed("several Host fields") }
        host = field.value
      case 6 where bytes.equals(field.name, "expect"):
        readExpectations(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
      case 10 where bytes.equals(field.name, "connection"):
        readConnection(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
      case 14 where bytes.equals(field.name, "content-length"):
        if contentLength != nil { throw .malformed("several Content-Length fields") }
        contentLength = try Self.length(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
      case 17 where bytes.equals(field.name, "transfer-encoding"):
        if hasTransferEncoding { throw .malformed("several Transfer-Encoding fields") }
        hasTransferEncoding = true
        try Self.checkCodings(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
        isChunked = true
      default: break
      }
    }
    if isChunked && contentLength != nil {
      throw .malformed("both Content-Length and Transfer-Encoding")
    }
  }

  /// Reads a length of digits only. A length of more than 18 digits is too large for any body.
  private static func length(_ value: UnsafeRawBufferPointer) throws(HTTPParseError) -> Int {
    guard !value.isEmpty, value.allSatisfy({ $0.isDigit }) else {
      throw .malformed("an invalid Content-Length")
    }
    guard value.count <= 18 else { throw .bodyTooLarge(limit: .max) }
    return value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Checks that the value of `Transfer-Encoding` is `chunked`.
  ///
  /// The end of a body is only known if `chunked` is its last coding (RFC 9112, section 6.3), so
  /// any other value is a violation. A coding before it is one that the peer must not expect.
  private static func checkCodings(_ value: UnsafeRawBufferPointer) throws(HTTPParseError) {
    var count = 0
    var chunkedCount = 0
    var endsChunked = false
    for coding in ListElements(value) {
      endsChunked = value.equals(coding, "chunked")
      count += 1
      chunkedCount += endsChunked ? 1 : 0
    }
    guard endsChunked else { throw .malformed("chunked is not the last transfer coding") }
    if chunkedCount > 1 { throw .malformed("the body is chunked twice") }
    if count > 1 { throw .unknownTransferCoding }
  }

  private mutating func readExpectations(_ value: UnsafeRawBufferPointer) {
    for expectation in ListElements(value) {
      if value.equals(expectation, "100-continue") {
        expectsContinue = true
      } else {
        hasUnknownExpectation = true
      }
    }
  }

  private mutating func readConnection(_ value: UnsafeRawBufferPointer) {
    for option in ListElements(value) {
      if value.equals(option, "close") { closes = true }
      if value.equals(option, "keep-alive") { keepsAlive = true }
      if value.equals(option, "upgrade") { wantsUpgrade = true }
    }
  }
}

/// The places of the elements of a comma-separated list, without spaces around them and without
/// empty elements. A comma in a quoted string separates as well.
private struct ListElements: Sequence, IteratorProtocol {
  private let value: UnsafeRawBufferPointer
  private var start = 0

  init(_ value: UnsafeRawBufferPointer) {
    self.value = value
  }

  mutating func next() -> Range<Int>? {
    while start < value.count {
      let end = value[start...].firstIndex(of: UInt8(ascii: ",")) ?? value.count
      var element = start..<end
      while let first = element.first, value[first].isBlank { element = first + 1..<end }
      while let last = element.last, value[last].isBlank { element = element.lowerBound..<last }
      start = end + 1
      if !element.isEmpty { return element }
    }
    return nil
  }
}
