extension TextDocument {
  /// Returns the position of an index of a line.
  public func position(of index: String.Index, inLine number: Int) -> TextPosition {
    let line = self[line: number]
    return TextPosition(
      line: number, offset: line.utf8.distance(from: line.startIndex, to: index))
  }

  /// Returns the start of the first match after a position, or at it. The search continues at the
  /// beginning of the text. The closure returns the matches in a line.
  ///
  ///     let document = TextDocument("milk\nbread and milk")
  ///     let next = document.match(after: .start) { $0.ranges(of: "milk") }
  ///     print(next ?? .start)  // 1:10
  public func match(
    after position: TextPosition, orAt: Bool = false,
    in matches: (_ line: String) -> [Range<String.Index>]
  ) -> TextPosition? {
    for offset in 0...lineCount {
      let starts = starts(ofLine: (position.line + offset) % lineCount, matches)
      let match = starts.first { offset > 0 || $0 > position || orAt && $0 == position }
      if let match { return match }
    }
    return nil
  }

  /// Returns the start of the last match before a position. The search continues at the end of the
  /// text. The closure returns the matches in a line.
  public func match(
    before position: TextPosition, in matches: (_ line: String) -> [Range<String.Index>]
  ) -> TextPosition? {
    for offset in 0...lineCount {
      let starts = starts(ofLine: (position.line - offset + lineCount) % lineCount, matches)
      if let match = starts.last(where: { offset > 0 || $0 < position }) { return match }
    }
    return nil
  }

  /// Returns the starts of all matches.
  public func matches(
    in matches: (_ line: String) -> [Range<String.Index>]
  ) -> [TextPosition] {
    (0..<lineCount).flatMap { starts(ofLine: $0, matches) }
  }

  private func starts(
    ofLine number: Int, _ matches: (String) -> [Range<String.Index>]
  ) -> [TextPosition] {
    matches(self[line: number]).map { position(of: $0.lowerBound, inLine: number) }
  }
}
