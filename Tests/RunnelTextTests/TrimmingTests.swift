import RunnelText
import Testing

@Suite struct TrimmingTests {
  @Test(arguments: [
    ("", ""), (" ", ""), ("a", "a"), (" a b\t\r\n", "a b"), ("\u{3000}x\u{2028}", "x"),
    ("\n\n", ""),
  ])
  func trimmedTextHasNoWhitespaceAtItsEnds(_ text: String, _ expected: String) {
    #expect(text.trimmed == expected)
    #expect("<\(text)>".dropFirst().dropLast().trimmed == expected)
  }

  @Test(arguments: [
    ("", ""), ("one", "one"), ("one two", "one two"), ("one two three", "one two"),
    ("one twoo", "one"),
    ("abcdefghij", "abcdefg"), ("éé 👩‍👩‍👧‍👦👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 x", "éé 👩‍👩‍👧‍👦👩‍👩‍👧‍👦 👩‍👩‍👧‍👦"), ("one \n    two", "one"),
    ("  abcdefghij", "abcdefg"), ("\n one two", "one two"),
  ])
  func firstWordsAreWhole(_ text: String, _ words: String) {
    #expect(text.firstWords(upTo: 7) == words)
  }
}
