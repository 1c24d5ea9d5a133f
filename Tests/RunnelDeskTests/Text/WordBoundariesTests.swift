import RunnelDesk
import RunnelTesting
import Testing

@Suite struct WordBoundariesTests {
  /// Returns the carets after each movement by a word.
  private func stops(_ text: String, _ movement: Movement) -> [String] {
    var state = EditingState(text)
    _ = state.perform(.move(movement == .wordLeft ? .end : .start))
    var stops: [String] = []
    while stops.count < 100 {
      let before = state.selection
      _ = state.perform(.move(movement))
      if state.selection == before { break }
      stops.append("\(state.selection.head)")
    }
    return stops
  }

  @Test(
    arguments: [
      ("", [], []), ("one", ["0:3"], ["0:0"]),
      ("one two_2,  drei!", ["0:3", "0:9", "0:16", "0:17"], ["0:12", "0:4", "0:0"]),
      ("  a ", ["0:3", "0:4"], ["0:2", "0:0"]),
      ("a\n\nb", ["0:1", "1:0", "2:0", "2:1"], ["2:0", "1:0", "0:1", "0:0"]),
      // Letters of all scripts are letters. An ideograph is a word.
      ("größe жж", ["0:7", "0:12"], ["0:8", "0:0"]),
      ("世界a", ["0:3", "0:6", "0:7"], ["0:6", "0:3", "0:0"]),
      ("e\u{301}e\u{301} 👍🏽", ["0:6", "0:15"], ["0:0"]),
    ] as [(String, [String], [String])])
  func wordsEndAtNonLetters(_ text: String, _ right: [String], _ left: [String]) {
    #expect(stops(text, .wordRight) == right)
    #expect(stops(text, .wordLeft) == left)
  }

  @Test(arguments: [
    ("one  two", 0, "one"), ("one  two", 2, "one"), ("one  two", 3, "  "), ("one  two", 4, "  "),
    ("one  two", 5, "two"), ("one  two", 8, "two"), ("", 0, ""), ("世界", 3, "界"), ("世界", 6, "界"),
    ("a.b", 1, "."), ("e\u{301}x", 0, "e\u{301}x"),
  ])
  func wordAtReturnsTheWordAroundAPosition(_ text: String, _ offset: Int, _ word: String) {
    let document = TextDocument(text)
    let place = TextPosition(line: 0, offset: offset)
    #expect(document[document.word(at: place)] == word)
    let wide = document.word(at: place)
    #expect(wide.lowerBound <= place && place <= wide.upperBound)
  }

  /// Searching backwards for the start of each flag would take hours.
  @Test func aLongRowOfFlagsIsFast() {
    var state = EditingState(String(repeating: "🇨🇭", count: 50_000))
    _ = state.perform(.move(.end))
    _ = state.perform(.move(.left))
    #expect(state.selection.head.offset == 8 * 49_999)
    _ = state.perform(.move(.wordLeft))
    #expect(state.selection.head == .start)
    _ = state.perform(.move(.wordRight))
    #expect(state.selection.head == state.document.end)
  }
}
