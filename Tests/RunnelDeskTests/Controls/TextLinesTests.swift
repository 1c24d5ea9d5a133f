import RunnelDesk
import Testing

/// The lines of a selection. In the texts, "[" is its fixed end and "]" its moving end, and "|" is a caret.
@MainActor @Suite struct TextLinesTests {
  private let view = TextView()
  private let other = TextField()
  private let desk: Desk

  init() {
    desk = Desk(StackView(.vertical, [view, other]), width: 30, height: 8)
    desk.window.makeFirstResponder(view)
  }

  private func show(_ marked: String) {
    let text = marked.filter { !"[]|".contains($0) }
    view.text = text
    func position(of mark: Character) -> TextPosition? {
      marked.firstIndex(of: mark).map { index in
        let before = marked[..<index].filter { !"[]|".contains($0) }
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return TextPosition(line: lines.count - 1, offset: lines.last?.utf8.count ?? 0)
      }
    }
    let head = position(of: "]") ?? position(of: "|") ?? .start
    view.selection = TextSelection(anchor: position(of: "[") ?? head, head: head)
  }

  private var shown: String {
    var document = view.document
    let selection = view.selection
    if selection.isEmpty {
      document.replace(selection.range, with: "|")
      return document.text
    }
    let isForward = selection.anchor < selection.head
    for (position, mark) in [
      (selection.range.upperBound, isForward ? "]" : "["),
      (selection.range.lowerBound, isForward ? "[" : "]"),
    ] { document.replace(position..<position, with: mark) }
    return document.text
  }

  @Test(arguments: [
    ("[a\nb]\nc", "tab", "[  a\n  b]\nc"), ("a[b\n\nc]d", "tab", "  a[b\n\n  c]d"),
    ("]a\nb\n[c", "tab", "]  a\n  b\n[c"), ("[äb]\nc", "tab", "[  äb]\nc"),
    ("  [ab]", "tab", "    [ab]"), ("a[b]c", "tab", "a\t|c"), ("[a]b", "tab", "\t|b"),
    ("a[\n]b", "tab", "  a[\n]b"), ("- [x\n- y]", "tab", "  - [x\n  - y]"),
    ("[  a\n b\n\tc\nd]", "backtab", "[a\nb\nc\nd]"), ("   [a\n]", "backtab", " [a\n]"),
    ("[a\nb]", "backtab", "[a\nb]"), ("[  a]", "backtab", "[a]"),
  ])
  func keysIndentSelectedLines(_ text: String, _ key: String, _ expected: String) {
    show(text)
    desk.press(key)
    #expect(shown == expected && view.isFirstResponder)
    desk.press("ctrl+z")
    #expect(view.text == text.filter { !"[]|".contains($0) })
    // As an editor of Markdown does.
    show(text)
    if view.performInList(key == "tab" ? .insertTab : .insertBacktab) { #expect(shown == expected) }
  }

  @Test func appendedTextLeavesTheSelection() {
    show("[a]b")
    #expect(view.propose(appending: "\nc") && shown == "[a]b\nc")
    desk.press("ctrl+z")
    #expect(view.text == "ab")
    view.isEditable = false
    #expect(!view.propose(appending: "c") && view.text == "ab")
  }

  @Test func indentedLinesStaySelected() {
    show("[a\nb]")
    desk.press("tab", "tab", "tab", "backtab")
    #expect(shown == "[    a\n    b]")
    show("[a]")
    desk.press("tab", "tab")
    #expect(shown == "[    a]")
  }

  @Test func shiftTabWithoutLinesMovesTheFocus() {
    show("  a|")
    desk.press("backtab")
    #expect(other.isFirstResponder && view.text == "  a")
  }

  @Test(arguments: [
    ("a\nb|\nc", "alt+up", "b|\na\nc"), ("a\nb|\nc", "alt+down", "a\nc\nb|"),
    ("a|\nb", "alt+up", "a|\nb"), ("a\nb|", "alt+down", "a\nb|"),
    ("a\n[b\nc]\nd", "alt+up", "[b\nc]\na\nd"), ("a\n]b\nc[\nd", "alt+down", "a\nd\n]b\nc["),
    ("[a\n]b\nc", "alt+down", "b\n[a\n]c"), ("a\n\nb|", "alt+up", "a\nb|\n"),
    ("|", "alt+down", "|"),
  ])
  func keysMoveLines(_ text: String, _ key: String, _ expected: String) {
    show(text)
    desk.press(key)
    #expect(shown == expected)
    desk.press("ctrl+z")
    #expect(view.text == text.filter { !"[]|".contains($0) })
  }

  @Test func textThatCannotBeChangedStays() {
    show("[a\nb]")
    view.isEditable = false
    desk.press("alt+down")
    #expect(view.text == "a\nb")
    view.isEditable = true
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, _ in false }
    desk.press("alt+down", "tab", "backtab")
    #expect(shown == "[a\nb]")
  }

  @Test func keyOfAMenuItemIsNotUsed() {
    let item = MenuItem("Up", key: "alt+up")
    desk.window.menuBar = MenuBar([Menu("Go", [item])])
    show("a\nb|")
    desk.press("alt+up")
    #expect(view.text == "a\nb")
    desk.press("alt+down")
    #expect(view.text == "a\nb")
  }
}
