import RunnelTesting
import Testing

@testable import RunnelDesk

@Suite struct TextLayoutTests {
  private func rows(_ text: String, _ width: Int?) -> [String] {
    var layout = TextLayout(width: width)
    return Self.rows(of: TextDocument(text), &layout)
  }

  /// Returns all rows, from first to last.
  static func rows(of document: TextDocument, _ layout: inout TextLayout) -> [String] {
    var row: TextRow? = layout.row(at: .start, of: document)
    var rows: [String] = []
    while let shown = row {
      rows.append(document[shown.start..<shown.end])
      row = layout.row(after: shown, of: document)
    }
    return rows
  }

  @Test(arguments: [
    ("", 5, [""]), ("a\n\nb", 5, ["a", "", "b"]), ("hello", 5, ["hello"]),
    ("hello you", 5, ["hello ", "you"]), ("hello    you", 5, ["hello    ", "you"]),
    ("a bc def", 4, ["a bc ", "def"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("ab cdefgh i", 4, ["ab ", "cdef", "gh i"]), ("  abc", 4, ["  ", "abc"]),
    ("     abc", 4, ["     ", "abc"]), ("re-do it", 4, ["re-", "do ", "it"]),
    ("well-known", 7, ["well-", "known"]), ("a\u{A0}b c", 3, ["a\u{A0}b ", "c"]),
    // A wide character is not split, and a line can break next to it.
    ("世界人", 5, ["世界", "人"]), ("ab世界", 5, ["ab世", "界"]), ("世ab", 3, ["世", "ab"]),
    ("世", 1, ["世"]), ("世a界", 1, ["世", "a", "界"]), ("ab", 0, ["a", "b"]), ("ab", -3, ["a", "b"]),
    // A tab extends to the next tab stop and counts as a space.
    ("\tab", 6, ["\tab"]), ("\tabc", 6, ["\t", "abc"]), ("a\tb", 5, ["a\tb"]),
    ("abc\t\td", 6, ["abc\t\t", "d"]),
    ("e\u{301}e\u{301}e", 2, ["e\u{301}e\u{301}", "e"]), ("a\u{200B}b", 1, ["a\u{200B}", "b"]),
  ])
  func wrapsAfterSpaces(_ text: String, _ width: Int, _ expected: [String]) {
    #expect(rows(text, width) == expected)
  }

  @Test func doesNotWrapWithoutAWidth() {
    #expect(rows("a long line\nand another one", nil) == ["a long line", "and another one"])
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, nil])
  func rowsAreConsistentForRandomTexts(_ width: Int?) {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let document = TextDocument(RandomText.text(atMost: 30, using: &random))
      var layout = TextLayout(width: width)
      expectSound(&layout, document, "seed \(seed)")
    }
  }

  /// Checks that the rows form the text, fit the width, and find their neighbours.
  private func expectSound(_ layout: inout TextLayout, _ document: TextDocument, _ hint: String) {
    let boundaries = Set(SlowText(text: document.text).positions)
    var all: [TextRow] = []
    var next: TextRow? = layout.row(at: .start, of: document)
    while let row = next {
      all.append(row)
      next = layout.row(after: row, of: document)
    }
    var text = ""
    for (number, row) in all.enumerated() {
      let shown = document[row.start..<row.end]
      text += shown + (row.isLast ? "\n" : "")
      #expect(boundaries.contains(row.start), "\(hint)")
      #expect(row.isLast == (row.end == document.end(ofLine: row.line)))
      #expect(row.isLast || !shown.isEmpty)
      #expect(layout.row(at: row.start, of: document) == row)
      let before = layout.row(before: row, of: document)
      #expect(before == (number == 0 ? nil : all[number - 1]), "\(hint)")
    }
    #expect(Array(text.utf8) == Array((document.text + "\n").utf8), "\(hint)")
  }

  /// Rows kept across a change must equal those of a new layout.
  @Test(arguments: seeds(3) as Range<UInt64>)
  func randomChangesKeepRowsCorrect(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var document = TextDocument()
    let width = Int(seed) + 1
    var layout = TextLayout(width: width)
    for step in 0..<400 {
      let text = RandomText.text(atMost: 8, using: &random)
      let range = SlowText(text: document.text).scalarPositions.randomRange(using: &random)
      let isSmall = Bool.random(using: &random)
      let change = TextChange(isSmall ? range.upperBound..<range.upperBound : range, text)
      document.replace(change.range, with: change.replacement)
      layout.update(after: change)
      // In most steps, only some rows are known before the next change.
      if step % 3 == 0 {
        let position = SlowText(text: document.text).positions.randomElement(using: &random)
        _ = layout.row(at: position ?? .start, of: document)
      } else {
        var fresh = TextLayout(width: width)
        let (kept, found) = (Self.rows(of: document, &layout), Self.rows(of: document, &fresh))
        #expect(kept == found, "seed \(seed), step \(step)")
        if kept != found { return }
      }
      if document.utf8Count > 400 {
        let all = TextChange(document.bounds, "")
        document.replace(all.range, with: "")
        layout.update(after: all)
      }
    }
  }

  @Test func findsPositionsByColumn() {
    let document = TextDocument("ab\t世c long\n")
    var layout = TextLayout(width: 8)
    let row = layout.row(at: .start, of: document)
    #expect(document[row.start..<row.end] == "ab\t世c ")
    let offsets = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 99].map {
      layout.position(atColumn: $0, in: row, of: document).offset
    }
    // The position after the space belongs to the next row.
    #expect(offsets == [0, 0, 1, 2, 2, 3, 3, 6, 7, 7, 7])
    let last = layout.row(at: TextPosition(line: 0, offset: 10), of: document)
    #expect(last.index == 1)
    #expect(layout.position(atColumn: 99, in: last, of: document).offset == 12)
    let columns = [0, 2, 3, 6, 7, 8, 10, 12].map {
      layout.column(of: TextPosition(line: 0, offset: $0), in: document)
    }
    #expect(columns == [0, 2, 4, 6, 7, 0, 2, 4])
    #expect(layout.column(of: document.end, in: document) == 0)
  }

  @Test func movesByRows() {
    let document = TextDocument("a b c\nd\ne f")
    var layout = TextLayout(width: 1)
    let first = layout.row(at: .start, of: document)
    let rows = (-2...9).map { layout.row(first, movedBy: $0, of: document) }
    #expect(rows.map(\.line) == [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2])
    #expect(rows.map(\.index) == [0, 0, 0, 1, 2, 0, 0, 1, 1, 1, 1, 1])
    let last = layout.row(at: document.end, of: document)
    #expect(layout.row(last, movedBy: -3, of: document).line == 0)
    #expect(layout.row(last, movedBy: -99, of: document) == first)
  }

  /// A line of ten thousand rows is wrapped only as far as requested.
  @Test func wrapsNoFurtherThanRequested() {
    let line = String(repeating: "word ", count: 200_000)
    var rows = LineRows()
    rows.find(row: 40, of: line, width: 100)
    #expect(rows.starts.count == 41)
    rows.find(offset: 2_000, of: line, width: 100)
    #expect(rows.starts.count == 41)
    rows.find(offset: 5_000, of: line, width: 100)
    #expect(rows.starts.count == 52)
    rows.forget(from: 4_950)
    #expect(rows.starts.count == 48)
    #expect(!rows.isComplete)
  }

  @Test func keepsFewOfManyLines() {
    let document = TextDocument(String(repeating: "a b\n", count: 5_000))
    var layout = TextLayout(width: 1)
    #expect(Self.rows(of: document, &layout).count == 10_001)
    #expect(layout.lines.count < 1_000)
    layout.width = 3
    #expect(layout.lines.count == 0)
    #expect(Self.rows(of: document, &layout).count == 5_001)
  }
}
