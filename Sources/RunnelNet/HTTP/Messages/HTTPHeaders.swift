import Glibc
import RunnelStreams

/// The header fields of a message, in their order.
///
///     var headers: HTTPHeaders = ["Content-Type": "text/plain"]
///     headers["X-Count"] = "3"
///     show(headers["content-type"] ?? "none")  // text/plain
///
/// Names are compared without regard to case. A field may occur several times, such as `Set-Cookie`.
///
/// Control characters of a value become spaces, so that a value cannot add fields of its own. A name
/// that is no token traps, because it is a mistake of the program. Set a field whose name comes from
/// outside with ``set(validating:_:)``, which throws instead:
///
///     var labels = HTTPHeaders()
///     try labels.set(validating: request.query["label"] ?? "", "1")
public struct HTTPHeaders: Sendable {
  /// The places of the name and the value of a field in the text.
  struct Field: Sendable {
    var nameStart: UInt32
    var nameCount: UInt32
    var valueStart: UInt32
    var valueCount: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameStart + nameCount) }
    var value: Range<Int> { Int(valueStart)..<Int(valueStart + valueCount) }
  }

  /// The bytes of names and values, and of the separators between them.
  private(set) var text: [UInt8]
  private(set) var fields: [Field]

  /// Creates empty headers.
  public init() {
    text = []
    fields = []
  }

  /// Creates headers from checked fields of a text.
  init(text: [UInt8], fields: [Field]) {
    self.text = text
    self.fields = fields
  }

  /// The number of fields.
  public var count: Int { fields.count }
  /// True if there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  // MARK: - Reading

  /// The value of the first field with a name. Setting it replaces all fields with the name; nil
  /// removes them. Setting a value traps if the name is no token; see ``set(validating:_:)`` for names
  /// from outside.
  public subscript(name: String) -> String? {
    get {
      guard let index = firstIndex(of: name) else { return nil }
      return value(at: index)
    }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// All values of the fields with a name.
  public func values(of name: String) -> [String] {
    fields.indices.filter { isNamed(name, at: $0) }.map { value(at: $0) }
  }

  /// True if there is a field with the name.
  public func contains(_ name: String) -> Bool { firstIndex(of: name) != nil }

  /// The comma-separated elements of all fields with a name, without spaces around them and without
  /// empty ones. A comma in a quoted string separates nothing.
  public func elements(of name: String) -> [String] {
    values(of: name).flatMap { $0.listElements }
  }

  private func value(at index: Int) -> String {
    String(decoding: text[fields[index].value], as: UTF8.self)
  }

  private func firstIndex(of name: String) -> Int? {
    fields.indices.first { isNamed(name, at: $0) }
  }

  private func isNamed(_ name: String, at index: Int) -> Bool {
    let range = fields[index].name
    guard name.utf8.count == range.count else { return false }
    var name = name
    return text.withUnsafeBytes { text in
      name.withUTF8 { name in
        guard let name = name.baseAddress, let text = text.baseAddress else { return false }
        return strncasecmp(name, text + range.lowerBound, range.count) == 0
      }
    }
  }

  // MARK: - Changing

  /// Adds a field after the others. Traps if the name is no token; see ``append(validating:_:)`` for
  /// names from outside.
  public mutating func append(_ name: String, _ value: String) {
    require(
      name.isToken,
      """
      \(name.debugDescription) is no name of a header field. Use letters, digits and hyphens. If \
      it comes from outside, call append(validating:_:) or set(validating:_:), which throw.
      """)
    let start = text.count
    text.append(contentsOf: name.utf8)
    let colon = text.count
    text.append(contentsOf: ": ".utf8)
    let valueStart = text.count
    text.append(contentsOf: value.utf8)
    for index in valueStart..<text.count where !text[index].isFieldCharacter {
      text[index] = UInt8(ascii: " ")
    }
    fields.append(
      Field(
        nameStart: UInt32(start), nameCount: UInt32(colon - start),
        valueStart: UInt32(valueStart), valueCount: UInt32(text.count - valueStart)))
  }

  /// Adds a field whose name or value comes from outside, such as from a request or a file.
  ///
  /// Throws an ``HTTPHeaderError`` if the name is no token, or if the value has a control character
  /// other than a tab. Then nothing is changed.
  public mutating func append(
    validating name: String, _ value: String
  ) throws(HTTPHeaderError) {
    guard name.isToken else { throw .invalidName(name) }
    guard value.utf8.allSatisfy({ $0.isFieldCharacter }) else { throw .invalidValue(of: name) }
    append(name, value)
  }

  /// Replaces all fields with a name that comes from outside. See ``append(validating:_:)``.
  ///
  ///     var response = HTTPResponse()
  ///     for (name, value) in request.query.pairs {
  ///       try response.headers.set(validating: name, value)
  ///     }
  public mutating func set(
    validating name: String, _ value: String
  ) throws(HTTPHeaderError) {
    var changed = self
    changed.remove(name)
    try changed.append(validating: name, value)
    self = changed
  }

  /// Removes all fields with a name.
  public mutating func remove(_ name: String) {
    if firstIndex(of: name) == nil { return }
    let kept = fields.indices.filter { !isNamed(name, at: $0) }.map { fields[$0] }
    fields = kept
    if kept.isEmpty { text = [] }
  }

  /// Sets a field if there is none with the name.
  public mutating func setDefault(_ name: String, _ value: @autoclosure () -> String) {
    if !contains(name) { append(name, value()) }
  }

  // MARK: - Writing

  /// Appends the fields as they are sent.
  func write(into output: inout [UInt8]) {
    for field in fields {
      output.append(contentsOf: text[field.name])
      output.append(UInt8(ascii: ":"))
      output.append(UInt8(ascii: " "))
      output.append(contentsOf: text[field.value])
      output.append(UInt8(ascii: "\r"))
      output.append(UInt8(ascii: "\n"))
    }
  }
}

extension HTTPHeaders: Sequence {
  /// The names and values, in their order.
  public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
    fields.lazy.map { field in
      (
        name: String(decoding: text[field.name], as: UTF8.self),
        value: String(decoding: text[field.value], as: UTF8.self)
      )
    }.makeIterator()
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates headers with some fields. A name may occur several times.
  public init(dictionaryLiteral fields: (String, String)...) {
    self.init()
    for (name, value) in fields { append(name, value) }
  }
}

extension HTTPHeaders: Equatable {
  /// True if both have the same fields in the same order. Names are compared without regard to case.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy {
      $0.name.lowercased() == $1.name.lowercased() && $0.value == $1.value
    }
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// The fields as they are sent, one a line.
  public var description: String {
    map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

extension String {
  /// The comma-separated elements of a field value. See ``HTTPHeaders/elements(of:)``.
  var listElements: [String] { elements(separatedBy: UInt8(ascii: ",")) }

  /// The elements between separators that are not in a quoted string, without spaces around them
  /// and without empty ones.
  func elements(separatedBy separator: UInt8) -> [String] {
    var elements: [String] = []
    var element: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    func finish() {
      let spaces: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      let trimmed = element.drop { spaces.contains($0) }
      let end = trimmed.lastIndex { !spaces.contains($0) }
      if let end { elements.append(String(decoding: trimmed[...end], as: UTF8.self)) }
      element = []
    }
    for byte in utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted && byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == separator && !isQuoted {
        finish()
        continue
      }
      element.append(byte)
    }
    finish()
    return elements
  }
}
