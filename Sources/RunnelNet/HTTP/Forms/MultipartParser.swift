import Glibc

/// Splits a body of `multipart/form-data` into its parts, by RFC 7578 and RFC 2046.
///
/// Bytes are appended in pieces of any size, and ``next()`` returns what is complete. The parser
/// refuses what those RFCs allow but no client sends: text before the first part or after the last
/// one, and lines of a header that are continued.
struct MultipartParser {
  enum Event: Equatable {
    case begin(MultipartHead)
    case bytes([UInt8])
    case end
  }

  private enum State {
    /// Waits for the first boundary.
    case start
    /// After a boundary: waits for the rest of its line.
    case boundary
    case head
    case content
    /// After the last boundary.
    case finished
  }

  /// The line ending and the boundary that end a part.
  private let delimiter: [UInt8]
  private let limits: MultipartLimits
  private var state = State.start
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that are used.
  private var used = 0
  private var partCount = 0
  /// The header fields of the part that begins, and the number of their bytes.
  private var headers = HTTPHeaders()
  private var headCount = 0

  /// Returns nil if the boundary is invalid.
  init?(boundary: String, _ limits: MultipartLimits) {
    let bytes = boundary.utf8
    guard 1...70 ~= bytes.count, bytes.allSatisfy({ $0.isBoundaryCharacter }),
      bytes.last != UInt8(ascii: " ")
    else { return nil }
    delimiter = Array("\r\n--".utf8) + bytes
    self.limits = limits
  }

  var isFinished: Bool { state == .finished }

  mutating func append(_ bytes: [UInt8]) {
    buffer.removeFirst(used)
    used = 0
    buffer += bytes
  }

  /// Returns the next event; nil if more bytes are needed.
  mutating func next() throws(MultipartError) -> Event? {
    while true {
      switch state {
      case .start:
        // The line ending of the first boundary may be missing.
        let isShort = buffer[used...].first != UInt8(ascii: "\r")
        let expected = isShort ? delimiter[2...] : delimiter[...]
        guard try take(expected) else { return nil }
        state = .boundary
      case .boundary:
        guard try endOfBoundary() else { return nil }
      case .head:
        guard let head = try head() else { return nil }
        state = .content
        return .begin(head)
      case .content:
        return content()
      case .finished:
        guard buffer[used...].allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") })
        else { throw .malformed("there is text after the last part") }
        used = buffer.count
        return nil
      }
    }
  }

  /// Takes expected bytes. Returns false if more bytes are needed.
  private mutating func take(_ expected: ArraySlice<UInt8>) throws(MultipartError) -> Bool {
    let rest = buffer[used...]
    guard rest.prefix(expected.count).elementsEqual(expected.prefix(rest.count)) else {
      throw .malformed("it does not begin with its boundary")
    }
    guard rest.count >= expected.count else { return false }
    used += expected.count
    return true
  }

  /// The most spaces after a boundary.
  private static let mostPadding = 64

  /// Takes the rest of the line of a boundary. Returns false if more bytes are needed.
  private mutating func endOfBoundary() throws(MultipartError) -> Bool {
    let rest = buffer[used...]
    if rest.first == UInt8(ascii: "-") {
      guard rest.count >= 2 else { return false }
      guard rest[rest.startIndex + 1] == UInt8(ascii: "-") else {
        throw .malformed("a boundary is followed by other characters")
      }
      used += 2
      state = .finished
      return true
    }
    let padding = rest.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let end = rest[padding.endIndex...].prefix(2)
    guard padding.count <= Self.mostPadding, end.elementsEqual([13, 10].prefix(end.count)) else {
      throw .malformed("a boundary is followed by other characters")
    }
    guard end.count == 2 else { return false }
    guard partCount < limits.parts else { throw .tooManyParts(limit: limits.parts) }
    partCount += 1
    used += padding.count + 2
    state = .head
    return true
  }

  /// Takes the header fields of a part. Returns nil if more bytes are needed.
  private mutating func head() throws(MultipartError) -> MultipartHead? {
    while let end = find([13, 10], from: used) {
      let line = buffer[used..<end]
      headCount += line.count + 2
      guard headCount <= limits.headers else { throw .headTooLong(limit: limits.headers) }
      used = end + 2
      if line.isEmpty {
        headCount = 0
        return try MultipartHead(exchange(&headers, with: HTTPHeaders()))
      }
      guard headers.count < 16 else { throw .malformed("a part has too many header fields") }
      try Self.append(line, to: &headers)
    }
    guard headCount + buffer.count - used <= limits.headers else {
      throw .headTooLong(limit: limits.headers)
    }
    return nil
  }

  private static func append(
    _ line: ArraySlice<UInt8>, to headers: inout HTTPHeaders
  ) throws(MultipartError) {
    let name = line.prefix { $0.isTokenCharacter }
    guard !name.isEmpty, line[name.endIndex...].first == UInt8(ascii: ":"),
      line.allSatisfy({ $0.isFieldCharacter }),
      let text = String(validating: line[(name.endIndex + 1)...], as: UTF8.self)
    else { throw .malformed("a part has an invalid header field") }
    headers.append(
      String(decoding: name, as: UTF8.self), String(Substring(text[...].utf8.withoutSpaces)))
  }

  /// Takes bytes of a part, or its end. Returns nil if more bytes are needed.
  private mutating func content() -> Event? {
    let end: Int
    if let found = find(delimiter, from: used) {
      if found == used {
        used += delimiter.count
        state = .boundary
        return .end
      }
      end = found
    } else {
      // The last bytes may be the beginning of a delimiter.
      var tail = max(used, buffer.count - delimiter.count + 1)
      while tail < buffer.count, !delimiter.starts(with: buffer[tail...]) { tail += 1 }
      end = tail
    }
    if end == used { return nil }
    defer { used = end }
    return .bytes(Array(buffer[used..<end]))
  }

  private func find(_ bytes: [UInt8], from start: Int) -> Int? {
    let first = Int32(bytes[0])
    return buffer.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var start = start
      while start + bytes.count <= buffer.count,
        let place = memchr(base + start, first, buffer.count - start - bytes.count + 1)
      {
        if memcmp(place, bytes, bytes.count) == 0 { return UnsafeRawPointer(place) - base }
        start = UnsafeRawPointer(place) - base + 1
      }
      return nil
    }
  }
}

/// The header fields of a part.
struct MultipartHead: Equatable {
  let headers: HTTPHeaders
  let name: String
  /// The name of the file as the client sent it; nil if the part is no file.
  let fileName: String?

  init(_ headers: HTTPHeaders) throws(MultipartError) {
    let dispositions = headers.values(of: "Content-Disposition")
    var rest = (dispositions.first ?? "")[...].utf8
    guard dispositions.count == 1, rest.popToken()?.lowercased() == "form-data",
      let parameters = FieldParameters(rest, escapes: .few), let name = parameters["name"]
    else { throw .malformed("a part has no name") }
    self.headers = headers
    self.name = name
    fileName = parameters["filename"]
  }
}

extension UInt8 {
  /// True for the characters of a boundary in RFC 2046.
  fileprivate var isBoundaryCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "'")...UInt8(ascii: ")"), UInt8(ascii: "+")...UInt8(ascii: ":"),
      UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "_"), UInt8(ascii: " "):
      true
    default: false
    }
  }
}
