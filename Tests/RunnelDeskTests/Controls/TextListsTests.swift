import RunnelDesk
import Testing

/// Commands in lists: the text after a key, with "|" at the caret.
@MainActor @Suite struct TextListsTests {
  private let view = TextView()
  private let desk: Desk

  init() {
    desk = Desk(view)
    desk.window.makeFirstResponder(view)
    view.rDelegate.answer(\.textView_doCommand) { [view] _, command in
      view.performInList(command)
    }
  }

  private func show(_ text: String) {
    view.text = text.replacing("|", with: "")
    let offset = text.prefix { $0 != "|" }.utf8.count
    view.selection = TextSelection(caret: TextPosition(line: 0, offset: offset))
  }

  private var shown: String {
    var document = view.document
    document.replace(view.selection.range, with: "|")
    return document.text
  }

  @Test(arguments: [
    ("- a|", "enter", "- a\n- |"), ("- |", "enter", "|"), ("* a|b", "enter", "* a\n* |b"),
    ("99) a|", "enter", "99) a\n100) |"), ("- [X] a|", "enter", "- [X] a\n- [ ] |"),
    ("-a|", "enter", "-a\n|"), ("  a|", "enter", "  a\n  |"), ("|- a", "enter", "\n|- a"),
    ("-| a", "enter", "-\n| a"), ("|", "enter", "\n|"),
    ("9223372036854775807. a|", "enter", "9223372036854775807. a\n9223372036854775807. |"),
    ("- 世界 a|", "tab", "  - 世界 a|"), ("  - a|b", "backtab", "- a|b"), (" - a|", "backtab", "- a|"),
    ("- a|", "backtab", "- a|"), ("a|", "tab", "a\t|"),
  ])
  func keyInList(_ text: String, _ key: String, _ expected: String) {
    show(text)
    desk.backend.press(key)
    #expect(shown == expected)
    desk.backend.press("ctrl+z")
    #expect(view.text == text.replacing("|", with: "") || !view.canUndo)
  }

  @Test func refusedChangeLeavesText() {
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, _ in false }
    for key in ["enter", "tab", "backtab"] {
      show("  - a|")
      desk.backend.press(key)
      #expect(shown == "  - a|")
    }
    view.isEditable = false
    #expect(!view.performInList(.insertNewline))
  }

  @Test func selectionIsNoItem() {
    show("- ab|")
    desk.backend.press("shift+left")
    #expect(!view.performInList(.insertNewline) && !view.performInList(.move(.left)))
  }
}
