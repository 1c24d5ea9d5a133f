import RunnelDesk
import Testing

@testable import Notes

/// Return and Tab in lists: the text after a key, with "|" at the caret.
@MainActor @Suite struct ListsTests {
  @Test(arguments: [
    ("- a|", "enter", "- a\n- |"), ("- |", "enter", "|"), ("* a|b", "enter", "* a\n* |b"),
    ("  + a|", "enter", "  + a\n  + |"), ("99) a|", "enter", "99) a\n100) |"),
    ("- [X] a|", "enter", "- [X] a\n- [ ] |"), ("  - [ ] |", "enter", "- [ ] |"),
    ("-a|", "enter", "-a\n|"), ("  a|", "enter", "  a\n  |"), ("  |", "enter", "|"),
    ("\t- a|", "enter", "\t- a\n\t- |"), ("|- a", "enter", "\n|- a"), ("-| a", "enter", "-\n| a"),
    ("|", "enter", "\n|"),
    ("9223372036854775807. a|", "enter", "9223372036854775807. a\n9223372036854775807. |"),
    ("99999999999999999999. a|", "enter", "99999999999999999999. a\n99999999999999999999. |"),
    ("- 世界 a|", "tab", "  - 世界 a|"), ("  - a|b", "backtab", "- a|b"), (" - a|", "backtab", "- a|"),
    ("- a|", "backtab", "- a|"), ("a|", "tab", "a\t|"), ("  a|", "tab", "  a\t|"),
  ])
  func keyInList(_ text: String, _ key: String, _ expected: String) async throws {
    let app = try await TestApp()
    app.type("", into: "a")
    let editor = app.screen.editor
    app.backend.press("ctrl+a")
    app.backend.send(.paste(text.replacing("|", with: "")))
    let offset = text.prefix { $0 != "|" }.utf8.count
    editor.selection = TextSelection(caret: TextPosition(line: 0, offset: offset))
    app.backend.press(key)
    var document = editor.document
    document.replace(editor.selection.range, with: "|")
    #expect(document.text == expected)
  }
}
