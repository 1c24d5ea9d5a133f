import RunnelDesk
import RunnelTesting
import Testing

@Suite struct TextFindingTests {
  private static func digits(_ line: String) -> [Range<String.Index>] {
    line.indices.filter { line[$0].isNumber }.map { $0..<line.index(after: $0) }
  }

  /// Random texts are compared with a list of all matches.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func nextAndPreviousMatchContinueAtOtherEnd(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          "1\n\na世".randomElement(using: &random) ?? "a"
        })
      let document = TextDocument(text)
      let all = document.matches(in: Self.digits)
      let line = Int.random(in: 0..<document.lineCount, using: &random)
      let length = document[line: line].utf8.count
      let place = TextPosition(line: line, offset: Int.random(in: 0...length, using: &random))
      let message = "seed \(seed): \(text.debugDescription) at \(place)"
      let next = document.match(after: place, in: Self.digits)
      #expect(next == (all.first(where: { $0 > place }) ?? all.first), "\(message)")
      let same = document.match(after: place, orAt: true, in: Self.digits)
      #expect(same == (all.first(where: { $0 >= place }) ?? all.first), "\(message)")
      let previous = document.match(before: place, in: Self.digits)
      #expect(previous == (all.last(where: { $0 < place }) ?? all.last), "\(message)")
    }
  }

  @Test func positionCountsBytesOfLine() {
    let document = TextDocument("a\n世b")
    let line = document[line: 1]
    let index = line.index(after: line.startIndex)
    #expect(document.position(of: index, inLine: 1) == TextPosition(line: 1, offset: 3))
  }
}
