import RunnelDesk
import RunnelTesting
import Testing

@Suite struct TextDifferenceTests {
  @Test(arguments: [
    ("", "a", "0:0-0:0 a"), ("a", "", "0:0-0:1 "), ("one two", "one 2 two", "0:4-0:4 2 "),
    ("a\nb\nc", "a\nc", "1:0-2:0 "), ("aaa", "aaaa", "0:3-0:3 a"), ("aba", "a", "0:1-0:3 "),
    // Of two bytes, one is equal, at the beginning or at the end.
    ("ä", "ö", "0:0-0:2 ö"), ("ä", "Ĥ", "0:0-0:2 Ĥ"), ("xäy", "xöy", "0:1-0:3 ö"),
  ])
  func findsTheSmallestChange(_ old: String, _ new: String, _ change: String) {
    let found = TextDocument(old).change(to: new)
    let text = found.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.replacement)" }
    #expect(text == change)
  }

  @Test func equalTextsHaveNoChange() {
    for text in ["", "\n", "a\nb", "e\u{301}"] {
      #expect(TextDocument(text).change(to: text) == nil)
    }
    // Canonically equal, with different bytes.
    #expect(TextDocument("é").change(to: "e\u{301}") != nil)
  }

  @Test func applyingTheChangeGivesTheNewText() {
    let seed: UInt64 = 11
    var random = SeededGenerator(seed: seed)
    for step in 0..<2_000 {
      let old = RandomText.text(atMost: 10, using: &random)
      let new = step % 2 == 0 ? RandomText.text(atMost: 10, using: &random) : old + "x" + old
      var document = TextDocument(old)
      if let change = document.change(to: new) {
        document.replace(change.range, with: change.replacement)
      }
      #expect(Array(document.text.utf8) == Array(new.utf8), "seed \(seed), step \(step)")
    }
  }
}
