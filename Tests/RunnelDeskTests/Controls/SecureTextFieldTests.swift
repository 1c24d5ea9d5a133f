import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct SecureTextFieldTests {
  private let field = TextField(placeholder: "Password", isSecure: true)
  private let desk: Desk

  init() {
    desk = Desk(focusing: field, width: 9, height: 1)
  }

  @Test(arguments: [
    ("milk", "••••", 4), ("世界", "••", 2), ("a\u{301}e\u{301}", "••", 2), ("a\tb", "•••", 3),
    ("👩‍👩‍👧", "•", 1), ("", "Password", 0),
  ])
  func showsADotForEachCharacter(text: String, shown: String, column: Int) {
    desk.backend.send(.paste(text))
    #expect(desk.text == shown)
    #expect(desk.cursor == Point(x: column, y: 0))
    #expect(field.text == text)
  }

  @Test func editsWhereTheCaretIsAmongTheDots() {
    desk.backend.type("a世e\u{301}d")
    desk.press("left", "left", "backspace")
    #expect(field.text == "ae\u{301}d")
    desk.click(2, 0)
    desk.backend.type("x")
    #expect(field.text == "ae\u{301}xd")
    #expect(desk.text == "••••" && desk.cursor?.x == 3)
    desk.press("ctrl+z", "ctrl+z")
    desk.press("ctrl+a")
    #expect(desk.style(x: 0, y: 0) == Theme.standard.selection)
    desk.backend.type("0123456789abc")
    #expect(desk.text == "••••••••" && desk.cursor?.x == 8)
    desk.press("home")
    #expect(desk.text == "•••••••••" && desk.cursor?.x == 0)
  }

  @Test func isNeitherCopiedNorCompletedNorHighlighted() {
    field.rDelegate.answer(\.textField_completionFor) { _, _ in "secret" }
    field.highlights = { [TextHighlight($0.startIndex..<$0.endIndex)] }
    desk.backend.type("sec")
    #expect(field.completion == nil && desk.text == "•••")
    #expect(desk.style(x: 0, y: 0) == Theme.standard.field)
    desk.press("ctrl+a", "ctrl+c", "ctrl+x", "ctrl+space")
    #expect(desk.backend.clipboard == "" && field.text == "sec")
    desk.backend.clipboard = "new"
    desk.press("ctrl+v")
    #expect(field.text == "new")
  }

  /// The ends of words would tell something about the text.
  @Test func wordsAreNotRevealed() {
    field.text = "one two"
    desk.press("end", "ctrl+left")
    #expect(field.selection == TextSelection(0, 0))
    desk.press("ctrl+shift+right")
    #expect(field.selection == TextSelection(0, 7))
    desk.press("end")
    desk.click(1, 0, times: 2)
    #expect(field.selection == TextSelection(0, 7))
    desk.press("end", "ctrl+backspace")
    #expect(field.text == "")
  }

  @Test func canBeShownAndHiddenAgain() {
    let isHidden = Property(true)
    isHidden.bind(to: field.rx.isSecure)
    desk.backend.type("a世")
    isHidden.value = false
    #expect(desk.text == "a世" && desk.cursor?.x == 3)
    isHidden.value = true
    #expect(desk.text == "••" && desk.cursor?.x == 2)
  }

  @Test func hidingTheTextForgetsItsCompletion() {
    field.isSecure = false
    field.rDelegate.answer(\.textField_completionFor) { _, _ in "secret" }
    desk.backend.type("se")
    #expect(desk.text == "secret")
    field.isSecure = true
    #expect(!field.acceptCompletion() && field.text == "se")
  }

  @Test(arguments: [2, 3, 5, 6, 8]) func manyClicksSelectAll(_ count: Int) {
    desk.backend.type("correct horse")
    desk.click(1, 0, times: count)
    #expect(field.selection == TextSelection(field.document.bounds))
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 3), (0, 5), (5, 0)])
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.backend.type("世界x")
    desk.press("left", "shift+home")
    desk.click(0, 0)
    _ = desk.styled
    #expect(field.text == "世界x")
  }
}
