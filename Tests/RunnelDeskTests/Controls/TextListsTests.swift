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
    let lines = text.prefix { $0 != "|" }.split(separator: "\n", omittingEmptySubsequences: false)
    let caret = TextPosition(line: lines.count - 1, offset: lines.last?.utf8.count ?? 0)
    view.selection = TextSelection(caret: caret)
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
    // Items of a list are nested below the text of the item before them.
    ("1. a\n2. b|", "tab", "1. a\n   1. b|"),
    ("1. a\n   1. b\n2. c|", "tab", "1. a\n   1. b\n   2. c|"),
    ("1. a\n   1. b\n   2. c|", "backtab", "1. a\n   1. b\n2. c|"),
    ("9) a\n  - b\n  - |", "enter", "9) a\n  - b\n10) |"), ("- a\n  - |", "enter", "- a\n- |"),
    ("- [ ] a\n  - [ ] |", "enter", "- [ ] a\n- [ ] |"), ("  - |", "enter", "- |"),
    ("1. a\n\ntext\n\n2. b|", "tab", "1. a\n\ntext\n\n  2. b|"),
    ("1. a\n   text\n\n2. b|", "tab", "1. a\n   text\n\n   1. b|"),
    ("- a\n3. b|", "tab", "- a\n  1. b|"), ("\t- a\n\t- b|", "backtab", "\t- a\n- b|"),
    ("- |", "backspace", "|"), ("1. a\n   1. |", "backspace", "1. a\n2. |"),
    ("- [ ] |", "backspace", "|"),
    ("- a|", "backspace", "- |"), ("  |", "backspace", " |"), ("- |a", "backspace", "|a"),
    ("- a\n  - [x] |é", "backspace", "- a\n- [x] |é"), ("- a\n|- b", "tab", "- a\n|  - b"),
    ("-| a", "backspace", "| a"),
    // The items below it move along, and the first ones give the indentation.
    ("1. a\n2. b|\n   - c\n\n3. d", "tab", "1. a\n   1. b|\n      - c\n\n2. d"),
    ("1. a\n    1. x\n2. b|", "tab", "1. a\n    1. x\n    2. b|"),
    ("- a\n  - b|\n    - c\n  - d", "backtab", "- a\n- b|\n  - c\n  - d"),
    ("1. a\n   1. b|\n      1. c\n   2. d", "backtab", "1. a\n2. b|\n   1. c\n   2. d"),
    ("- a\n\n\n- b|", "tab", "- a\n\n\n  - b|"),
    // The numbers of the items after it count on.
    ("1. a|\n2. b\n   1. x\n\n3. c\n5. d", "enter", "1. a\n2. |\n3. b\n   1. x\n\n4. c\n5. d"),
    ("1. a|\n1. b", "enter", "1. a\n2. |\n1. b"),
    ("1. a|\nb\n2. c", "enter", "1. a\n2. |\nb\n2. c"),
    ("1. a\n2. b|\n3. c", "tab", "1. a\n   1. b|\n2. c"),
    ("1. a\n   1. b|\n   2. c\n2. d", "backtab", "1. a\n2. b|\n   1. c\n3. d"),
    ("1. a\n   1. |\n2. d", "enter", "1. a\n2. |\n3. d"),
    ("1. a|\n\n\n2. b", "enter", "1. a\n2. |\n\n\n2. b"),
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

/// Boxes of tasks: the text after a change, with "|" at the caret.
@MainActor @Suite struct TextTasksTests {
  private let view = TextView()
  private let desk: Desk

  init() {
    desk = Desk(view, width: 30)
    desk.window.makeFirstResponder(view)
  }

  @Test(arguments: [
    ("- [ ] a|", "- [x] a|"), ("|- [x] a", "|- [ ] a"), ("  2) [X] |", "  2) [ ] |"),
    ("|", "- [ ] |"), ("a|b", "- [ ] a|b"), ("- a|", "- [ ] a|"), ("-| a", "-| [ ] a"),
  ])
  func toggling(_ text: String, _ expected: String) {
    view.text = text.replacing("|", with: "")
    let offset = text.prefix { $0 != "|" }.utf8.count
    view.selection = TextSelection(caret: TextPosition(line: 0, offset: offset))
    #expect(view.toggleTasks())
    var shown = view.document
    shown.replace(view.selection.range, with: "|")
    #expect(shown.text == expected)
    desk.press("ctrl+z")
    #expect(view.text == text.replacing("|", with: ""))
  }

  @Test(arguments: [
    ("- [ ] a\nb\n- [x] c", "- [x] a\nb\n- [x] c"), ("- [x] a\n\n* [X] b", "- [ ] a\n\n* [ ] b"),
    ("a\n\n- b", "- [ ] a\n\n- [ ] b"),
  ])
  func togglingSelectedLines(_ text: String, _ expected: String) {
    view.text = text
    desk.press("ctrl+a")
    #expect(view.toggleTasks() && view.text == expected)
    // The same lines are selected.
    #expect(view.selection.range.upperBound == view.document.end)
    desk.press("ctrl+z")
    #expect(view.text == text)
  }

  @Test func selectionUpToALineLeavesIt() {
    view.text = "- [ ] a\n- [ ] b"
    view.selection = TextSelection(.start..<TextPosition(line: 1, offset: 0))
    #expect(view.toggleTasks() && view.text == "- [x] a\n- [ ] b")
  }

  @Test func clickOnABoxTogglesIt() {
    view.text = "- [ ] milk [ ]\nx"
    view.rDelegate.answer(\.textView_didPressAt_with) { view, position, _ in
      view.toggleTask(at: position)
    }
    view.selection = TextSelection(caret: view.document.end)
    desk.click(3, 0)
    #expect(view.text == "- [x] milk [ ]\nx" && view.selection.head == view.document.end)
    desk.click(4, 0)
    #expect(view.text == "- [ ] milk [ ]\nx")
    for (x, y) in [(0, 0), (5, 0), (12, 0), (0, 1), (20, 3)] { desk.click(x, y) }
    #expect(view.text == "- [ ] milk [ ]\nx")
    view.isEditable = false
    desk.click(3, 0)
    #expect(view.text == "- [ ] milk [ ]\nx" && !view.toggleTasks())
  }

  @Test func pressesAreReportedWithTheirKeys() {
    var presses: [String] = []
    view.text = "milk"
    view.rDelegate.answer(\.textView_didPressAt_with) { _, position, keys in
      presses.append("\(position) \(keys.contains(.control))")
      return keys.contains(.control)
    }
    desk.click(2, 0)
    desk.backend.send(
      .mouse(MouseEvent(.press(.left), at: Point(x: 1, y: 0), .control)))
    #expect(presses == ["0:2 false", "0:1 true"] && view.selection.head.offset == 2)
  }
}
