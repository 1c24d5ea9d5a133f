import RunnelTesting
import Testing

@testable import RunnelDesk

@Suite struct MarkdownFencesTests {
  private func fenced(_ text: String) -> [Int] {
    let document = TextDocument(text)
    var fences = CodeFences.markdown
    return (0..<document.lineCount).filter { fences.isCode($0, of: document) }
  }

  @Test(arguments: [
    ("a\n```swift\nb\n```\nc", [1, 2, 3]), ("", []), ("```", [0]), ("``\na", []), ("x ```\na", []),
    ("~~~\na\n  ~~~\nb\n```\nc", [0, 1, 2, 4, 5]),
  ])
  func linesOfBlocksAreFound(_ text: String, _ expected: [Int]) {
    #expect(fenced(text) == expected)
  }

  /// After any edit, the lines agree with the new text.
  @Test func editsAreFollowed() {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    let parts = ["```", "\n", "a", "```\n", "\n```\n", ""]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<300 {
      var document = TextDocument(text(12))
      var fences = CodeFences.markdown
      // Reads the lines, so that they are followed from now on.
      _ = fences.isCode(0, of: document)
      for _ in 0..<4 {
        let places = (0..<2).map { _ in
          let line = Int.random(in: 0..<document.lineCount, using: &random)
          return TextPosition(
            line: line, offset: Int.random(in: 0...document[line: line].utf8.count, using: &random))
        }.sorted()
        let range = places[0]..<places[1]
        let edit = TextEdit(range, old: document[range], new: text(3))
        let isMade = document.apply(edit)
        #expect(isMade)
        fences.follow(edit)
        var all = CodeFences.markdown
        let differences = (0..<document.lineCount).filter {
          fences.isCode($0, of: document) != all.isCode($0, of: document)
        }
        #expect(differences == [], "seed \(seed): \(document.text)")
      }
    }
  }
}
