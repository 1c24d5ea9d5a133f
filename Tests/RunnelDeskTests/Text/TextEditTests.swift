import RunnelDesk
import RunnelTesting
import Testing

@Suite struct TextEditTests {
  private func place(_ line: Int, _ offset: Int) -> TextPosition {
    TextPosition(line: line, offset: offset)
  }

  @Test func applyChangesTheText() {
    var document = TextDocument("one\ntwo")
    let edit = TextEdit(place(0, 1)..<place(1, 1), old: "ne\nt", new: "é\n\nx")
    let isMade = document.apply(edit)
    #expect(isMade)
    #expect(document.text == "oé\n\nxwo")
    #expect(edit.newRange == place(0, 1)..<place(2, 1))
    #expect(document[edit.newRange] == edit.new)
    let isUndone = document.apply(edit.inverse)
    #expect(isUndone)
    #expect(document.text == "one\ntwo")
  }

  @Test(
    "An edit of another text changes nothing",
    arguments: [
      TextEdit(.start..<TextPosition(line: 0, offset: 1), old: "x", new: "y"),
      TextEdit(.start..<TextPosition(line: 0, offset: 9), old: "ä", new: "y"),
      TextEdit(.start..<TextPosition(line: 5, offset: 0), old: "ä", new: "y"),
      // Within a character.
      TextEdit(.start..<TextPosition(line: 0, offset: 1), old: "", new: "y"),
    ])
  func unfittingEditIsRefused(_ edit: TextEdit) {
    var document = TextDocument("ä")
    let isMade = document.apply(edit)
    #expect(!isMade)
    #expect(document.text == "ä")
  }

  // MARK: - Difference

  private func edits(_ old: String, _ new: String) -> [String] {
    TextDocument(old).edits(to: TextDocument(new)).map {
      "\($0.range.lowerBound)-\($0.range.upperBound) \($0.old)>\($0.new)"
        .replacing("\n", with: "|")
    }
  }

  @Test func linesAreComparedFirst() {
    #expect(edits("a\nb\nc", "a\nc") == ["1:0-2:0 b|>"])
    #expect(edits("a\nb", "a\nb\nc") == ["1:1-1:1 >|c"])
    #expect(edits("a\nb", "c\na\nb") == ["0:0-0:0 >c|"])
    #expect(edits("a", "") == ["0:0-0:1 a>"])
    #expect(edits("one\ntwo\nthree", "one!\ntwo\nthee") == ["2:2-2:3 r>", "0:3-0:3 >!"])
    // Only the different part of each line is replaced.
    #expect(edits("x one\nx two", "y one\ny two") == ["1:0-1:1 x>y", "0:0-0:1 x>y"])
    #expect(edits("é", "e\u{301}") == ["0:0-0:2 é>e\u{301}"])
    #expect(edits("a\nb", "a\nb").isEmpty)
  }

  @Test func editsMakeTheOtherText() {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    for step in 0..<3_000 {
      let old = RandomText.text(atMost: 12, using: &random)
      var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      for _ in 0..<3 {
        let index = Int.random(in: 0..<lines.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: lines.insert(RandomText.text(atMost: 4, using: &random), at: index)
        case 1 where lines.count > 1: lines.remove(at: index)
        default: lines[index] += "x"
        }
      }
      let new =
        step % 4 == 0
        ? RandomText.text(atMost: 12, using: &random)
        : lines.joined(separator: "\n")
      var document = TextDocument(old)
      for edit in document.edits(to: TextDocument(new)) {
        let isMade = document.apply(edit)
        #expect(isMade, "seed \(seed), step \(step)")
      }
      #expect(Array(document.text.utf8) == Array(new.utf8), "seed \(seed), step \(step)")
    }
  }

  @Test func editsOfManyLinesAreOne() {
    let lines = (0..<300).map { "line \($0)" }
    let (old, new) = (lines.joined(separator: "\n"), lines.map { " " + $0 }.joined(separator: "\n"))
    let edits = TextDocument(old).edits(to: TextDocument(new))
    #expect(edits.count == 1)
    #expect(edits[0].new.hasSuffix("line 299") == false)
    var document = TextDocument(old)
    let isMade = document.apply(edits[0])
    #expect(isMade && document.text == new)
  }

  /// The caret is at the start or the end of a line that occurs once in both texts. No other line has
  /// moved across it, because then either of the two can be the one that stays.
  @Test func caretStaysInItsLine() {
    let seed: UInt64 = 8
    var random = SeededGenerator(seed: seed)
    for step in 0..<3_000 {
      func pick(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
      let old = (0...pick(8)).map { _ in
        ["", "", "a", "b", "c \(pick(9))", "d \(pick(9))"][pick(5)]
      }
      var new = old
      for _ in 0...pick(3) {
        let index = pick(new.count - 1)
        switch pick(2) {
        case 0 where new.count > 1: new.remove(at: index)
        case 1: new[index] += "x"
        default: new.insert(["", "a", "new"][pick(2)], at: pick(new.count))
        }
      }
      for (index, line) in old.enumerated() where line != "" {
        guard old.count(where: { $0 == line }) == 1, new.count(where: { $0 == line }) == 1,
          let place = new.firstIndex(of: line)
        else { continue }
        let (before, after) = (Set(old[..<index]), Set(old[(index + 1)...]))
        let isCrossed =
          new[..<place].contains { $0 != "" && after.contains($0) }
          || new[(place + 1)...].contains { $0 != "" && before.contains($0) }
        if isCrossed { continue }
        for offset in [0, line.utf8.count] {
          var state = EditingState(old.joined(separator: "\n"))
          state.select(TextSelection(caret: TextPosition(line: index, offset: offset)))
          let edits = state.document.edits(to: TextDocument(new.joined(separator: "\n")))
          #expect(state.apply(outside: edits) == edits)
          #expect(
            state.selection.head == TextPosition(line: place, offset: offset),
            "seed \(seed), step \(step): \(line) of \(old) in \(new)")
        }
      }
    }
  }

  @Test func hasTextComparesBytes() {
    #expect(TextDocument("a\nb").hasText("a\nb"))
    #expect(TextDocument("").hasText(""))
    for text in ["", "a", "a\nc", "a b", "a\nb\n", "a\n"] {
      #expect(!TextDocument("a\nb").hasText(text))
    }
    #expect(!TextDocument("é").hasText("e\u{301}"))
  }

  // MARK: - Edits of the program

  @Test func outsideEditsKeepTheSelection() {
    var state = EditingState("one\ntwo\nthree")
    state.select(TextSelection(anchor: place(1, 1), head: place(2, 2)))
    let made = state.apply(
      outside: state.document.edits(to: TextDocument("zero\none\ntwo!\nthr")))
    #expect(made.count == 3)
    #expect(state.document.text == "zero\none\ntwo!\nthr")
    #expect(state.selection == TextSelection(anchor: place(2, 1), head: place(3, 2)))
  }

  /// The selected lines are still selected, and no others.
  @Test(arguments: [
    ("new\none\ntwo", 1), ("one\nnew\ntwo", 0), ("one\ntwo\nnew", 0), ("\none\ntwo", 1),
  ])
  func insertedLinesAreNotSelected(_ text: String, _ line: Int) {
    var state = EditingState("one\ntwo")
    state.select(TextSelection(anchor: place(0, 0), head: place(1, 0)))
    _ = state.apply(outside: state.document.edits(to: TextDocument(text)))
    #expect(state.document.text == text)
    #expect(state.selection == TextSelection(anchor: place(line, 0), head: place(line + 1, 0)))
  }

  @Test func editsWithoutEffectAreSkipped() {
    var state = EditingState("one")
    let same = TextEdit(.start..<place(0, 1), old: "o", new: "o")
    let empty = TextEdit(.start..<place(0, 0), old: "", new: "")
    let edit = TextEdit(.start..<place(0, 1), old: "o", new: "0")
    #expect(state.apply(outside: [same, empty, edit]) == [edit])
    #expect(state.document.text == "0ne")
  }

  @Test func outsideEditsThatDoNotFitEndTheList() {
    var state = EditingState("one")
    let fitting = TextEdit(.start..<place(0, 1), old: "o", new: "0")
    let made = state.apply(outside: [fitting, fitting, fitting.inverse])
    #expect(made.count == 1)
    #expect(state.document.text == "0ne")
  }
}
