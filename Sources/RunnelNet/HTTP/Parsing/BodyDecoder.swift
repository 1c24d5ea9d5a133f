import Glibc

/// The decoder of the body of a message: of a known length, chunked, or up to the end of the
/// connection.
package struct BodyDecoder {
  private enum State {
    /// A body without chunks, with its missing bytes.
    case plain(missing: Int)
    /// The line with the size of a chunk.
    case size
    case chunk(missing: Int)
    /// The line ending after a chunk.
    case chunkEnd
    case trailers
    case untilEnd
    case done
  }

  private var state: State
  private let limits: HTTPLimits
  private var total = 0
  private var search = HeadSearch()
  /// The trailer fields, after the end of a chunked body.
  package private(set) var trailers = HTTPHeaders()

  private init(_ state: State, _ limits: HTTPLimits) {
    self.state = state
    self.limits = limits
  }

  /// Creates the decoder of a request's body, or of a response's whose length is known.
  package init(_ framing: MessageFraming, _ limits: HTTPLimits) throws(HTTPParseError) {
    switch framing.body {
    case .unspecified, .length(0): self.init(.done, limits)
    case .length(let length):
      if length > limits.body { throw .bodyTooLarge(limit: limits.body) }
      self.init(.plain(missing: length), limits)
    case .chunked: self.init(.size, limits)
    }
  }

  /// Creates the decoder of a body that ends with the connection.
  package static func untilEnd(_ limits: HTTPLimits) -> BodyDecoder {
    BodyDecoder(.untilEnd, limits)
  }

  package static func empty(_ limits: HTTPLimits) -> BodyDecoder { BodyDecoder(.done, limits) }

  /// True after the last byte of the body and its trailers.
  package var isComplete: Bool { if case .done = state { true } else { false } }

  package var endsWithConnection: Bool { if case .untilEnd = state { true } else { false } }

  /// The number of missing bytes; nil if it is not known.
  package var missingCount: Int? {
    switch state {
    case .plain(let missing): missing
    case .done: 0
    default: nil
    }
  }

  /// Returns the next bytes of the body, at most `most` of them, and moves the offset behind what is
  /// used up. Returns nil if more bytes are needed, and at the end.
  package mutating func next(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, atMost most: Int = .max
  ) throws(HTTPParseError) -> UnsafeRawBufferPointer? {
    while true {
      let available = bytes.count - offset
      switch state {
      case .done: return nil
      case .plain(let missing):
        guard let piece = take(min(missing, most), bytes, &offset) else { return nil }
        state = missing == piece.count ? .done : .plain(missing: missing - piece.count)
        return piece
      case .untilEnd:
        guard let piece = take(most, bytes, &offset) else { return nil }
        total += piece.count
        if total > limits.body { throw .bodyTooLarge(limit: limits.body) }
        return piece
      case .chunk(let missing):
        guard let piece = take(min(missing, most), bytes, &offset) else { return nil }
        state = missing == piece.count ? .chunkEnd : .chunk(missing: missing - piece.count)
        return piece
      case .chunkEnd:
        guard available >= 2 else {
          if available == 1 { try Self.check(bytes[offset] == UInt8(ascii: "\r")) }
          return nil
        }
        try Self.check(
          bytes[offset] == UInt8(ascii: "\r") && bytes[offset + 1] == UInt8(ascii: "\n"))
        offset += 2
        state = .size
      case .size:
        guard let size = try readSize(bytes, &offset) else { return nil }
        if size > limits.body - total { throw .bodyTooLarge(limit: limits.body) }
        total += size
        state = size == 0 ? .trailers : .chunk(missing: size)
      case .trailers:
        guard try readTrailers(bytes, &offset) else { return nil }
        state = .done
      }
    }
  }

  private func take(
    _ most: Int, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) -> UnsafeRawBufferPointer? {
    let count = min(most, bytes.count - offset)
    guard count > 0 else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }

  private static func check(_ isValid: Bool) throws(HTTPParseError) {
    if !isValid { throw .malformed("no line ending after a chunk") }
  }

  // MARK: - Chunks

  /// The most digits of a size.
  private static let mostDigits = 15

  /// Reads the line with the size of a chunk.
  private func readSize(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(HTTPParseError) -> Int? {
    var index = offset
    var size = 0
    while index < bytes.count, let digit = bytes[index].hexadecimalValue {
      size = size << 4 | Int(digit)
      index += 1
      if index - offset > Self.mostDigits { throw .malformed("an invalid chunk size") }
    }
    guard index < bytes.count else { return nil }
    if index == offset { throw .malformed("an invalid chunk size") }
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\r") {
      guard bytes[index].isFieldCharacter else {
        throw .malformed("a control character in a chunk extension")
      }
      index += 1
      if index - start > limits.chunkExtension {
        throw .malformed("a chunk extension is too long")
      }
    }
    let first = bytes[start..<index].first { !$0.isBlank }
    if let first, first != UInt8(ascii: ";") { throw .malformed("an invalid chunk size") }
    guard index < bytes.count else { return nil }
    try Self.checkExtensions(bytes[start..<index])
    guard index + 1 < bytes.count else { return nil }
    guard bytes[index + 1] == UInt8(ascii: "\n") else {
      throw .malformed("a carriage return is not followed by a line feed")
    }
    offset = index + 2
    return size
  }

  /// Checks that extensions are names with or without values, each after a semicolon (RFC 9112,
  /// section 7.1.1).
  private static func checkExtensions(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) throws(HTTPParseError) {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.drop { $0.isBlank }
      guard rest.popFirst() == UInt8(ascii: ";") else {
        throw .malformed("an invalid chunk extension")
      }
      rest = rest.drop { $0.isBlank }
      try dropToken(&rest)
      let value = rest.drop { $0.isBlank }
      guard value.first == UInt8(ascii: "=") else { continue }
      rest = value.dropFirst().drop { $0.isBlank }
      if rest.first == UInt8(ascii: "\"") { try dropQuoted(&rest) } else { try dropToken(&rest) }
    }
  }

  private static func dropToken(
    _ rest: inout Slice<UnsafeRawBufferPointer>
  ) throws(HTTPParseError) {
    let end = rest.drop { $0.isTokenCharacter }
    if end.count == rest.count { throw .malformed("an invalid chunk extension") }
    rest = end
  }

  private static func dropQuoted(
    _ rest: inout Slice<UnsafeRawBufferPointer>
  ) throws(HTTPParseError) {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { break }
    }
    throw .malformed("an invalid chunk extension")
  }

  // MARK: - Trailers

  /// Fields that say how a message is read, and so cannot come after it.
  private static let forbidden: [StaticString] = [
    "content-length", "transfer-encoding", "host", "trailer", "connection", "authorization",
    "set-cookie", "expect", "upgrade",
  ]

  /// Fields that say what a body means. They come too late for its reader, and are left out.
  private static let dropped: [StaticString] = ["content-type", "content-encoding"]

  /// Reads the trailer fields. Returns false if they are not complete.
  private mutating func readTrailers(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(HTTPParseError) -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    if rest.starts(with: "\r\n".utf8) {
      offset += 2
      return true
    }
    var limits = limits
    limits.startLine = .max / 2
    guard try search.mayBeComplete(rest, limits) else {
      if rest.count > limits.headers { throw .headersTooLarge }
      return false
    }
    var parser = FieldParser(capacity: limits.headerCount)
    defer { parser.deallocate() }
    guard let end = try parser.parse(rest, from: 0) else {
      if rest.count > limits.headers { throw .headersTooLarge }
      try search.continue(in: rest, limits)
      return false
    }
    if end > limits.headers { throw .headersTooLarge }
    for field in parser.fields
    where Self.forbidden.contains(where: { rest.equals(field.name, $0) }) {
      throw .malformed("a trailer field that is not allowed")
    }
    let kept = parser.fields.filter { field in
      !Self.dropped.contains { rest.equals(field.name, $0) }
    }
    trailers = HTTPHeaders(text: Array(rest[..<end]), fields: kept)
    offset += end
    return true
  }
}
