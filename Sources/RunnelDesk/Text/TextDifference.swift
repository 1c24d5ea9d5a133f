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
  /// *Complexity*: constant for a copy, otherwise linear in the number of lines.
  public func edits(to other: TextDocument) -> [TextEdit] {
    if isIdentical(to: other) { return [] }
    let least = min(lineCount, other.lineCount)
    var start = 0
    while start < least, hasSameLine(start, as: other, start) { start += 1 }
    var same = 0
    while same < least - start,
      hasSameLine(lineCount - 1 - same, as: other, other.lineCount - 1 - same)
    { same += 1 }
    let old = (start..<lineCount - same).map { LineBytes(line: self[line: $0]) }
    let new = (start..<other.lineCount - same).map { LineBytes(line: other[line: $0]) }
    let hunks = LineHunk.hunks(from: old, to: new).map { $0.moved(by: start) }
    return hunks.reversed().flatMap { edits(in: $0, to: other) }
  }

  private func hasSameLine(_ index: Int, as other: TextDocument, _ otherIndex: Int) -> Bool {
    LineBytes(line: self[line: index]) == LineBytes(line: other[line: otherIndex])
  }

  /// Returns the edits of some lines, from the last to the first.
  private func edits(in hunk: LineHunk, to other: TextDocument) -> [TextEdit] {
    if hunk.old.count == hunk.new.count {
      // Probably these are the same lines with small changes.
      return zip(hunk.old, hunk.new).reversed().compactMap { old, new in
        let range = TextPosition(line: old, offset: 0)..<end(ofLine: old)
        return edit(replacing: range, with: other[line: new])
      }
    }
    let lines = hunk.new.map { other[line: $0] }
    let found: TextEdit?
    if hunk.old.upperBound < lineCount {
      let (first, last) = (hunk.old.lowerBound, hunk.old.upperBound)
      found = edit(
        replacing: TextPosition(line: first, offset: 0)..<TextPosition(line: last, offset: 0),
        with: lines.map { $0 + "\n" }.joined())
    } else if hunk.old.lowerBound > 0 {
      found = edit(
        replacing: end(ofLine: hunk.old.lowerBound - 1)..<end,
        with: lines.map { "\n" + $0 }.joined())
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

/// Lines of a text, and the lines of another one that replace them.
private struct LineHunk {
  var old: Range<Int>
  var new: Range<Int>

  func moved(by count: Int) -> LineHunk {
    LineHunk(
      old: old.lowerBound + count..<old.upperBound + count,
      new: new.lowerBound + count..<new.upperBound + count)
  }

  static func hunks<Line: Hashable>(from old: [Line], to new: [Line]) -> [LineHunk] {
    let difference = ListDifference(from: old, to: new)
    var isGone = [Bool](repeating: false, count: old.count)
    var isNew = [Bool](repeating: false, count: new.count)
    for index in difference.deletes { isGone[index] = true }
    for index in difference.inserts { isNew[index] = true }
    for move in difference.moves {
      isGone[move.from] = true
      isNew[move.to] = true
    }
    var hunks: [LineHunk] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let (first, second) = (left, right)
      while left < old.count && isGone[left] { left += 1 }
      while right < new.count && isNew[right] { right += 1 }
      if left > first || right > second {
        hunks.append(LineHunk(old: first..<left, new: second..<right))
      }
      (left, right) = (left + 1, right + 1)
    }
    return hunks
  }
}
