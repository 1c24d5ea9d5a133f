/// The translation between topics of a bus and topics of MQTT.
///
/// `orders.eu.*` is `orders/eu/+`, and `#` is the same in both. All other characters stay as they are, so
/// names with a character that has a meaning in MQTT have no translation.
enum TopicMapping {
  private static let dot = UInt8(ascii: ".")
  private static let slash = UInt8(ascii: "/")

  /// Returns the reason why a valid topic of a bus has no translation; nil if it has one.
  static func problem(ofTopic topic: String) -> String? { problem(of: topic, topic.utf8[...]) }

  /// Returns the reason why a valid pattern of a bus has no translation; nil if it has one.
  static func problem(ofPattern pattern: String) -> String? {
    let levels = pattern.utf8.split(separator: dot, omittingEmptySubsequences: false)
    let endsOpen = levels.last?.elementsEqual("#".utf8) == true
    return problem(of: pattern, endsOpen ? pattern.utf8.dropLast() : pattern.utf8[...])
  }

  private static func problem(of text: String, _ names: Substring.UTF8View) -> String? {
    if names.first == UInt8(ascii: "$") { return "It begins with $, which brokers reserve." }
    if text.utf8.count > TopicRules.longestText { return "It has more than 65,535 bytes." }
    var isASCII = true
    for byte in names {
      switch byte {
      case 0: return "It contains a character with the code zero."
      case slash, UInt8(ascii: "+"), UInt8(ascii: "#"):
        return "It contains \(Character(Unicode.Scalar(byte))), which has a meaning in MQTT."
      default: isASCII = isASCII && byte < 0x80
      }
    }
    // For a bus, a dot with a combining mark is another character than a dot.
    return isASCII || text.utf8.count { $0 == dot } == text.count { $0 == "." }
      ? nil : "It contains a dot with a combining mark."
  }

  /// Returns the translation of a topic that has one.
  static func topic(_ topic: String) -> String {
    String(decoding: topic.utf8.map { $0 == dot ? slash : $0 }, as: UTF8.self)
  }

  /// Returns the translation of a pattern that has one.
  static func filter(_ pattern: String) -> String {
    pattern.utf8.split(separator: dot, omittingEmptySubsequences: false)
      .map { $0.elementsEqual("*".utf8) ? "+" : String(Substring($0)) }
      .joined(separator: "/")
  }

  /// Returns the topic of a bus whose translation is a topic of MQTT; nil if there is none.
  static func busTopic(_ topic: String) -> String? {
    // The topics of transports themselves have an empty level.
    var last = slash
    for byte in topic.utf8 {
      if byte == dot || byte == slash && last == slash { return nil }
      last = byte
    }
    if last == slash { return nil }
    let text = String(decoding: topic.utf8.map { $0 == slash ? dot : $0 }, as: UTF8.self)
    return problem(ofTopic: text) == nil ? text : nil
  }
}
