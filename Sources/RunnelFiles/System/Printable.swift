extension String {
  /// The text without what a terminal would obey rather than show, or what begins a new line: each
  /// such character is replaced by the replacement character.
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
}

extension Unicode.Scalar {
  /// True when it is not to be seen but does something, such as turning the direction of what follows.
  package var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
