extension StringProtocol {
  /// The text without whitespace and line breaks at its ends.
  ///
  ///     print("[\(" two bottles\n".trimmed)]")  // [two bottles]
  public var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[first...(lastIndex { !$0.isWhitespace } ?? first)])
  }
}
