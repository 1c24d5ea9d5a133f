import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TextEditingTests {
  // MARK: - Edits of the user

  @Test func editsAreReportedWithTheirOrigin() {
    let view = TextView("one")
    let desk = Desk(focusing: view)
    var copy = view.document
    let edits = Recorder(view.rx.edits)
    view.rx.edits.observeNext { copy.apply($0) }
    desk.press("end")
    desk.backend.type("ab\n")
    desk.press("ctrl+z", "ctrl+y", "backspace")
    desk.backend.send(.paste("x\ny"))
    #expect(edits.elements.map(\.origin) == [.typed, .typed, .typed, .undo, .undo, .typed, .typed])
    #expect(edits.elements.last?.new == "x\ny")
    #expect(edits.elements[5].old == "\n")
    #expect(copy == view.document)
    view.text = "by the program"
    #expect(edits.elements.count == 7)
  }

  @Test func fieldsReportEditsToo() {
    let field = TextField("one")
    let desk = Desk(focusing: field)
    let edits = Recorder(field.rx.edits)
    desk.press("ctrl+a")
    desk.backend.type("x")
    #expect(
      edits.elements == [
        TextEdit(
          .start..<TextPosition(line: 0, offset: 3), old: "one", new: "x", origin: .typed)
      ])
  }

  @Test func documentsAreBoundBothWays() {
    let model = Property(TextDocument("one\ntwo"))
    let (first, second) = (TextView(), TextView())
    for view in [first, second] { view.rx.document.bindTwoWay(to: model) }
    let desk = Desk(StackView(.vertical, [first, second]), focusing: first)
    desk.press("ctrl+end")
    desk.backend.type("!")
    #expect(second.text == "one\ntwo!")
    #expect(model.value.text == "one\ntwo!")
    desk.window.makeFirstResponder(second)
    second.selection = TextSelection(caret: .start)
    desk.backend.type("x")
    #expect(first.text == "xone\ntwo!")
    // The caret of the other view stays with its text.
    #expect(first.selection.head == first.document.end)
    desk.press("ctrl+z", "ctrl+z")
    #expect(model.value.text == "one\ntwo")
    #expect(first.text == "one\ntwo")
  }

  // MARK: - Edits of the program

  @Test func anEmptiedTextIsBroughtBack() {
    let view = TextView("one\ntwo")
    let desk = Desk(focusing: view)
    desk.press("ctrl+end")
    desk.backend.type("!")
    let edits = Recorder(view.rx.edits)
    view.update(to: TextDocument())
    #expect(view.text == "")
    #expect(edits.elements.isEmpty)
    desk.press("ctrl+z")
    #expect(view.text == "one\ntwo!")
    #expect(edits.elements.map(\.new) == ["one\ntwo!"])
    desk.press("ctrl+z")
    #expect(view.text == "one\ntwo")
  }

  @Test func editsOfOneUpdateAreUndoneTogether() {
    let view = TextView("one\ntwo\nthree\nfour")
    let desk = Desk(focusing: view)
    view.selection = TextSelection(caret: TextPosition(line: 1, offset: 2))
    view.update(to: TextDocument("1\ntwo\nnew\nthree!\nfour"))
    #expect(view.selection.head == TextPosition(line: 1, offset: 2))
    desk.backend.type("x")
    desk.press("ctrl+z")
    #expect(view.text == "1\ntwo\nnew\nthree!\nfour")
    desk.press("ctrl+z")
    #expect(view.text == "one\ntwo\nthree\nfour")
    desk.press("ctrl+y")
    #expect(view.text == "1\ntwo\nnew\nthree!\nfour")
    desk.press("ctrl+y")
    #expect(view.text == "1\ntwxo\nnew\nthree!\nfour")
    desk.press("ctrl+z", "ctrl+z", "ctrl+z")
    #expect(view.text == "one\ntwo\nthree\nfour")
  }

  @Test func aRefusedUndoStopsTheGroup() {
    let view = TextView("one\ntwo\nthree")
    let desk = Desk(focusing: view)
    view.update(to: TextDocument("1\ntwo\n3"))
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, text in text != "three" }
    desk.press("ctrl+z")
    #expect(view.text == "one\ntwo\n3")
  }

  @Test func linesOnTheScreenStayWhereTheyAre() {
    let view = TextView((0..<20).map { "line \($0)" }.joined(separator: "\n"))
    let desk = Desk(focusing: view, height: 4)
    view.selection = TextSelection(caret: TextPosition(line: 12, offset: 0))
    let lines = desk.lines
    view.update(to: TextDocument("new\n" + view.text + "\nend"))
    #expect(desk.lines == lines)
  }

  @Test func undoingAnOutsideChangeShowsIt() {
    let lines = (0..<60).map { "line \($0)" }
    let view = TextView(lines.joined(separator: "\n"))
    let desk = Desk(focusing: view, height: 4)
    view.update(to: TextDocument(lines.joined(separator: "\n").replacing("line 50", with: "gone")))
    #expect(desk.lines.first?.contains("line 0") == true)
    desk.press("ctrl+z")
    #expect(view.selection.head.line == 50)
    #expect(desk.lines.contains { $0.contains("line 50") })
  }

  @Test func uneditableTextHasNoUndoHistory() {
    let view = TextView("one")
    let desk = Desk(focusing: view)
    desk.backend.type("x")
    view.isEditable = false
    view.update(to: TextDocument("two"))
    #expect(view.text == "two" && !view.canUndo)
  }

  @Test func lineBreaksInAFieldAreNoChange() {
    let field = TextField("a b")
    let desk = Desk(focusing: field)
    desk.backend.type("x")
    desk.press("ctrl+z")
    #expect(field.update(to: TextDocument("a\nb")).isEmpty)
    desk.press("ctrl+y")
    #expect(field.text == "a bx")
    #expect(field.update(to: TextDocument("a\nbx\nc")).map(\.new) == [" bx c"])
  }

  /// A delegate shows another text while edits of the program are undone together.
  @Test func undoingStopsAtAnotherText() {
    let view = TextView("one\ntwo\nthree")
    let desk = Desk(focusing: view)
    view.update(to: TextDocument("1\ntwo\n3"))
    let other = TextView("a\nb\nc")
    other.update(to: TextDocument("A\nb\nC"))
    view.rx.edits.observeNext { _ in
      if view.text.hasSuffix("3") { view.session = other.session }
    }
    desk.press("ctrl+z")
    #expect(view.text == "A\nb\nC")
  }

  // MARK: - Words

  @Test func replacedWordIsNotTypedAgain() {
    let view = TextView()
    let desk = Desk(focusing: view)
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { view, range, text in
      if text == text.uppercased() { return true }
      view.propose(replacing: range, with: text.uppercased())
      return false
    }
    desk.backend.send(.text("abc d"))
    #expect(view.text == "ABC D")
  }

  /// Types texts as keys and as whole words, and compares the result and each step of undoing.
  @Test func wordsHaveTheEffectOfTheirKeys() {
    let seed: UInt64 = 9
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let (one, other) = (TextView("start"), TextView("start"))
      let (keys, words) = (Desk(focusing: one), Desk(focusing: other))
      for _ in 0..<4 {
        let pieces = (0..<6).map { _ in
          ["a", "bc", " ", "  ", "é", "e\u{301}", "世"].randomElement(using: &random) ?? ""
        }
        let text = pieces.joined()
        for scalar in text.unicodeScalars {
          keys.backend.send(.key(KeyPress(.character(Character(scalar)))))
        }
        words.backend.send(.text(text))
        if Bool.random(using: &random) {
          keys.press("backspace")
          words.press("backspace")
        }
      }
      #expect(one.text == other.text && one.selection == other.selection)
      for _ in 0..<8 {
        keys.press("ctrl+z")
        words.press("ctrl+z")
        #expect(one.text == other.text, "seed \(seed), step \(step)")
      }
    }
  }

  @Test func refusedWordIsTypedByKeys() {
    let view = TextView()
    let desk = Desk(focusing: view)
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, text in
      text != "b" && text.count == 1
    }
    desk.backend.send(.text("abc d"))
    #expect(view.text == "ac d")
  }

  @Test func wordsFollowTheFocus() {
    let (view, field) = (TextView(), TextField())
    let desk = Desk(StackView(.vertical, [view, field]), focusing: view)
    view.rx.edits.observeNext { _ in desk.window.makeFirstResponder(field) }
    desk.backend.send(.text("one two three"))
    #expect(view.text == "one ")
    #expect(field.text == "two three")
  }

  @Test func keysWithACommandAreNotTyped() {
    let view = TextView()
    let desk = Desk(focusing: view)
    desk.application.keyBindings["x"] = .delete(.left)
    desk.backend.send(.text("abxc"))
    #expect(view.text == "ac")
  }

  // MARK: - Syntax

  @Test func syntaxIsFoundOncePerLine() {
    let view = TextView("# one\ntwo\n# one")
    var asked: [String] = []
    view.syntax = { line in
      asked.append(line)
      return TextHighlight.markdown(in: line)
    }
    let desk = Desk(focusing: view, height: 4)
    let style = { desk.backend.grid[Point(x: 2, y: $0)].style }
    #expect(style(0) == style(2) && style(0) != style(1))
    #expect(asked == ["# one", "two"])
    desk.press("down", "end")
    desk.backend.type("!")
    _ = desk.lines
    #expect(asked == ["# one", "two", "two!"])
    view.syntax = { _ in [] }
    #expect(style(0) == style(1))
    // The same characters in other bytes have other ranges.
    view.text = "é#\ne\u{301}#"
    view.syntax = { line in line.ranges(of: "#").map { TextHighlight($0) } }
    let places = (0..<2).map { y in (0..<3).map { desk.backend.grid[Point(x: $0, y: y)].style } }
    #expect(places[0] == places[1])
    #expect(places[0][1] != places[0][0])
  }

  @Test func longLinesHaveNoSyntax() {
    let view = TextView(String(repeating: "#", count: 2_000))
    var count = 0
    view.syntax = { _ in
      count += 1
      return []
    }
    let desk = Desk(focusing: view)
    _ = desk.lines
    #expect(count == 1)
    desk.backend.type("x")
    _ = desk.lines
    #expect(count == 1)
  }

  @Test func syntaxMayBeReplacedWhileItIsFound() {
    let view = TextView("# one")
    let found = { (line: String) in line.ranges(of: "#").map { TextHighlight($0) } }
    view.syntax = { [weak view] _ in
      view?.syntax = found
      return []
    }
    let desk = Desk(focusing: view)
    _ = desk.lines
    view.needsDisplay()
    _ = desk.lines
    let styles = (0..<2).map { desk.backend.grid[Point(x: $0, y: 0)].style }
    #expect(styles[0] != styles[1])
  }
}
