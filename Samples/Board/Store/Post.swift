/// A text on the board.
struct Post: Sendable, Equatable {
  /// The number of the post, from 1. Numbers grow, and none is used twice.
  let id: Int
  /// The seconds since 1970.
  let time: Int
  let topic: String
  let text: String

  /// The largest number of bytes of a text.
  static let longestText = 1 << 16
  /// The largest number of bytes of a record: each byte of the text may be escaped.
  static let longestRecord = 2 * longestText + 512

  /// Returns true for the name of a topic: 1 to 64 letters, digits, "-", "_" and ".". It begins with
  /// neither a point nor a combining character.
  static func isTopic(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, scalars.count <= 64 else { return false }
    let begins = first.properties.isIDStart || first.properties.numericType != nil
    return (begins || isSign(first) && first != ".")
      && scalars.allSatisfy { scalar in
        let properties = scalar.properties
        return isSign(scalar) || properties.isIDContinue && properties.generalCategory != .format
      }
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", "_", ".": true
    default: false
    }
  }

  /// Returns true if a text has control characters, which could change a terminal.
  static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
    }
  }
}

/// A post as a line of the file: its checksum, number, time, topic and text.
///
///     1c2a9b04 7 1764110000 kitchen The oven\nis free.
///
/// A line that a crash has cut has another checksum.
extension Post {
  /// The line, with its line feed.
  var record: [UInt8] {
    let fields = Array("\(id) \(time) \(topic) \(escapedText)".utf8)
    return Self.hexadecimal(Checksum.of(fields)) + [UInt8(ascii: " ")] + fields + [0x0A]
  }

  /// Reads a line without its line feed. Returns nil if it is damaged.
  init?(record line: ArraySlice<UInt8>) {
    let fields = line.dropFirst(9)
    guard Array(line.prefix(9)) == Self.hexadecimal(Checksum.of(fields)) + [UInt8(ascii: " ")],
      let parts = String(validating: fields, as: UTF8.self)?.words(atMost: 4), parts.count == 4,
      let id = Int(parts[0]), let time = Int(parts[1])
    else { return nil }
    self.init(id: id, time: time, topic: parts[2], text: Self.unescaped(parts[3]))
  }

  /// The text in one line.
  var escapedText: String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the text of a line.
  static func unescaped(_ line: some StringProtocol) -> String {
    var text = ""
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if !isEscaped && scalar == "\\" {
        isEscaped = true
      } else {
        text.unicodeScalars.append(isEscaped && scalar == "n" ? "\n" : scalar)
        isEscaped = false
      }
    }
    return text
  }

  private static func hexadecimal(_ number: UInt32) -> [UInt8] {
    let digits = Array(String(number, radix: 16).utf8)
    return Array(repeating: UInt8(ascii: "0"), count: 8 - digits.count) + digits
  }
}

extension String {
  /// Returns the parts between spaces; the last one has the rest. A combining character after a
  /// space begins a part, although the two are one `Character`.
  func words(atMost count: Int) -> [String] {
    utf8.split(separator: 0x20, maxSplits: count - 1, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}

/// The checksum CRC-32, as in gzip.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
