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
    // Each line keeps what is the same in it.
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
    let made = state.apply(outside: state.edits(to: TextDocument("zero\none\ntwo!\nthr")))
    #expect(made.count == 3)
    #expect(state.document.text == "zero\none\ntwo!\nthr")
    #expect(state.selection == TextSelection(anchor: place(2, 1), head: place(3, 2)))
  }

  @Test func outsideEditsThatDoNotFitEndTheList() {
    var state = EditingState("one")
    let fitting = TextEdit(.start..<place(0, 1), old: "o", new: "0")
    let made = state.apply(outside: [fitting, fitting, fitting.inverse])
    #expect(made.count == 1)
    #expect(state.document.text == "0ne")
  }
}
