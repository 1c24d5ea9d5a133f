import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor @Suite struct FindBarTests {
  private let editor = TextView("milk\nMilk and mílk\nbread")
  private let bar: FindBar
  private let desk: Desk

  init() {
    bar = FindBar(for: editor)
    desk = Desk(StackView(.vertical, [editor, bar]), width: 50, height: 6)
    desk.window.makeFirstResponder(editor)
  }

  private var caret: TextPosition { editor.selection.head }

  @Test func keysMoveToHits() {
    #expect(desk.lines[5] == "" && bar.sought.isEmpty)
    bar.open()
    desk.backend.type("milk")
    #expect(desk.lines[5].hasPrefix("Find milk"))
    #expect(desk.lines[5].hasSuffix("1 of 3 [ ↑ ][ ↓ ][ ✕ ]"))
    desk.press("enter")
    #expect(caret == TextPosition(line: 1, offset: 0) && bar.place == "2 of 3")
    desk.press("down")
    #expect(caret == TextPosition(line: 1, offset: 9))
    desk.press("shift+enter")
    #expect(caret == TextPosition(line: 1, offset: 0) && bar.place == "2 of 3")
    desk.press("down")
    desk.press("down")
    #expect(caret == .start)
    desk.press("up")
    #expect(caret == TextPosition(line: 1, offset: 9))
    desk.backend.type("s")
    #expect(bar.place == "no hit" && !bar.go(.next))
    desk.press("ctrl+u")
    #expect(bar.place == "")
    desk.press("escape")
    #expect(bar.isHidden && editor.isFirstResponder && !bar.close())
  }

  @Test func hitsAreMarked() {
    bar.open()
    desk.backend.type("milk")
    let (plain, here, other) = (
      desk.style(x: 6, y: 1), desk.style(x: 0, y: 0), desk.style(x: 0, y: 1)
    )
    #expect(here != plain && other != plain && here != other)
    desk.press("escape")
    #expect(desk.style(x: 0, y: 1) == plain)
    #expect(editor.document[editor.selection.range] == "milk")
  }

  @Test func returnReplacesTheHitAtTheCaret() {
    bar.open(replacing: true)
    desk.backend.type("milk")
    desk.press("tab")
    desk.backend.type("oat milk")
    desk.press("enter")
    #expect(editor.text == "oat milk\nMilk and mílk\nbread")
    #expect(caret == TextPosition(line: 1, offset: 0) && bar.place == "2 of 3")
    // Without a hit at the caret, it moves to one.
    editor.selection = TextSelection(caret: TextPosition(line: 2, offset: 0))
    desk.press("enter")
    #expect(editor.text.hasPrefix("oat milk\nMilk") && caret == TextPosition(line: 0, offset: 4))
  }

  @Test func allHitsAreReplacedAsOneEdit() {
    let edits = editor.rx.edits.record()
    bar.open(replacing: true)
    desk.backend.type("milk")
    bar.replacement.text = "tea"
    #expect(bar.replaceAll() == 3 && bar.place == "3 replaced")
    #expect(editor.text == "tea\ntea and tea\nbread" && edits.elements.count == 1)
    #expect(editor.perform(.undo))
    #expect(editor.text == "milk\nMilk and mílk\nbread" && !editor.canUndo)
    bar.field.text = "coffee"
    #expect(bar.replaceAll() == 0 && bar.place == "no hit" && !bar.replace())
  }

  @Test func buttonsReplace() {
    bar.open(replacing: true)
    desk.backend.type("milk")
    desk.press("tab", "tab", "space")
    #expect(editor.text == "\nMilk and mílk\nbread")
    desk.press("tab", "enter")
    #expect(editor.text == "\n and \nbread")
    desk.press("escape")
    #expect(bar.isHidden && editor.isFirstResponder)
  }

  @Test func mouseHasButtonsForHits() {
    bar.open()
    desk.backend.type("milk")
    desk.click(42, 5)
    #expect(caret == TextPosition(line: 1, offset: 0) && bar.place == "2 of 3")
    desk.click(37, 5)
    #expect(caret == .start && bar.place == "1 of 3")
    desk.click(47, 5)
    #expect(bar.isHidden && editor.isFirstResponder)
  }

  @Test func tabSkipsTheButtonsOfTheMouse() {
    bar.open(replacing: true)
    bar.replacement.text = "tea"
    desk.press("tab")
    #expect(bar.replacement.isFirstResponder && !bar.replacement.selection.isEmpty)
    desk.press("backtab")
    #expect(bar.field.isFirstResponder)
  }

  @Test("Ctrl+Z in the bar undoes a replacement", arguments: [false, true])
  func replacementIsUndoneInTheBar(_ isInField: Bool) {
    let text = editor.text
    bar.open(replacing: true)
    desk.backend.type("milk")
    desk.press("tab")
    desk.backend.type("tea")
    if isInField { bar.replaceAll() } else { desk.press("tab", "tab", "enter") }
    #expect(editor.text == "tea\ntea and tea\nbread")
    desk.press("ctrl+z")
    #expect(editor.text == text && bar.replacement.text == "tea" && !editor.isFirstResponder)
    #expect(bar.place == "1 of 3")
    desk.press("ctrl+z")
    #expect(editor.text == text && bar.replacement.text == "tea")
    desk.press("ctrl+y")
    #expect(editor.text == "tea\ntea and tea\nbread" && bar.place == "no hit")
    // The next change in a field is undone there.
    window?.makeFirstResponder(bar.replacement)
    desk.backend.type("s")
    desk.press("ctrl+z")
    #expect(bar.replacement.text != "teas" && editor.text == "tea\ntea and tea\nbread")
  }

  private var window: Window? { editor.window }

  @Test func selectedTextIsSought() {
    editor.selection = TextSelection(
      anchor: TextPosition(line: 1, offset: 4), head: TextPosition(line: 1, offset: 0))
    bar.open()
    #expect(bar.sought == "Milk" && bar.place == "2 of 3" && caret.line == 1)
    desk.backend.type("bread")
    // In the bar, the key selects the text again.
    bar.open()
    #expect(bar.sought == "bread")
    bar.close()
    editor.selection = TextSelection(editor.document.bounds)
    bar.open()
    #expect(bar.sought == "bread")
  }

  @Test("The bar fits", arguments: [20, 36, 40, 58, 80])
  func widths(_ width: Int) {
    bar.open(replacing: true)
    desk.backend.type("milk")
    desk.backend.send(.resize(Size(width: width, height: 6)))
    let (find, replace) = (desk.lines[4], desk.lines[5])
    #expect(find.contains("1 of 3") && bar.field.frame.width >= 5)
    #expect(find.hasSuffix(width < 36 ? "1 of 3" : "1 of 3 [ ↑ ][ ↓ ][ ✕ ]"))
    #expect(replace.hasPrefix(width < 58 ? "With " : "Replace with "))
    if width >= 36 {
      #expect(replace.hasSuffix(width < 58 ? "[ Replace ] [ All ]" : "[ Replace ] [ Replace all ]"))
      #expect(bar.replacement.frame.width >= 10)
    }
  }

  @Test func overlappingHitsAreReplacedOnce() {
    editor.text = "aaaa"
    bar.hits = { sought, line in
      line.indices.dropLast().map { $0..<line.index($0, offsetBy: sought.count) }
    }
    bar.open(replacing: true)
    desk.backend.type("aa")
    bar.replacement.text = "b"
    #expect(bar.replaceAll() == 2 && editor.text == "bb")
  }

  @Test func textThatCannotBeChangedIsNotReplaced() {
    editor.isEditable = false
    bar.open(replacing: true)
    desk.backend.type("milk")
    bar.replacement.text = "tea"
    #expect(!desk.text.contains("With") && bar.place == "1 of 3")
    #expect(!bar.replace() && bar.replaceAll() == 0 && bar.place == "0 replaced")
    editor.isEditable = true
    editor.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, _ in false }
    #expect(!bar.replace() && bar.replaceAll() == 0)
    #expect(editor.text == "milk\nMilk and mílk\nbread")
  }

  /// The hits of something else, such as a search of all notes, are marked but not replaced.
  @Test func hitsWithoutASoughtTextAreNotReplaced() {
    bar.hits = { sought, line in line.ranges(of: sought.isEmpty ? "milk" : sought) }
    bar.replacement.text = "tea"
    #expect(!bar.replace() && bar.replaceAll() == 0 && bar.go(.here))
    // The selected hit would be the text to find.
    editor.selection = TextSelection(caret: .start)
    bar.open(replacing: true)
    #expect(!bar.replace() && bar.replaceAll() == 0)
    #expect(editor.text == "milk\nMilk and mílk\nbread")
  }

  @Test func hitsOfALongTextAreNotCounted() {
    editor.text = String(repeating: "milk\n", count: 210_000)
    bar.open()
    desk.backend.type("milk")
    #expect(bar.place == "" && caret == .start)
    bar.replacement.text = "x"
    #expect(bar.replaceAll() == 210_000 && editor.document.utf8Count == 420_000)
  }

  @Test func barEndsWithItsViews() {
    weak var ended: FindBar?
    do {
      let bar = FindBar(for: TextView("a"))
      bar.open()
      ended = bar
    }
    #expect(ended == nil)
  }
}
