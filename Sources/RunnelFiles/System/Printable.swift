extension String {
  /// The text with control characters and line separators replaced by the replacement character, so
  /// that it is safe to print to a terminal.
  ///
  ///     print("Milk\u{1B}[2J.txt".printable)  // Milk�[2J.txt
  public var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      text.unicodeScalars.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
    }
    return text
  }

  /// The text as a string of JSON that is safe to print to a terminal.
  ///
  ///     print("Milk\u{1B}[2J \"fresh\"".quotedAsJSON)  // "Milk\u001b[2J \"fresh\""
  public var quotedAsJSON: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.isUnprintable:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

extension Unicode.Scalar {
  /// True for control characters, line separators and characters that change the text direction.
  package var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
