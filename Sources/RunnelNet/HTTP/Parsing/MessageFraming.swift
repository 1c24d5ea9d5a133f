/// The length of a message's body and the use of its connection, by its header fields.
package struct MessageFraming {
  package enum Body: Equatable {
    /// No field gives a length.
    case unspecified
    case length(Int)
    case chunked
  }

  /// The expectation of a client before it sends the body.
  package enum Expectation {
    case none
    /// The client waits for "100 Continue".
    case `continue`
    case unknown
  }

  package var body = Body.unspecified
  package var expectation = Expectation.none
  /// True if the connection can be used for another message after this one.
  package var keepsConnection: Bool
  /// The place of the value of `Host`.
  var host: Range<Int>?

  @inline(__always)
  init(
    _ fields: UnsafeBufferPointer<HTTPHeaders.Field>, in bytes: UnsafeRawBufferPointer,
    isVersion10: Bool
  ) throws(HTTPParseError) {
    keepsConnection = !isVersion10
    var closes = false
    for field in fields {
      // The length of the name excludes almost all fields.
      switch field.nameCount {
      case 4 where bytes.equals(field.name, "host"):
        if host != nil { throw .malformed("several Host fields") }
        host = field.value
      case 6 where bytes.equals(field.name, "expect"):
        readExpectations(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
      case 10 where bytes.equals(field.name, "connection"):
        readConnection(UnsafeRawBufferPointer(rebasing: bytes[field.value]), &closes)
      case 14 where bytes.equals(field.name, "content-length"):
        if case .length = body { throw .malformed("several Content-Length fields") }
        try take(.length(Self.length(UnsafeRawBufferPointer(rebasing: bytes[field.value]))))
      case 17 where bytes.equals(field.name, "transfer-encoding"):
        if body == .chunked { throw .malformed("several Transfer-Encoding fields") }
        try Self.checkCodings(UnsafeRawBufferPointer(rebasing: bytes[field.value]))
        try take(.chunked)
      default: break
      }
    }
    if closes { keepsConnection = false }
    if body == .chunked && isVersion10 { throw .malformed("a chunked body in HTTP/1.0") }
  }

  private mutating func take(_ body: Body) throws(HTTPParseError) {
    guard self.body == .unspecified else {
      throw .malformed("both Content-Length and Transfer-Encoding")
    }
    self.body = body
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
      let isKnown = value.equals(expectation, "100-continue") && self.expectation != .unknown
      self.expectation = isKnown ? .continue : .unknown
    }
  }

  private mutating func readConnection(_ value: UnsafeRawBufferPointer, _ closes: inout Bool) {
    for option in ListElements(value) {
      if value.equals(option, "close") { closes = true }
      if value.equals(option, "keep-alive") { keepsConnection = true }
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
