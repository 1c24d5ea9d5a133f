import RunnelDesk
import RunnelTesting
import RunnelText
import Testing

/// Compares columns of very long lines with columns that are counted from the start of the line.
@Suite struct LineColumnsTests {
  private static let characters = ["a", "b", " ", "世", "e\u{301}", "\u{200B}", "👍🏽", "ä", "-"]

  @Test(arguments: seeds(3) as Range<UInt64>)
  func randomEditsOfALongLineKeepColumns(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func text(_ count: Int) -> String {
      (0..<count).map { _ in Self.characters.randomElement(using: &random) ?? "" }.joined()
    }
    var document = TextDocument("first\n\(text(5_000))\nlast")
    var layout = TextLayout()
    for _ in 0..<40 {
      let end = document.end(ofLine: 1).offset
      let place = document.clamped(
        TextPosition(line: 1, offset: .random(in: 0...end, using: &random)))
      let before = String(document[TextPosition(line: 1, offset: 0)..<place])
      #expect(layout.column(of: place, in: document) == before.cellWidth, "seed \(seed)")
      let row = layout.row(at: place, of: document)
      let column = Int.random(in: 0...6_000, using: &random)
      let fitting = document[line: 1].prefix(cellWidth: column)
      #expect(
        layout.position(atColumn: column, in: row, of: document).offset == fitting.utf8.count,
        "seed \(seed)")
      // Inserts text that may join the preceding character, or removes text.
      let other = document.clamped(
        TextPosition(line: 1, offset: .random(in: 0...end, using: &random)))
      let range =
        Bool.random(using: &random) ? place..<place : min(place, other)..<max(place, other)
      let inserted = text(.random(in: 0...900, using: &random))
      let change = TextChange(range, Bool.random(using: &random) ? "\u{301}" + inserted : inserted)
      layout.update(after: change)
      document.replace(change.range, with: change.replacement)
    }
  }

  @MainActor
  @Test func aLongLineIsShownAtAnyScrollOffset() {
    let line = (0..<3_000).map { "\($0)," }.joined()
    let (field, view) = (TextField(line), TextView(line))
    view.wrapsLines = false
    view.selection = TextSelection(caret: view.document.end)
    let desk = Desk(StackView(.vertical, [field, view]), width: 12, height: 2)
    #expect(desk.lines == Array(repeating: String(line.suffix(11)), count: 2))
    let place = TextSelection(caret: TextPosition(line: 0, offset: 5_000))
    (field.selection, view.selection) = (place, place)
    let shown = desk.lines
    #expect(shown[0].count >= 11 && line.contains(shown[0]) && shown[0] == shown[1])
    field.selection = .start
    #expect(desk.lines[0] == "0,1,2,3,4,5,")
  }
}
