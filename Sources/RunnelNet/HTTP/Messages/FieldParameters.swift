/// The parameters after the value of a header field, such as `; charset=utf-8; name="a"`.
struct FieldParameters {
  /// The names, in small letters, and the values.
  private(set) var pairs: [(name: String, value: String)] = []

  /// The meaning of a backslash in a quoted string.
  enum Escapes {
    /// It escapes any character, as RFC 9110 says.
    case all
    /// It escapes a quotation mark or a backslash, and is literal before other characters: some
    /// programs send the path of a file as its name.
    case few
  }

  /// The most parameters of a value.
  private static let most = 16

  /// Parses the parameters. Returns nil if they are invalid, if a name occurs twice, or if there are
  /// more than 16.
  init?(_ text: Substring.UTF8View, escapes: Escapes) {
    var rest = text
    while true {
      rest.dropSpaces()
      guard let separator = rest.popFirst() else { return }
      guard separator == UInt8(ascii: ";") else { return nil }
      rest.dropSpaces()
      // An empty parameter is allowed.
      guard let first = rest.first, first != UInt8(ascii: ";") else { continue }
      guard let name = rest.popToken()?.lowercased(), rest.popFirst() == UInt8(ascii: "="),
        let value = rest.first == UInt8(ascii: "\"")
          ? rest.popQuoted(escapes) : rest.popToken(), self[name] == nil
      else { return nil }
      guard pairs.count < Self.most else { return nil }
      pairs.append((name, value))
    }
  }

  /// The value of a name in small letters.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}

extension Substring.UTF8View {
  /// Removes spaces and tabs from the front.
  mutating func dropSpaces() {
    self = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Removes a token from the front. Returns nil if there is none.
  mutating func popToken() -> String? {
    let token = prefix { $0.isTokenCharacter }
    if token.isEmpty { return nil }
    self = self[token.endIndex...]
    return String(Substring(token))
  }

  /// Removes a quoted string from the front, and returns its contents. Returns nil if it does not
  /// end.
  mutating func popQuoted(_ escapes: FieldParameters.Escapes) -> String? {
    var bytes: [UInt8] = []
    var rest = dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        self = rest
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let next = rest.first else { return nil }
        if escapes == .all || next == UInt8(ascii: "\"") || next == byte {
          bytes.append(next)
          rest = rest.dropFirst()
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
    return nil
  }
}

extension String {
  /// The text as a quoted string of RFC 9110.
  var quoted: String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
