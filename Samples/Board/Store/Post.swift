/// A text on the board.
struct Post: Sendable, Equatable {
  /// The number of the post, from 1. Numbers grow, and none is used twice.
  let id: Int
  /// The seconds since 1970.
  let time: Int
  let topic: String
  let text: String
  /// The origin, if another board has published the post.
  var origin: Origin?

  /// The largest number of bytes of a text.
  static let longestText = 1 << 16
  /// The largest number of bytes of a record: each byte of the text may be escaped.
  static let longestRecord = 2 * longestText + 512
  /// The smallest number of bytes of a record: a checksum, two digits, two letters, and what separates them.
  static let shortestRecord = 17
  /// The largest number of a post in a file. Larger ones are damage, so later numbers cannot overflow.
  static let largestID = 1 << 60

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
/// A line that a crash has cut has another checksum. The topic of a post of another board is followed by its origin:
/// `kitchen@3f09ac51:7`.
extension Post {
  /// The line, with its line feed.
  var record: [UInt8] {
    let place = origin.map { "\(topic)@\($0.board):\($0.id)" } ?? topic
    let fields = Array("\(id) \(time) \(place) \(escapedText)".utf8)
    let checksum = fields.withUnsafeBytes { Checksum.of($0) }
    return Self.hexadecimal(checksum) + [UInt8(ascii: " ")] + fields + [0x0A]
  }

  /// Reads a line without its line feed. Returns nil if it is damaged.
  init?(record line: ArraySlice<UInt8>) {
    let post = line.withUnsafeBytes { bytes in
      RecordParts(bytes).flatMap { Post($0, of: bytes) }
    }
    guard let post else { return nil }
    self = post
  }

  /// Makes the post of a line from its parts. Returns nil if it is not UTF-8.
  init?(_ parts: RecordParts, of line: UnsafeRawBufferPointer) {
    guard let (topic, origin) = Self.place(line[parts.topic]),
      let text = String(validating: line[parts.text], as: UTF8.self)
    else { return nil }
    // Most texts have no escapes.
    let isEscaped = line[parts.text].contains(UInt8(ascii: "\\"))
    self.init(
      id: parts.id, time: parts.time, topic: topic, text: isEscaped ? Self.unescaped(text) : text,
      origin: origin)
  }

  /// Reads the topic of a line, and the origin of a post of another board. Returns nil if it is damaged.
  static func place(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> (topic: String, origin: Origin?)? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    guard bytes.contains(UInt8(ascii: "@")) else { return (text, nil) }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let words = parts[parts.count - 1].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, words.count == 2, let id = Int(words[1]) else { return nil }
    return (String(parts[0]), Origin(board: String(words[0]), id: id))
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

  static func hexadecimal(_ number: UInt32) -> [UInt8] {
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

/// The parts of a line of the file. Finding them copies nothing, because millions are read at the start.
struct RecordParts {
  let id: Int
  let time: Int
  let topic: Range<Int>
  let text: Range<Int>

  /// Finds the parts of a line without its line feed. Returns nil if it is damaged.
  init?(_ line: UnsafeRawBufferPointer) {
    // Safety: the buffer is used only during this call.
    guard line.count > 9, line[8] == UInt8(ascii: " "),
      let checksum = Self.hexadecimal(line),
      checksum == Checksum.of(UnsafeRawBufferPointer(rebasing: line[9...]))
    else { return nil }
    var place = 9
    guard let id = Self.number(line, &place), id <= Post.largestID,
      let time = Self.number(line, &place)
    else { return nil }
    var topicEnd = place
    while topicEnd < line.count, line[topicEnd] != UInt8(ascii: " ") { topicEnd += 1 }
    guard topicEnd < line.count else { return nil }
    self.id = id
    self.time = time
    topic = place..<topicEnd
    text = (topicEnd + 1)..<line.count
  }

  /// Reads the eight hexadecimal digits at the beginning, with lower-case letters.
  private static func hexadecimal(_ line: UnsafeRawBufferPointer) -> UInt32? {
    var value: UInt32 = 0
    for place in 0..<8 {
      let digit = line[place]
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(digit - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(digit - 0x57)
      default: return nil
      }
    }
    return value
  }

  /// Reads a number, and goes to the place after the space behind it.
  private static func number(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> Int? {
    let start = place
    var value = 0
    while place < line.count, line[place] != UInt8(ascii: " ") {
      let digit = Int(line[place]) - 0x30
      // 19 digits fit into an `Int` if the value is at most the largest number of a post.
      guard (0...9).contains(digit), place - start < 19, value <= Post.largestID / 10 else {
        return nil
      }
      value = value * 10 + digit
      place += 1
    }
    guard place > start, place < line.count else { return nil }
    place += 1
    return value
  }
}

/// The checksum CRC-32, as in gzip.
enum Checksum {
  /// Eight tables, so that eight bytes are used at once: table `n` is for a byte with `n` bytes behind it.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
    for place in 256..<tables.count {
      let before = tables[place - 256]
      tables[place] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var value = ~UInt32(0)
      var index = 0
      while index + 8 <= bytes.count {
        // Safety: eight bytes from the index on are in the buffer.
        var word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
        word ^= UInt64(value)
        value = 0
        for table in (0..<8).reversed() {
          value ^= tables[table << 8 | Int(word & 0xFF)]
          word >>= 8
        }
        index += 8
      }
      while index < bytes.count {
        value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
      return ~value
    }
  }
}
