import RunnelDesk
import RunnelTesting
import Testing

@Suite struct GridDrawingTests {
  private let bold = TextStyle(effects: .bold)

  private func grid(_ width: Int, _ height: Int = 1, _ text: String = "") -> Grid {
    var grid = Grid(Size(width: width, height: height))
    grid.put(text, at: .zero)
    return grid
  }

  // MARK: - Text

  @Test func putStartsAtThePointAndReturnsTheEnd() {
    var grid = grid(8, 2)
    #expect(grid.put("ab世c", at: Point(x: 1, y: 1), style: bold) == 6)
    #expect(grid.lines == ["", " ab世c"])
    #expect(grid[Point(x: 3, y: 1)] == Cell("世", style: bold, width: 2))
    #expect(grid[Point(x: 4, y: 1)] == Cell(" ", style: bold, width: 0))
    #expect(grid[Point(x: 6, y: 1)] == .blank)
  }

  @Test func textIsClippedAtTheEdges() {
    var grid = grid(4)
    grid.put("abcdefgh", at: Point(x: -2, y: 0))
    #expect(grid.text == "cdef")
    #expect(grid.put("xyz", at: Point(x: 3, y: 0)) >= 4)
    #expect(grid.text == "cdex")
    #expect(grid.put("é", at: Point(x: -1, y: 0)) == 0)
    #expect(grid.put("nowhere", at: Point(x: 0, y: 1)) == 7)
    #expect(grid.put("世", at: Point(x: .max, y: 0)) == .max)
    grid.put("nowhere", at: Point(x: .min, y: 0))
    grid.put("nowhere", at: Point(x: .max, y: .min))
    #expect(grid.text == "cdex")
  }

  @Test func aWideCharacterIsNeverSplit() {
    var grid = grid(4, 1, "....")
    grid.put("世界世", at: Point(x: -1, y: 0), style: bold)
    #expect(grid.text == " 界")
    #expect((0..<4).map { grid[Point(x: $0, y: 0)].width } == [1, 2, 0, 1])
    #expect(grid[Point(x: 3, y: 0)].style == bold)
  }

  @Test func overwritingHalfAWideCharacterRemovesIt() {
    for (column, expected) in [(0, "x 界"), (1, " x界"), (2, "世x"), (3, "世 x")] {
      var grid = grid(4, 1, "世界")
      grid.put("x", at: Point(x: column, y: 0))
      #expect(grid.text == expected)
    }
    var grid = grid(6, 1, "世界世")
    grid.put("界", at: Point(x: 1, y: 0))
    #expect(grid.text == " 界 世")
    grid.fill(Rect(x: 2, y: 0, width: 3, height: 1), with: "-")
    #expect(grid.text == "  ---")
  }

  @Test func drawingChangesOnlyTheClipRect() {
    var grid = grid(8, 1, "世界世界")
    let clip = Rect(x: 3, y: 0, width: 3, height: 1)
    grid.put("abcdefgh", at: .zero, in: clip)
    #expect(grid.text == "世 def界")
    grid.put("x", at: Point(x: 2, y: 0), in: clip)
    grid.put("x", at: Point(x: 6, y: 0), in: clip)
    #expect(grid.text == "世 def界")
    grid.put("all", at: .zero, in: Rect(x: 0, y: 5, width: 9, height: 9))
    #expect(grid.text == "世 def界")
  }

  @Test func controlCharactersAreReplaced() {
    var grid = grid(12)
    #expect(grid.put("\u{1B}[2J\t\r\n\u{7F}\u{9B}\0", at: .zero) == 9)
    #expect(grid.text == "␛[2J␉␍␡\u{FFFD}␀")
  }

  @Test func zeroWidthCharactersTakeNoCell() {
    var grid = grid(6)
    #expect(grid.put("\u{301}a\u{200B}b\u{202E}\u{2028}c", at: .zero) == 3)
    #expect(grid.text == "abc")
    grid.fill(grid.bounds, with: "\u{200B}")
    #expect(grid.text == "abc")
  }

  /// Text beyond the clip rectangle is not read.
  @Test func aHugeTextIsCheapToDraw() {
    var grid = grid(10)
    let text = String(repeating: "0123456789", count: 1_000_000)
    for _ in 0..<1_000 { grid.put(text, at: .zero) }
    #expect(grid.text == "0123456789")
  }

  // MARK: - Areas

  @Test func fillsARect() {
    var grid = grid(6, 3)
    grid.fill(Rect(x: 1, y: 1, width: 3, height: 9), with: "*", style: bold)
    #expect(grid.lines == ["", " ***", " ***"])
    grid.fill(Rect(x: 1, y: 2, width: 5, height: 1), with: "世")
    #expect(grid.lines == ["", " ***", " 世世"])
    grid.fill(Rect(x: .min, y: .min, width: .max, height: .max))
    #expect(grid.lines == ["", " ***", " 世世"])
    grid.fill(Rect(x: 0, y: 0, width: .max, height: .max), with: "👍🏽")
    #expect(grid.lines == Array(repeating: "👍🏽👍🏽👍🏽", count: 3))
  }

  @Test func restylesARectWithWholeWideCharacters() {
    var grid = grid(6, 1, "a世b界")
    grid.restyle(Rect(x: 2, y: 0, width: 3, height: 1)) { $0 = bold }
    #expect(
      grid.styledText == """
        a世b界
        ----
        .aaaaa
        a: bold
        """)
  }

  // MARK: - Model

  /// Thousands of random drawings, compared with a grid that draws cell by cell.
  @Test(arguments: seeds(14) as Range<UInt64>)
  func randomDrawingsAgreeWithTheModel(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = Size(
      width: .random(in: 1...12, using: &random), height: .random(in: 1...4, using: &random))
    var grid = Grid(size)
    var model = SlowGrid(size)
    for _ in 0..<200 {
      let clip = RandomDrawing.rect(around: size, using: &random)
      let style = RandomDrawing.style(using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let character = RandomDrawing.character(using: &random)
        let rect = RandomDrawing.rect(around: size, using: &random)
        grid.fill(rect, with: character, style: style, in: clip)
        model.fill(rect, with: character, style, in: clip)
      default:
        let text = RandomDrawing.text(using: &random)
        let point = RandomDrawing.point(around: size, using: &random)
        grid.put(text, at: point, style: style, in: clip)
        model.put(text, at: point, style, in: clip)
      }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let place = Point(x: x, y: y)
          #expect(grid[place] == model[place], "seed \(seed), at \(place)")
        }
      }
    }
  }
}
