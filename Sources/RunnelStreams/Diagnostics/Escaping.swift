extension String {
  /// The text as a string of JSON that is safe to print to a terminal.
  package var asJSON: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.isUnprintable: text += scalar.escapedForJSON
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

extension Unicode.Scalar {
  /// True for control characters, line separators, and embeddings, overrides and isolates of the text
  /// direction.
  package var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The escape of an unprintable character in JSON.
  var escapedForJSON: String { "\\u" + value.padded(to: 4, radix: 16) }
}

extension BinaryInteger {
  /// The digits of the number, with zeros before them up to a width.
  package func padded(to width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
