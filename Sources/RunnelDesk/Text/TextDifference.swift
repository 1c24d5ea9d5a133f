import RunnelCollections

extension TextDocument {
  /// Returns the smallest change that turns this text into another one; nil if the texts are equal.
  package func change(to other: String) -> TextChange? {
    let change = TextChange(bounds, other).trimmed(from: text)
    return change.isEmpty ? nil : change
  }

  /// Returns the edits that make another text of this one: a difference by lines, and within lines.
  ///
  ///     let edits = TextDocument("one\ntwo\nthree").edits(to: TextDocument("one\n2\nthree"))
  ///     print(edits.map(\.new))  // ["2"]
  ///
  /// Each edit refers to the text after the edits before it. They go from the end of the text to its
  /// start, so an edit does not move the ranges of the edits after it. Their origin is
  /// ``TextEdit/Origin/outside``.
  ///
  /// *Complexity*: constant if the documents share all lines, otherwise linear in their length.
  public func edits(to other: TextDocument) -> [TextEdit] {
    if isIdentical(to: other) { return [] }
    let same = EqualEnds(lineCount, other.lineCount) {
      LineBytes(line: self[line: $0]) == LineBytes(line: other[line: $1])
    }
    let old = (same.start..<lineCount - same.end).map { LineBytes(line: self[line: $0]) }
    let new = (same.start..<other.lineCount - same.end).map { LineBytes(line: other[line: $0]) }
    let hunks = LineHunk.hunks(from: old, to: new, empty: LineBytes(line: ""))
      .map { $0.moved(by: same.start) }
    return hunks.reversed().flatMap { edits(in: $0, to: other) }
  }

  /// The number of lines of a hunk that are compared one by one. More edits would take longer to show
  /// than the replaced lines.
  private static let maximumEditedLines = 100

  /// Returns the edits of some lines, from the last to the first.
  private func edits(in hunk: LineHunk, to other: TextDocument) -> [TextEdit] {
    let (first, last) = (hunk.old.lowerBound, hunk.old.upperBound)
    if hunk.old.count == hunk.new.count, hunk.new.count <= Self.maximumEditedLines {
      // Probably these are the same lines with small changes.
      return zip(hunk.old, hunk.new).reversed().compactMap { old, new in
        let range = TextPosition(line: old, offset: 0)..<end(ofLine: old)
        return edit(replacing: range, with: other[line: new])
      }
    }
    let lines = hunk.new.map { other[line: $0] }
    let found: TextEdit?
    if first > 0 && (hunk.old.isEmpty || last == lineCount) {
      // Lines are inserted at the end of the line before, so that a caret at the start of the line
      // after them stays with its line.
      let end = hunk.old.isEmpty ? end(ofLine: first - 1) : end
      found = edit(
        replacing: self.end(ofLine: first - 1)..<end, with: lines.map { "\n" + $0 }.joined())
    } else if last < lineCount {
      found = edit(
        replacing: TextPosition(line: first, offset: 0)..<TextPosition(line: last, offset: 0),
        with: lines.map { $0 + "\n" }.joined())
    } else {
      found = edit(replacing: bounds, with: lines.joined(separator: "\n"))
    }
    return found.map { [$0] } ?? []
  }

  /// Returns the smallest edit with the effect of a replacement; nil if there is none.
  private func edit(replacing range: Range<TextPosition>, with new: String) -> TextEdit? {
    let change = TextChange(range, new).trimmed(from: self[range])
    if change.isEmpty { return nil }
    return TextEdit(change.range, old: self[change.range], new: change.replacement)
  }
}

extension TextChange {
  /// Returns the change without the text at its start and its end that stays the same. `old` is the
  /// text of the range.
  fileprivate func trimmed(from old: String) -> TextChange {
    let (before, after) = (old.utf8Span.span, replacement.utf8Span.span)
    let limit = min(before.count, after.count)
    var start = 0
    while start < limit && before[start] == after[start] { start += 1 }
    start = old.scalarStart(atOrBefore: start)
    // Bytes of the common prefix are not counted as part of the common suffix.
    var same = 0
    while same < limit - start, before[before.count - same - 1] == after[after.count - same - 1] {
      same += 1
    }
    while same > 0 && after[after.count - same].isWithinScalar { same -= 1 }
    let first = range.lowerBound.advanced(over: old.piece(0..<start))
    let last = first.advanced(over: old.piece(start..<(before.count - same)))
    return TextChange(first..<last, String(replacement.piece(start..<(after.count - same))))
  }
}
