import RunnelDesk
import RunnelTesting
import Testing

@Suite struct TextDocumentTests {
  @Test(arguments: [
    ("", [""]), ("\n", ["", ""]), ("a", ["a"]), ("a\n", ["a", ""]),
    ("\na\n\nb", ["", "a", "", "b"]),
    ("a\r\nb\r", ["a\r", "b\r"]), ("\u{FEFF}ä\u{2028}\u{0}", ["\u{FEFF}ä\u{2028}\u{0}"]),
  ])
  func keepsEveryByte(_ text: String, _ lines: [String]) {
    let document = TextDocument(text)
    #expect(Array(document.text.utf8) == Array(text.utf8))
    #expect((0..<document.lineCount).map { document[line: $0] } == lines)
    #expect(document.utf8Count == text.utf8.count)
    #expect(document.isEmpty == text.isEmpty)
    #expect(document.end.line == lines.count - 1)
    #expect(document.end.offset == lines.last?.utf8.count)
    #expect(document[document.bounds].utf8.elementsEqual(text.utf8))
  }

  @Test func aCopyIsIndependent() {
    let document = TextDocument("one\ntwo")
    var copy = document
    copy.replace(copy.bounds, with: "three")
    #expect(document.text == "one\ntwo")
    #expect(copy.text == "three")
    #expect(copy != document)
    copy.replace(copy.bounds, with: "one\ntwo")
    #expect(copy == document)
  }

  /// Applies every change to every range in some texts.
  @Test(arguments: ["", "a", "\n", "ab\nc", "\n\n", "ä\n\ne\u{301}世\nx"])
  func replacesAnyRange(_ text: String) {
    let positions = SlowText(text: text).scalarPositions
    for start in positions {
      for end in positions where start <= end {
        for replacement in ["", "x", "\n", "é\n", "x\ny\nz", "\u{301}"] {
          expectChange(of: TextDocument(text), start..<end, to: replacement)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomChangesAgreeWithAModel(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var document = TextDocument(RandomText.text(atMost: 40, using: &random))
    for step in 0..<400 {
      let range = SlowText(text: document.text).scalarPositions.randomRange(using: &random)
      let replacement = RandomText.text(atMost: 12, using: &random)
      let before = document
      document.replace(range, with: replacement)
      let isRight = expectChange(of: before, range, to: replacement)
      #expect(isRight, "seed \(seed), step \(step)")
      if !isRight { return }
      if document.utf8Count > 300 { document = TextDocument() }
    }
  }

  /// Compares a change with the same change of a single string, and reverts it.
  @discardableResult
  private func expectChange(
    of document: TextDocument, _ range: Range<TextPosition>, to replacement: String
  ) -> Bool {
    var slow = SlowText(text: document.text)
    let removed = Array(slow.text.utf8)[
      slow.offset(range.lowerBound)..<slow.offset(range.upperBound)]
    let isPiece = Array(document[range].utf8) == Array(removed)
    slow.replace(range, with: replacement)
    var changed = document
    let end = changed.replace(range, with: replacement)
    let isChanged = Array(changed.text.utf8) == Array(slow.text.utf8)
    let isCounted = changed.utf8Count == slow.text.utf8.count
    let isAsNew = changed == TextDocument(slow.text)
    changed.replace(range.lowerBound..<end, with: String(decoding: removed, as: UTF8.self))
    let isRestored = changed == document && Array(changed.text.utf8) == Array(document.text.utf8)
    #expect(isPiece && isChanged && isCounted && isAsNew && isRestored)
    return isPiece && isChanged && isCounted && isAsNew && isRestored
  }

  @Test func invalidPositionsCountAsTheNearestBefore() {
    var document = TextDocument("ab\n世\u{301}c\n")
    let places = [
      (-1, 0, 0, 0), (-1, 9, 0, 0), (0, -5, 0, 0), (0, 1, 0, 1), (0, 99, 0, 2), (1, 1, 1, 0),
      (1, 2, 1, 0), (1, 3, 1, 0), (1, 4, 1, 0), (1, 5, 1, 5), (1, 6, 1, 6), (1, .max, 1, 6),
      (2, 0, 2, 0), (3, 0, 2, 0), (.max, .max, 2, 0), (.min, .min, 0, 0),
    ]
    for (line, offset, nearestLine, nearest) in places {
      let position = document.clamped(TextPosition(line: line, offset: offset))
      #expect(position == TextPosition(line: nearestLine, offset: nearest), "\(line):\(offset)")
    }
    let beyond = TextPosition(line: -1, offset: 0)..<TextPosition(line: 1, offset: 2)
    #expect(document[beyond] == "ab\n")
    document.replace(beyond, with: "")
    #expect(document.text == "世\u{301}c\n")
    document.replace(
      TextPosition(line: 7, offset: 7)..<TextPosition(line: 9, offset: 9), with: "end")
    #expect(document.text == "世\u{301}c\nend")
  }

  /// If each change visited all lines, this would take minutes.
  @Test func changesALongTextAnywhere() {
    var random = SeededGenerator(seed: 7)
    let line = "The quick brown fox jumps over the lazy dog. 0123\n"
    var document = TextDocument(String(repeating: line, count: 200_000))
    #expect(document.utf8Count == 10_000_000)
    #expect(document.lineCount == 200_001)
    var added = 0
    for _ in 0..<5_000 {
      let number = Int.random(in: 0..<document.lineCount, using: &random)
      let position = TextPosition(line: number, offset: 0)
      let text = Bool.random(using: &random) ? "x" : "x\n"
      document.replace(position..<position, with: text)
      added += text.utf8.count
      #expect(document[line: number].first == "x")
    }
    #expect(document.utf8Count == 10_000_000 + added)
    #expect(document.text.utf8.count == document.utf8Count)
  }
}
