import RunnelDesk
import Testing

@Suite struct GridSizeTests {
  @Test func resizingClipsOrPads() {
    var grid = Grid(Size(width: 5, height: 2))
    let red = TextStyle(foreground: .red)
    grid.put("ab世👍🏽", at: .zero, style: red)
    grid.put("below", at: Point(x: 0, y: 1))
    grid.cursor = Point(x: 1, y: 1)
    #expect(grid.resized(to: grid.size) == grid)
    // A wide character that does not fit becomes a blank.
    #expect(grid.resized(to: Size(width: 3, height: 1)).lines == ["ab"])
    let larger = grid.resized(to: Size(width: 7, height: 3))
    #expect(larger.lines == ["ab世", "below", ""])
    #expect(larger[Point(x: 2, y: 0)] == Cell("世", style: red, width: 2))
    #expect(larger.cursor == Point(x: 1, y: 1))
    #expect(grid.resized(to: .zero).lines == [])
  }
}
