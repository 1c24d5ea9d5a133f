import Testing

@testable import RunnelTerminal

@Suite struct ScreenSequencesTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{3FFFF}\u{FF}", "8L+/v8O/"),
  ])
  func base64MatchesStandard(_ text: String, _ expected: String) {
    #expect(ScreenSequences.base64(Array(text.utf8)) == expected)
  }

  /// Titles are arbitrary text, and must not contain sequences for the terminal.
  @Test func titleCannotEndItsSequence() {
    let title = "a\u{7}b\u{1B}\\c\u{9C}d\ne"
    #expect(ScreenSequences.title(title) == "\u{1B}]2;ab\\cde\u{1B}\\")
  }

  /// The buffer of the signal handlers has 256 bytes.
  @Test func giveBackFitsBufferOfSignalHandler() {
    #expect(ScreenSequences.giveBack.utf8.count <= 256)
  }
}
