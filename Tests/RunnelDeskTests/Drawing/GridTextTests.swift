import RunnelDesk
import Testing

@Suite struct GridTextTests {
  @Test func linesHaveNoTrailingSpaces() {
    var grid = Grid(Size(width: 8, height: 3))
    grid.put("  a b  ", at: .zero)
    grid.put("世 ", at: Point(x: 5, y: 2))
    #expect(grid.lines == ["  a b", "", "     世"])
    #expect(grid.text == "  a b\n\n     世")
  }

  @Test func stylesAreListedBelowTheText() {
    var grid = Grid(Size(width: 12, height: 2))
    #expect(grid.styledText == "\n")
    grid.put("Save", at: .zero, style: TextStyle(background: .blue, effects: .bold))
    grid.put("  Cancel", at: Point(x: 4, y: 0))
    grid.put("世", at: Point(x: 1, y: 1), style: TextStyle(foreground: .rgb(255, 0, 0)))
    grid.put("!", at: Point(x: 11, y: 1), style: TextStyle(background: .blue, effects: .bold))
    grid.cursor = Point(x: 4, y: 1)
    #expect(
      grid.styledText == """
        Save  Cancel
         世        !
        ----
        aaaa
        .bb........a
        a: bold on blue
        b: #ff0000
        cursor: (4, 1)
        """)
  }

  @Test func hasALetterForEachOf256Styles() {
    var grid = Grid(Size(width: 256, height: 1))
    for index in UInt8.min...UInt8.max {
      grid.put("x", at: Point(x: Int(index), y: 0), style: TextStyle(foreground: .palette(index)))
    }
    let lines = grid.styledText.split(separator: "\n")
    #expect(Set(lines[2]).count == 256)
    #expect(lines.count == 3 + 256)
  }
}
