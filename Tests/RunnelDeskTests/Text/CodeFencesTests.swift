import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct CodeFencesTests {
  /// The lines of a view that are shown as code.
  private func code(_ view: TextView) -> [Int] {
    (0..<view.document.lineCount).filter { line in
      view.allHighlights(line, view.document[line: line]).contains { $0.letters == .monospaced }
    }
  }

  /// The lines of code, found in the whole text.
  private func plainCode(_ text: String) -> [Int] {
    var (isInside, found) = (false, [Int]())
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let spaces = line.prefix { $0 == " " }.count
      let isFence = spaces < 4 && line.dropFirst(spaces).hasPrefix("```")
      if isFence || isInside { found.append(number) }
      if isFence { isInside.toggle() }
    }
    return found
  }

  @Test func linesOfABlockAreCode() {
    let view = TextView("a\n```swift\n# no heading\n```\nb\n   ```\nc\n    ```")
    view.syntax = { TextHighlight.markdown(in: $0) }
    #expect(code(view).isEmpty)
    view.codeFence = "```"
    #expect(code(view) == [1, 2, 3, 5, 6, 7])
    #expect(view.allHighlights(2, "# no heading").map(\.letters) == [.monospaced])
    view.text = "```\nx"
    #expect(code(view) == [0, 1])
    view.codeFence = ""
    #expect(code(view).isEmpty)
    view.text = "```"
    #expect(code(view).isEmpty)
  }

  /// Compares the lines with those that are found in the whole text, after random edits.
  @Test(arguments: 1...20)
  func linesFollowEdits(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["```", "`", "\n", "\n\n", "a", "", "\n```\n", "    ", "a\n```"]
    let view = TextView("a\n```\nb\n```\nc")
    view.codeFence = "```"
    for step in 0..<200 {
      let document = view.document
      func place() -> TextPosition {
        let line = Int.random(in: 0..<document.lineCount, using: &random)
        return TextPosition(
          line: line,
          offset: Int.random(in: 0...document[line: line].utf8.count, using: &random))
      }
      let (one, other) = (place(), place())
      let text = pieces.randomElement(using: &random) ?? ""
      let isLong = Int.random(in: 0..<4, using: &random) == 0
      let range = isLong ? min(one, other)..<max(one, other) : one..<one
      view.propose(replacing: range, with: text)
      // Several edits may come between two draws.
      if Bool.random(using: &random) { continue }
      #expect(code(view) == plainCode(view.text), "seed \(seed), step \(step)")
      if Int.random(in: 0..<9, using: &random) == 0 { _ = view.perform(.undo) }
    }
    #expect(code(view) == plainCode(view.text), "seed \(seed)")
  }
}
