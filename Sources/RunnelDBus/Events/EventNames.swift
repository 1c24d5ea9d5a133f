/// The names on the bus that ``DBusTransport`` uses.
enum EventNames {
  /// The interface of the signals and calls.
  static let interface = "org.runnel.EventBus"
  /// The object that sends the signals and answers the calls.
  static let path: ObjectPath = "/org/runnel/EventBus"
  /// The beginning of the names by which programs show that they are online.
  static let peers = interface + ".Peers"
  /// The name of the error with which a program answers a request that it does not know.
  static let nobodyAnswers = interface + ".Error.NobodyAnswers"
  /// The name of the error of an answer.
  static let failed = interface + ".Error.Failed"
  /// The number of bytes of a name on the bus.
  private static let longest = 255

  /// The name by which a program shows that it is online; nil if it would be too long.
  static func peer(_ program: String) -> String? { short(peers + "." + escaped(program)) }

  /// The program with a name on the bus; nil if the name is none of a program.
  static func program(ofPeer name: String) -> String? {
    guard name.hasPrefix(peers + ".") else { return nil }
    return unescaped(name.dropFirst(peers.count + 1))
  }

  /// The name that a program has while it answers the requests on a topic; nil if it would be too long.
  static func answerer(on topic: String) -> String? {
    let levels = topic.split(separator: ".", omittingEmptySubsequences: false)
    return short(([interface, "Answers"] + levels.map { escaped($0) }).joined(separator: "."))
  }

  private static func short(_ name: String) -> String? {
    name.utf8.count <= longest ? name : nil
  }

  /// True if a text can be an element of a name as it is.
  static func isPlain(_ text: Substring) -> Bool {
    !text.isEmpty && escaped(text).utf8.elementsEqual(text.utf8)
  }

  /// Writes a text as an element of a name. Each byte but letters, hyphens, and digits after the first
  /// character is written as `_` and two hexadecimal digits.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !result.isEmpty:
        result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
      }
    }
    return result
  }

  private static func unescaped(_ element: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = element.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "_") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let byte = UInt8(Substring(digits), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
