import RunnelDesk
import Testing

@Suite struct MarkdownHighlightsTests {
  @Test(arguments: [
    ("# Title", ["# Title"]), ("####### no", []), ("#no", []), ("- a *b* c", ["- ", "*b*"]),
    ("12) _i_ and **b** `c`", ["12) ", "_i_", "*b*", "**b**", "`c`"]),
    ("a * b * c", []), ("a_b_c", []), ("[here](http://b)", ["[here](http://b)", "http://b"]),
    ("see https://a.example/x, or", ["https://a.example/x"]),
    ("[no](file:///etc)", []), ("世界 `é`", ["`é`"]), ("", []),
  ])
  func partsOfLineAreFound(_ line: String, _ expected: [String]) {
    let found = TextHighlight.markdown(in: line).map { String(line[$0.range]) }
    // A part in two stars on each side also has the style of one star, which the later one covers.
    #expect(Set(found) == Set(expected))
  }

  @Test func longLineHasNoParts() {
    let line = "# " + String(repeating: "a", count: 1_998)
    #expect(TextHighlight.markdown(in: line).count == 1)
    #expect(TextHighlight.markdown(in: line + "a").isEmpty)
  }
}
