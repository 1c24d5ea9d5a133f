import RunnelDesk
import Testing

@Suite struct TextSelectionTests {
  @Test func rangeLiesBetweenAnchorAndHead() {
    let (first, last) = (TextPosition(line: 1, offset: 4), TextPosition(line: 2, offset: 0))
    for selection in [
      TextSelection(anchor: first, head: last), TextSelection(anchor: last, head: first),
    ] {
      #expect(selection.range == first..<last)
      #expect(!selection.isEmpty)
    }
    #expect(TextSelection(first..<last) == TextSelection(anchor: first, head: last))
    #expect(TextSelection(caret: last) == TextSelection(last..<last))
    #expect(TextSelection(caret: last).isEmpty)
    #expect(TextSelection.start.head == .start)
  }
}
