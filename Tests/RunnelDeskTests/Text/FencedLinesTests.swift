import RunnelTesting
import Testing

@testable import RunnelDesk

@Suite struct FencedLinesTests {
  private func fenced(_ text: String) -> [Int] {
    let document = TextDocument(text)
    let lines = FencedLines(in: document)
    return (0..<document.lineCount).filter(lines.contains)
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
      var lines = FencedLines(in: document)
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
        lines.follow(edit, in: document)
        let all = FencedLines(in: document)
        let differences = (0..<document.lineCount).filter {
          lines.contains($0) != all.contains($0)
        }
        #expect(differences == [], "seed \(seed): \(document.text)")
      }
    }
  }
}
