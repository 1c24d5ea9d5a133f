import RunnelDesk
import RunnelTesting
import Testing

@Suite struct EditHistoryTests {
  /// Returns the texts that successive undo commands restore.
  private func undone(_ state: EditingState) -> [String] {
    var state = state
    var texts: [String] = []
    while let edit = state.edit(for: .undo), texts.count < 100 {
      state.apply(edit)
      texts.append(state.document.text)
    }
    return texts
  }

  private func typed(_ text: String) -> EditingState {
    var state = EditingState()
    for character in text { state.type(String(character)) }
    return state
  }

  @Test func typingIsUndoneByWords() {
    #expect(undone(typed("one two  three")) == ["one two  ", "one ", ""])
    #expect(undone(typed("a\n\nb")) == ["a\n\n", ""])
    #expect(undone(typed(" a")) == [" ", ""])
    #expect(undone(typed("")) == [])
  }

  @Test func typingIsNotUndoneTogetherWithAnOutsideEdit() {
    var state = typed("ab")
    _ = state.apply(outside: state.document.edits(to: TextDocument("abcd")))
    state.select(TextSelection(caret: state.document.end))
    state.type("e")
    #expect(state.document.text == "abcde")
    #expect(undone(state) == ["abcd", "ab", ""])
  }

  @Test func deletingIsUndoneByWords() {
    var state = EditingState("one two three")
    state.run(.move(.end))
    for _ in 0..<9 { state.run(.delete(.left)) }
    #expect(state.document.text == "one ")
    #expect(undone(state) == ["one two", "one two three"])
    state = EditingState("one two")
    for _ in 0..<5 { state.run(.delete(.right)) }
    #expect(undone(state) == ["two", "one two"])
  }

  @Test func anotherCommandEndsAnUndoStep() {
    var state = typed("ab")
    state.run(.delete(.left))
    state.type("c")
    #expect(undone(state) == ["a", "ab", ""])
    state = typed("ab")
    state.run(.move(.left))
    state.run(.move(.right))
    state.type("c")
    #expect(undone(state) == ["ab", ""])
    state = typed("ab")
    state.insert("pasted")
    state.type("c")
    #expect(undone(state) == ["abpasted", "ab", ""])
    state = typed("ab")
    state.run(.delete(.wordLeft))
    state.run(.undo)
    state.type("c")
    #expect(undone(state) == ["ab", ""])
  }

  @Test func typingOverASelectionIsOneStep() {
    var state = EditingState("one two")
    state.run(.extend(.wordRight))
    for text in ["1", "2"] { state.type(text) }
    #expect(state.document.text == "12 two")
    #expect(undone(state) == ["one two"])
  }

  @Test func undoRestoresTheSelection() {
    var state = EditingState("one two")
    state.run(.extend(.wordRight))
    let selected = state.selection
    state.type("1")
    state.run(.move(.end))
    state.run(.undo)
    #expect(state.selection == selected)
    state.run(.redo)
    #expect(state.selection == TextSelection(caret: TextPosition(line: 0, offset: 1)))
  }

  @Test func aNewEditDiscardsRedo() {
    var state = typed("ab")
    state.run(.undo)
    #expect(state.edit(for: .redo)?.replacement == "ab")
    state.type("c")
    #expect(state.edit(for: .redo) == nil)
    #expect(state.document.text == "c")
  }

  /// Runs random commands, then undoes all of them and redoes them.
  @Test(arguments: seeds(3) as Range<UInt64>)
  func undoingRandomCommandsRestoresTheText(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let isSingleLine = seed % 4 == 0
    let text = RandomText.text(atMost: 20, using: &random)
    var state = EditingState(text, isSingleLine: isSingleLine)
    state.layout.width = seed % 2 == 0 ? nil : Int(seed) + 3
    let start = state.document
    for step in 0..<1_500 {
      RandomCommand.run(on: &state, using: &random)
      let places = Set(SlowText(text: state.document.text).positions)
      let isSound = places.contains(state.selection.anchor) && places.contains(state.selection.head)
      #expect(isSound, "seed \(seed), step \(step): \(state.selection)")
      #expect(!isSingleLine || state.document.lineCount == 1)
      var fresh = TextLayout(width: state.layout.width)
      let (kept, found) = (
        TextLayoutTests.rows(of: state.document, &state.layout),
        TextLayoutTests.rows(of: state.document, &fresh)
      )
      #expect(kept == found, "seed \(seed), step \(step)")
      if !isSound || kept != found { return }
    }
    let end = state
    var steps = 0
    while state.edit(for: .undo) != nil {
      state.run(.undo)
      steps += 1
    }
    #expect(Array(state.document.text.utf8) == Array(start.text.utf8), "seed \(seed)")
    // Not more: the last commands may have undone edits, too.
    for _ in 0..<steps { state.run(.redo) }
    #expect(Array(state.document.text.utf8) == Array(end.document.text.utf8), "seed \(seed)")
    #expect(steps > 0)
  }
}

/// Random editing commands.
enum RandomCommand {
  static func run(on state: inout EditingState, using random: inout SeededGenerator) {
    let movement = Movement.allCases.randomElement(using: &random) ?? .left
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: state.type(RandomText.piece(using: &random))
    case 8: state.insert(RandomText.text(atMost: 8, using: &random))
    case 9: state.run(.insertNewline)
    case 10, 11: state.run(.move(movement))
    case 12: state.run(.extend(movement))
    case 13, 14: state.run(.delete(.left))
    case 15: state.run(.delete(movement))
    case 16: state.run(.undo)
    case 17: state.run(.redo)
    case 18: state.run(.cut)
    default:
      let places = SlowText(text: state.document.text).scalarPositions
      state.select(TextSelection(places.randomRange(using: &random)))
    }
  }
}
