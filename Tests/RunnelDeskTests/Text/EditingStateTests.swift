import RunnelDesk
import RunnelTesting
import Testing

@Suite struct EditingStateTests {
  /// Returns a state from a text with `[` at the selection's anchor and `|` at its head, or only
  /// `|`.
  private func state(_ marked: String, isSingleLine: Bool = false) -> EditingState {
    var text = ""
    var anchor: TextPosition?
    var head: TextPosition?
    for scalar in marked.unicodeScalars {
      let place = TextDocument(text).end
      switch scalar {
      case "[": anchor = place
      case "|": head = place
      default: text.unicodeScalars.append(scalar)
      }
    }
    var state = EditingState(text, isSingleLine: isSingleLine)
    let caret = head ?? .start
    state.select(TextSelection(anchor: anchor ?? caret, head: caret))
    return state
  }

  private func marked(_ state: EditingState) -> String {
    let (anchor, head) = (state.selection.anchor, state.selection.head)
    var document = state.document
    let ends = anchor == head ? [(head, "|")] : [(anchor, "["), (head, "|")]
    for (place, mark) in ends.sorted(by: { $0.0 > $1.0 }) {
      document.replace(place..<place, with: mark)
    }
    return document.text
  }

  private func after(_ command: Command, _ text: String, isSingleLine: Bool = false) -> String {
    var state = state(text, isSingleLine: isSingleLine)
    state.run(command)
    return marked(state)
  }

  // MARK: - Inserting

  @Test(arguments: [
    ("|", "a", "a|"), ("a|c", "b", "ab|c"), ("[ab|c", "x", "x|c"), ("|ab[c", "x", "x|c"),
    ("a|b", "1\n2", "a1\n2|b"), ("[a\nb|", "", "|"), ("a|", "", "a|"),
    // Text that joins the character before the caret, or that joins the one after it.
    ("e|x", "\u{301}", "e\u{301}|x"), ("\u{1F1E8}|", "\u{1F1ED}", "\u{1F1E8}\u{1F1ED}|"),
    ("👩|", "\u{200D}", "👩\u{200D}|"), ("|\u{301}", "e", "e\u{301}|"),
  ])
  func insertReplacesTheSelection(_ before: String, _ text: String, _ expected: String) {
    var state = state(before)
    state.insert(text)
    #expect(marked(state) == expected)
  }

  /// A terminal sends characters scalar by scalar.
  @Test func scalarsTypedInTurnFormOneCharacter() {
    let text = "e\u{301}👨‍👩‍👧‍👦🇨🇭👍🏽1\u{FE0F}\u{20E3}a"
    var state = state("<|>")
    for scalar in text.unicodeScalars { state.type(String(Character(scalar))) }
    #expect(marked(state) == "<\(text)|>")
    for count in (0..<6).reversed() {
      state.run(.delete(.left))
      #expect(marked(state) == "<\(text.prefix(count))|>")
    }
  }

  @Test func aSingleLineStateHasNoLineBreaks() {
    var field = EditingState("a\nb\r\nc", isSingleLine: true)
    #expect(field.document.text == "a b c")
    field.select(TextSelection(field.document.bounds))
    field.insert("x\ny\u{2028}z\r")
    #expect(field.document.text == "x y z ")
    for command in [Command.insertNewline, .insertTab] {
      #expect(field.edit(for: command) == nil)
    }
    field.replaceText(with: "1\n2")
    #expect(field.document.text == "1 2")
    #expect(after(.insertNewline, "a|b") == "a\n|b")
    #expect(after(.insertTab, "a|b") == "a\t|b")
  }

  // MARK: - Deleting

  @Test(arguments: [
    (Command.delete(.left), "ab|c", "a|c"), (.delete(.left), "|abc", "|abc"),
    (.delete(.left), "a\n|b", "a|b"), (.delete(.left), "e\u{301}|b", "|b"),
    (.delete(.right), "a|bc", "a|c"), (.delete(.right), "abc|", "abc|"),
    (.delete(.right), "a|\nb", "a|b"), (.delete(.right), "a|[bc", "a|c"),
    (.delete(.left), "a[bc|", "a|"), (.delete(.wordLeft), "one two|", "one |"),
    (.delete(.wordLeft), "one two |x", "one |x"), (.delete(.wordRight), "|one two", "| two"),
    (.delete(.lineStart), "a\nbc|d\ne", "a\n|d\ne"), (.delete(.lineStart), "a\n|d", "a|d"),
    (.delete(.lineStart), "|a", "|a"), (.delete(.lineEnd), "a\nb|cd\ne", "a\nb|\ne"),
    (.delete(.lineEnd), "a\nb|\ne", "a\nb|e"), (.delete(.lineEnd), "a|", "a|"),
    (.delete(.start), "a\nb|c", "|c"), (.delete(.end), "a|b\nc", "a|"),
    (.delete(.up), "ab\nc|d", "a|d"), (.delete(.down), "a|b\ncd", "a|d"),
    (.delete(.pageDown), "a|b\ncd", "a|d"), (.cut, "a[b|c", "a|c"), (.cut, "a|c", "a|c"),
    // The remaining parts join.
    (.delete(.left), "\u{1F1E8}.|\u{1F1ED}x", "\u{1F1E8}\u{1F1ED}|x"),
  ])
  func deletesTheRangeOfTheMovement(_ command: Command, _ before: String, _ expected: String) {
    #expect(after(command, before) == expected)
  }

  // MARK: - Moving

  @Test(arguments: [
    (Command.move(.left), "ab|c", "a|bc"), (.move(.left), "|a", "|a"),
    (.move(.left), "a\n|b", "a|\nb"),
    (.move(.right), "a|bc", "ab|c"), (.move(.right), "a|", "a|"), (.move(.right), "a|\nb", "a\n|b"),
    (.move(.right), "|👍🏽x", "👍🏽|x"), (.move(.left), "👍🏽|x", "|👍🏽x"),
    (.move(.left), "a[bc|d", "a|bcd"), (.move(.left), "a|bc[d", "a|bcd"),
    (.move(.right), "a[bc|d", "abc|d"), (.move(.right), "a|bc[d", "abc|d"),
    (.move(.wordLeft), "a[bc de|", "abc |de"), (.move(.lineStart), "a\nb|c", "a\n|bc"),
    (.move(.lineEnd), "a|b\nc", "ab|\nc"), (.move(.start), "a\nb|", "|a\nb"),
    (.move(.end), "|a\nb", "a\nb|"), (.move(.up), "ab\ncd|e", "ab|\ncde"),
    (.move(.up), "a|b", "|ab"), (.move(.down), "a|b", "ab|"), (.move(.down), "a|b\nc", "ab\nc|"),
    (.extend(.left), "ab|c", "a|b[c"), (.extend(.right), "a[b|c", "a[bc|"),
    (.extend(.left), "a[b|c", "a|bc"), (.extend(.down), "a|b\ncd", "a[b\nc|d"),
    (.extend(.end), "a|b\ncd", "a[b\ncd|"), (.extend(.wordRight), "|a b", "[a| b"),
    (.selectAll, "a|b\nc", "[ab\nc|"), (.selectAll, "|", "|"), (.extend(.lineStart), "ab|", "|ab["),
  ])
  func movesOrExtendsTheSelection(_ command: Command, _ before: String, _ expected: String) {
    #expect(after(command, before) == expected)
    var state = state(before)
    let isMoving = state.perform(command)
    #expect(isMoving)
    #expect(state.edit(for: command) == nil)
  }

  @Test func verticalMovesKeepTheColumn() {
    var state = state("long li|ne\na\n世世世世世\n\tb\nanother line")
    let places = (0..<5).map { _ in
      state.run(.move(.down))
      return "\(state.selection.head)"
    }
    // Wide characters take two columns, and a tab extends to the fourth.
    #expect(places == ["1:1", "2:9", "3:2", "4:7", "4:12"])
    #expect((0..<2).map { _ in back(&state) } == ["3:2", "2:9"])
    state.run(.move(.left))
    #expect((0..<2).map { _ in back(&state) } == ["1:1", "0:4"])
  }

  private func back(_ state: inout EditingState) -> String {
    state.run(.move(.up))
    return "\(state.selection.head)"
  }

  @Test func verticalMovesVisitWrappedRows() {
    var state = state("one two three|\nx")
    state.layout.width = 6
    func place(after movement: Movement) -> String {
      state.run(.move(movement))
      return "\(state.selection.head)"
    }
    // The rows are `one `, `two ` and `three`.
    #expect([Movement.up, .up, .up].map(place) == ["0:7", "0:3", "0:0"])
    #expect([Movement.right, .down, .down, .down].map(place) == ["0:1", "0:5", "0:9", "1:1"])
    state.select(TextSelection(caret: TextPosition(line: 0, offset: 5)))
    #expect([Movement.lineEnd, .lineEnd, .lineEnd].map(place) == ["0:7", "0:13", "0:13"])
    state.select(TextSelection(caret: TextPosition(line: 0, offset: 6)))
    #expect([Movement.lineStart, .lineStart].map(place) == ["0:4", "0:0"])
    state.select(TextSelection(caret: TextPosition(line: 0, offset: 5)))
    state.run(.delete(.lineEnd))
    #expect(marked(state) == "one t|\nx")
  }

  @Test func pageMovesUseThePageSize() {
    var state = EditingState((0..<100).map { "line \($0)" }.joined(separator: "\n"))
    state.pageRows = 30
    let lines = (0..<5).map { _ in
      state.run(.move(.pageDown))
      return state.selection.head.line
    }
    #expect(lines == [30, 60, 90, 99, 99])
    #expect(state.selection.head == state.document.end)
    state.pageRows = 0
    state.run(.extend(.pageUp))
    #expect(state.selection.range.lowerBound.line == 98)
  }

  // MARK: - Changes by the program

  @Test(arguments: [
    ("one| two", "one two three", "one| two three"), ("one two|", "zero one two", "zero one two|"),
    ("one [two| three", "1 one two three", "1 one [two| three"), ("one tw|o", "one", "one|"),
    ("a|b", "ab", "a|b"), ("a\nb|\nc", "x\ny\na\nb\nc", "x\ny\na\nb|\nc"), ("abc|", "", "|"),
    ("a|\u{200B}b", "a\u{301}b", "|a\u{301}b"),
  ])
  func replaceTextKeepsTheSelection(
    _ before: String, _ text: String, _ expected: String
  ) {
    var state = state(before)
    let isChanged = state.replaceText(with: text) != nil
    #expect(isChanged == (expected.filter { $0 != "|" } != before.filter { $0 != "|" }))
    #expect(marked(state) == expected)
  }

  @Test func changesByTheProgramCannotBeUndone() {
    var state = state("|")
    state.type("a")
    state.replaceText(with: "ab")
    #expect(state.edit(for: .undo) == nil)
    state.type("c")
    state.run(.undo)
    #expect(state.document.text == "ab")
    // The same text is no change.
    state.replaceText(with: "ab")
    #expect(state.edit(for: .redo) != nil)
  }

  @Test func selectRoundsToCharacters() {
    var state = state("e\u{301}\n世")
    state.select(
      TextSelection(
        anchor: TextPosition(line: 0, offset: 1), head: TextPosition(line: 8, offset: 8)))
    #expect(state.selection == TextSelection(state.document.bounds))
  }

  // MARK: - Proposals

  @Test func aProposedEditChangesNothing() {
    var state = state("one [two|")
    let edit = state.edit(inserting: "2")
    #expect(edit?.range == state.selection.range)
    #expect(edit?.replacement == "2")
    #expect(marked(state) == "one [two|")
    let cut = state.edit(for: .cut)
    #expect(cut?.replacement == "")
    #expect(state.edit(for: .insertBacktab) == nil)
    #expect(state.edit(replacing: TextPosition.start..<TextPosition.start, with: "") == nil)
    let away = state.edit(
      replacing: TextPosition(line: 0, offset: 99)..<TextPosition(line: 3, offset: 0), with: "!")
    #expect(away?.range.lowerBound == state.document.end)
  }

  /// A delegate that is asked about the edit may have changed the text.
  @Test func anOutdatedEditIsNotApplied() throws {
    var state = state("abc|")
    let deleting = state.edit(for: .delete(.left))
    let edit = try #require(deleting)
    state.replaceText(with: "a")
    let made = state.apply(edit)
    #expect(made == nil)
    #expect(state.document.text == "a")
    state.insert("b")
    let undoing = state.edit(for: .undo)
    let undo = try #require(undoing)
    #expect(undo.range == TextPosition(line: 0, offset: 1)..<TextPosition(line: 0, offset: 2))
    state.insert("c")
    let undone = state.apply(undo)
    #expect(undone == nil)
    #expect(state.document.text == "abc")
  }
}

extension EditingState {
  /// Runs a command without asking a delegate.
  mutating func run(_ command: Command) {
    if perform(command) { return }
    if let edit = edit(for: command) { apply(edit) }
  }

  mutating func insert(_ text: String) {
    if let edit = edit(inserting: text) { apply(edit) }
  }

  mutating func type(_ text: String) {
    if let edit = edit(inserting: text, as: .typing) { apply(edit) }
  }
}
