import RunnelStreams

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
  public var quotedAsJSON: String { asJSON }
}
