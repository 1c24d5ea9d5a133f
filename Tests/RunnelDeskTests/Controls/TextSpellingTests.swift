import RunnelDesk
import RunnelTesting
import Testing

/// A dictionary of some words, which counts the questions.
@MainActor
private final class TestDictionary: SpellChecker {
  var known: Set<String> = ["milk", "and", "bread", "more"]
  private(set) var asked: [String] = []
  private(set) var suggestionCount = 0
  private(set) var learned: [String] = []

  func isCorrect(_ word: String) -> Bool {
    asked.append(word)
    return known.contains(word)
  }

  func suggestions(for word: String) -> [String] {
    suggestionCount += 1
    return word == "xyz" ? [] : known.sorted().filter { $0.first == word.first }
  }

  func learn(_ word: String) {
    learned.append(word)
    known.insert(word)
  }

  func ignore(_ word: String) { known.insert(word) }
}

@MainActor @Suite struct TextSpellingTests {
  private let editor = TextView("milk and braed\nxyz milk\n`mlik`")
  private let dictionary = TestDictionary()
  private let desk: Desk

  init() {
    desk = Desk(editor, width: 40, height: 12)
    desk.window.makeFirstResponder(editor)
    editor.spellChecker = dictionary
  }

  private func isMarked(x: Int, y: Int) -> Bool {
    desk.style(x: x, y: y).effects.contains(.wavy)
  }

  private func place(_ line: Int, _ offset: Int) -> TextPosition {
    TextPosition(line: line, offset: offset)
  }

  @Test func misspelledWordsAreMarked() {
    #expect(!isMarked(x: 0, y: 0) && isMarked(x: 9, y: 0) && isMarked(x: 13, y: 0))
    #expect(isMarked(x: 0, y: 1) && !isMarked(x: 3, y: 1) && !isMarked(x: 1, y: 2))
    #expect(editor.misspelledWord(at: place(0, 11)) == place(0, 9)..<place(0, 14))
    #expect(editor.misspelledWord(at: place(0, 14)) == place(0, 9)..<place(0, 14))
    #expect(editor.misspelledWord(at: place(0, 2)) == nil)
    editor.spellChecker = nil
    #expect(!isMarked(x: 9, y: 0) && editor.misspelledWord(at: place(0, 9)) == nil)
  }

  /// The mark is added to other styles.
  @Test func markKeepsStyleOfHighlights() {
    let bold = TextStyle(effects: .bold)
    editor.highlights = { _, line in [TextHighlight(line.startIndex..<line.endIndex, style: bold)] }
    #expect(desk.style(x: 9, y: 0).effects == [.bold, .wavy])
    #expect(desk.style(x: 0, y: 0).effects == .bold)
  }

  @Test func readOnlyTextAndCodeBlocksAreNotMarked() {
    editor.text = "```\nbraed\n```\nbraed"
    #expect(!isMarked(x: 0, y: 1) && isMarked(x: 0, y: 3))
    editor.propose(replacing: place(0, 0)..<place(0, 3), with: "")
    #expect(isMarked(x: 0, y: 1) && !isMarked(x: 0, y: 3))
    editor.isEditable = false
    #expect(!isMarked(x: 0, y: 1))
  }

  /// A word is marked when it is complete.
  @Test func wordAtCaretIsNotMarkedWhileTyped() {
    editor.text = ""
    desk.backend.type("braed")
    #expect(!isMarked(x: 0, y: 0))
    desk.press("left")
    #expect(isMarked(x: 0, y: 0))
    desk.press("right")
    desk.backend.type(" ")
    #expect(isMarked(x: 0, y: 0))
  }

  /// Each word is asked for once, and only the words of the lines in view.
  @Test func onlyLinesInViewAreChecked() {
    editor.text = (0..<10_000).map { "milk word\(String(repeating: "a", count: $0 % 1_000 + 1))" }
      .joined(separator: "\n")
    let before = dictionary.asked.count
    _ = desk.lines
    let first = dictionary.asked.count - before
    #expect(first > 0 && first <= 13)
    desk.backend.type("m")
    _ = desk.lines
    #expect(dictionary.asked.count - before <= first + 1)
    #expect(Set(dictionary.asked).count == dictionary.asked.count)
  }

  @Test func contextMenuReplacesWord() {
    editor.selection = TextSelection(caret: place(0, 11))
    desk.press("shift+f10")
    #expect(desk.backend.text.contains("bread") && desk.backend.text.contains("Add to Dictionary"))
    desk.press("enter")
    #expect(editor.document[line: 0] == "milk and bread" && dictionary.suggestionCount == 1)
    desk.press("ctrl+z")
    #expect(editor.document[line: 0] == "milk and braed")
  }

  @Test func learnedAndIgnoredWordsAreNotMarked() {
    editor.selection = TextSelection(caret: place(0, 11))
    desk.press("shift+f10")
    for key in ["down", "enter"] { desk.press(key) }
    #expect(dictionary.learned == ["braed"] && !isMarked(x: 9, y: 0))
    editor.selection = TextSelection(caret: place(1, 0))
    desk.press("shift+f10")
    #expect(desk.backend.text.contains("No Suggestions"))
    for key in ["down", "enter"] { desk.press(key) }
    #expect(dictionary.learned == ["braed"] && !isMarked(x: 0, y: 1))
  }

  /// A press of the secondary button moves the caret to its word, unless that is selected.
  @Test func secondaryPressOpensMenuOfWord() {
    let menu = Menu("Own", [MenuItem("Own item")])
    editor.contextMenu = menu
    desk.mouse(.press(.right), x: 10, y: 0)
    #expect(editor.selection == TextSelection(caret: place(0, 10)))
    #expect(desk.backend.text.contains("bread") && !desk.backend.text.contains("Own item"))
    desk.press("escape")
    desk.mouse(.press(.right), x: 1, y: 0)
    #expect(desk.backend.text.contains("Own item"))
    desk.press("escape")
    editor.selection = TextSelection(place(0, 0)..<place(0, 8))
    desk.mouse(.press(.right), x: 3, y: 0)
    #expect(editor.selection.range == place(0, 0)..<place(0, 8))
  }

  @Test func nextMisspellingIsSelected() {
    #expect(editor.showNextMisspelling())
    #expect(editor.selection.range == place(0, 9)..<place(0, 14))
    #expect(desk.backend.text.contains("bread"))
    desk.press("escape")
    #expect(editor.showNextMisspelling())
    #expect(editor.selection.range == place(1, 0)..<place(1, 3))
    desk.press("escape")
    #expect(editor.showNextMisspelling())
    #expect(editor.selection.range == place(0, 9)..<place(0, 14))
    desk.press("enter")
    desk.press("escape")
    editor.text = "milk"
    #expect(!editor.showNextMisspelling())
  }

  /// A choice for a word that is no longer there does nothing.
  @Test func choiceForFormerTextDoesNothing() {
    editor.selection = TextSelection(caret: place(0, 11))
    desk.press("shift+f10")
    editor.update(to: TextDocument("more bread and more milk"))
    desk.press("enter")
    #expect(editor.text == "more bread and more milk")
  }
}
