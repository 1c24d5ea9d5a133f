/// The names and values of a query or of a form, in their order.
///
///     show(request.query["text"] ?? "none")
public struct HTTPQuery: Sendable {
  /// The names and values.
  public private(set) var pairs: [(name: String, value: String)] = []

  /// Creates an empty query.
  public init() {}

  /// Parses a query, without its question mark. A plus sign is a space. A part without an equals
  /// sign is a name with an empty value. A percent sign that is not followed by two hexadecimal
  /// digits is kept, as in the URL standard of WHATWG.
  public init(_ text: some StringProtocol) {
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let value = equals == part.endIndex ? part[equals...] : part[equals...].dropFirst()
      pairs.append((Self.decoded(part[..<equals]), Self.decoded(value)))
    }
  }

  private static func decoded(_ text: some Sequence<UInt8>) -> String {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: spaced.percentDecodedLeniently, as: UTF8.self)
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// All values of a name.
  public func values(of name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  /// Adds a name and its value.
  public mutating func append(_ name: String, _ value: String) {
    pairs.append((name, value))
  }
}

extension HTTPQuery: ExpressibleByDictionaryLiteral {
  /// Creates a query with some names and values.
  public init(dictionaryLiteral pairs: (String, String)...) {
    self.pairs = pairs.map { (name: $0.0, value: $0.1) }
  }
}

extension HTTPQuery: CustomStringConvertible {
  /// The query in percent-encoding, without a question mark.
  public var description: String {
    pairs.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
  }
}
