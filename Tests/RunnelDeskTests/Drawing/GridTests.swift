import Testing

@testable import RunnelDesk

@Suite struct GridTests {
  @Test func isBlankAtFirst() {
    let grid = Grid(Size(width: 3, height: 2))
    #expect(grid.lines == ["", ""])
    #expect(grid[Point(x: 2, y: 1)] == .blank)
    #expect(grid.cursor == nil)
  }

  @Test func cellsOutsideAreBlank() {
    var grid = Grid(Size(width: 2, height: 1))
    grid.put("ab", at: .zero)
    #expect(grid[Point(x: 0, y: 0)].character == "a")
    for (x, y) in [(-1, 0), (2, 0), (0, 1), (0, -1), (.max, .max), (.min, .min)] {
      #expect(grid[Point(x: x, y: y)] == .blank)
    }
  }

  @Test(arguments: [(0, 0), (5, 0), (0, 5), (-3, 4)])
  func mayHaveNoCells(_ width: Int, _ height: Int) {
    var grid = Grid(Size(width: width, height: height))
    grid.put("text 世界", at: .zero)
    grid.fill(Rect(x: 0, y: 0, width: 9, height: 9), with: "世")
    grid.restyle(grid.bounds) { $0.effects = .bold }
    grid.clear()
    #expect(grid.size == Size(width: max(width, 0), height: max(height, 0)))
    #expect(grid.lines.joined() == "")
  }

  @Test func gridsThatShowTheSameAreEqual() {
    var left = Grid(Size(width: 6, height: 1))
    var right = left
    // The clusters are the same but are stored in another order.
    right.put("👍🏽🇨🇭", at: .zero)
    left.put("🇨🇭", at: Point(x: 2, y: 0))
    #expect(left != right)
    left.put("👍🏽", at: .zero)
    #expect(left == right)
    left.cursor = .zero
    #expect(left != right)
    left.clear()
    right.clear()
    #expect(left == right)
    #expect(Grid(Size(width: 2, height: 3)) != Grid(Size(width: 3, height: 2)))
  }

  /// Canonically equivalent characters may be drawn differently.
  @Test func canonicallyEquivalentSpellingsDiffer() {
    var (left, right) = (Grid(Size(width: 1, height: 1)), Grid(Size(width: 1, height: 1)))
    left.put("e\u{301}\u{323}", at: .zero)
    right.put("e\u{323}\u{301}", at: .zero)
    #expect(left != right)
    left.put("e\u{323}\u{301}", at: .zero)
    #expect(left == right)
    #expect(left[.zero].character.unicodeScalars.elementsEqual("e\u{323}\u{301}".unicodeScalars))
  }

  @Test func aCopyIsIndependent() {
    var grid = Grid(Size(width: 4, height: 1))
    grid.put("👍🏽", at: .zero)
    let copy = grid
    grid.put("ab🇨🇭", at: .zero)
    #expect(copy.text == "👍🏽")
    #expect(grid.text == "ab🇨🇭")
  }

  /// Memory stays flat when cells are overwritten many times.
  @Test func removesClustersThatAreNotShown() {
    var grid = Grid(Size(width: 4, height: 1))
    grid.put("🇨🇭", at: .zero)
    for number in UInt32(0)..<5_000 {
      let scalars = [0x61, 0x300 + number % 70, 0x300 + number / 70].compactMap(Unicode.Scalar.init)
      let text = String(String.UnicodeScalarView(scalars))
      grid.put(text, at: Point(x: 3, y: 0))
      #expect(String(grid[Point(x: 3, y: 0)].character) == text)
    }
    #expect(grid[.zero].character == "🇨🇭")
    #expect(grid.clusters.count < 200)
  }

  @Test func truncatesManyCombiningMarks() {
    var grid = Grid(Size(width: 2, height: 1))
    grid.put("a" + String(repeating: "\u{301}", count: 100_000) + "b", at: .zero)
    #expect(grid[.zero].character.unicodeScalars.count == 24)
    #expect(grid[Point(x: 1, y: 0)].character == "b")
  }
}
