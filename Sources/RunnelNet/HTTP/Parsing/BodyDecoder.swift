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
    let length = framing.contentLength ?? 0
    if length > limits.body { throw .bodyTooLarge(limit: limits.body) }
    let plain: State = length == 0 ? .done : .plain(missing: length)
    self.init(framing.isChunked ? .size : plain, limits)
  }

  /// Creates the decoder of a body that ends with the connection.
  package static func untilEnd(_ limits: HTTPLimits) -> BodyDecoder {
    BodyDecoder(.untilEnd, limits)
  }

  /// Creates the decoder of a message without a body.
  package static func empty(_ limits: HTTPLimits) -> BodyDecoder { BodyDecoder(.done, limits) }

  /// True after the last byte of the body and its trailers.
  package var isComplete: Bool { if case .done = state { true } else { false } }

  /// True if the end of the connection is the end of the body.
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
    if index > start { try Self.checkExtension(bytes, start..<index, isWhole: index < bytes.count) }
    guard index + 1 < bytes.count else { return nil }
    guard bytes[index + 1] == UInt8(ascii: "\n") else {
      throw .malformed("a carriage return is not followed by a line feed")
    }
    offset = index + 2
    return size
  }

  /// Checks that extensions are names with or without values, each after a semicolon.
  private static func checkExtension(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, isWhole: Bool
  ) throws(HTTPParseError) {
    let first = bytes[range].first { !$0.isBlank }
    if first == nil && !isWhole { return }
    guard first == UInt8(ascii: ";") else { throw .malformed("an invalid chunk size") }
    guard isWhole else { return }
    let text = String(decoding: bytes[range], as: UTF8.self)
    // An empty element stands before the first semicolon.
    let parts = text.elements(separatedBy: UInt8(ascii: ";"))
    for part in parts {
      let name = part.utf8.prefix { $0.isTokenCharacter }
      guard !name.isEmpty else { throw .malformed("an invalid chunk extension") }
      let rest = part.utf8[name.endIndex...].drop { $0.isBlank }
      guard rest.isEmpty || rest.first == UInt8(ascii: "=") else {
        throw .malformed("an invalid chunk extension")
      }
      guard let value = rest.first.map({ _ in rest.dropFirst().drop { $0.isBlank } }) else {
        continue
      }
      let isToken = !value.isEmpty && value.allSatisfy { $0.isTokenCharacter }
      let isQuoted =
        value.count >= 2 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
      guard isToken || isQuoted else { throw .malformed("an invalid chunk extension") }
    }
    if parts.isEmpty { throw .malformed("an invalid chunk extension") }
  }

  // MARK: - Trailers

  /// Fields that say how a message is read, and so cannot come after it.
  private static let forbidden: [StaticString] = [
    "content-length", "transfer-encoding", "host", "trailer", "connection", "content-encoding",
    "content-type", "authorization", "set-cookie", "expect", "upgrade",
  ]

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
    trailers = parser.headers(of: rest, upTo: end)
    offset += end
    return true
  }
}
