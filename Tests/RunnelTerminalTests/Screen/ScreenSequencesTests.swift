import Testing

@testable import RunnelTerminal

@Suite struct ScreenSequencesTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{3FFFF}\u{FF}", "8L+/v8O/"),
  ])
  func base64IsThatOfTheStandard(_ text: String, _ expected: String) {
    #expect(ScreenSequences.base64(Array(text.utf8)) == expected)
  }

  /// A title comes from anywhere, and must not say anything else to the terminal.
  @Test func aTitleCannotEndTheSequence() {
    let title = "a\u{7}b\u{1B}\\c\u{9C}d\ne"
    #expect(ScreenSequences.title(title) == "\u{1B}]2;ab\\cde\u{1B}\\")
  }

  /// The buffer of the signal handlers has room for so much.
  @Test func whatIsTakenBackIsShort() {
    #expect(ScreenSequences.giveBack.utf8.count <= 256)
  }
}
