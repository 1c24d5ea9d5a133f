import RunnelDesk
import RunnelTesting
import Testing

@Suite struct MarkdownHighlightsTests {
  @Test(arguments: [
    ("# Title", ["# Title"]), ("####### no", []), ("#no", []), ("- a *b* c", ["- ", "*b*"]),
    ("12) _i_ and **b** `c`", ["12) ", "_i_", "**b**", "`c`"]),
    ("a * b * c", []), ("a_b_c", []), ("[here](http://b)", ["[here](http://b)", "http://b"]),
    ("see https://a.example/x, or", ["https://a.example/x"]),
    ("[no](file:///etc)", []), ("世界 `é`", ["`é`"]), ("", []),
  ])
  func partsOfLineAreFound(_ line: String, _ expected: [String]) {
    let found = TextHighlight.markdown(in: line).map { String(line[$0.range]) }
    #expect(Set(found) == Set(expected))
  }

  /// Compares the parts with those that the plain patterns find in random lines.
  @Test func partsAreThoseOfThePatterns() {
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "#", "##", " ", "|", "-", "*", "**", "_", "__", "`", "1.", "2)", "a", "é", "\u{301}", "[",
      "]",
      "(http://b)", "https://x.y", "[ ]", "世",
    ]
    for _ in 0..<3_000 {
      let line = (0..<7).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      #expect(
        TextHighlight.markdown(in: line).map(\.range) == Self.plainRanges(in: line),
        "seed \(seed): \(line)")
    }
  }

  private static func plainRanges(in line: String) -> [Range<String.Index>] {
    let strong = line.ranges(of: #/\*\*[^*]+\*\*|__[^_]+__/#)
    let emphasis = line.ranges(
      of: #/\B\*[^*\s][^*]*\*\B|\b_[^_\s][^_]*_\b/#.wordBoundaryKind(.simple))
    return line.ranges(of: #/^\ *\|.*/#) + line.ranges(of: #/^#{1,6} .*/#.wordBoundaryKind(.simple))
      + line.ranges(of: #/^\s*([-*+]|\d+[.)]) /#.wordBoundaryKind(.simple))
      + emphasis.filter { part in
        !strong.contains { $0.lowerBound <= part.lowerBound && part.upperBound <= $0.upperBound }
      } + strong + line.ranges(of: #/`[^`]+`/#)
      + line.ranges(of: #/https?://[^\s>)\]]*[^\s>)\].,;:!?]/#)
      + line.ranges(of: #/\[[^\]]+\]\(https?://[^)\s]+\)/#)
  }

  @Test(
    arguments: [
      ("# A", [.heading(level: 1)]), ("### A `b`", [.heading(level: 3), .monospaced]),
      ("a `b`", [.monospaced]), ("| a | *b* |", [.monospaced, .plain]), ("  |", [.monospaced]),
      ("a | b", []), ("**a**", [.plain]),
    ] as [(String, [TextHighlight.Letters])])
  func lettersFollowTheMeaning(_ line: String, _ expected: [TextHighlight.Letters]) {
    #expect(TextHighlight.markdown(in: line).map(\.letters) == expected)
  }

  @Test func longLineHasNoParts() {
    let line = "# " + String(repeating: "a", count: 1_998)
    #expect(TextHighlight.markdown(in: line).count == 1)
    #expect(TextHighlight.markdown(in: line + "a").isEmpty)
  }
}
