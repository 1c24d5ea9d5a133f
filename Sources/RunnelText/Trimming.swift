extension StringProtocol {
  /// The text without whitespace and line breaks at its ends.
  ///
  ///     print("[\(" two bottles\n".trimmed)]")  // [two bottles]
  public var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[first...(lastIndex { !$0.isWhitespace } ?? first)])
  }

  /// Returns the words at the start of the text that fit into a length in characters. The first word is
  /// cut if it is longer.
  ///
  ///     print("two bottles of milk".firstWords(upTo: 15))  // two bottles of
  public func firstWords(upTo length: Int) -> String {
    let text = drop(while: \.isWhitespace)
    let start = text.prefix(length)
    if start.endIndex == endIndex || self[start.endIndex].isWhitespace { return start.trimmed }
    return start[..<(start.lastIndex(where: \.isWhitespace) ?? start.endIndex)].trimmed
  }
}
