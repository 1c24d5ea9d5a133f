import RunnelTesting
import RunnelText
import Testing

@testable import RunnelDesk

@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("", 5, [""]), ("one", 5, ["one"]), ("one two", 7, ["one two"]),
    ("one two", 5, ["one", "two"]),
    ("one two", 3, ["one", "two"]), ("one  two", 4, ["one", "two"]), ("a\n\nb", 5, ["a", "", "b"]),
    ("a\r\nb", 5, ["a", "b"]), ("longest", 3, ["lon", "ges", "t"]),
    ("a longest", 3, ["a", "lon", "ges", "t"]),
    ("  in", 3, ["", "in"]), ("one ", 3, ["one"]), ("世界世", 4, ["世界", "世"]), ("世", 1, ["世"]),
    ("ab", 0, ["a", "b"]), ("ab", -3, ["a", "b"]),
  ])
  func breaksBetweenWords(_ text: String, _ width: Int, _ rows: [String]) {
    #expect(text.wrapped(to: width).map(String.init) == rows)
  }

  @Test func keepsAllCharactersButWhitespace() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let letters: [Character] = ["a", "b", " ", "\n", "世", "👍🏽", "é"]
      let text = String(
        (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
      let width = Int.random(in: 2...9, using: &generator)
      let rows = text.wrapped(to: width)
      #expect(rows.allSatisfy { $0.cellWidth <= width }, "seed \(seed): \(text.debugDescription)")
      #expect(
        rows.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace },
        "seed \(seed): \(text.debugDescription)")
    }
  }
}
