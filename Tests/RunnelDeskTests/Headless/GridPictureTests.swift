import RunnelDesk
import Testing

@Suite struct GridPictureTests {
  @Test func anSVGHasEachRunWithPositionAndColor() {
    var grid = Grid(Size(width: 12, height: 2))
    grid.put("a<b", at: .zero, style: TextStyle(foreground: .red, effects: [.bold, .underline]))
    grid.put("世x", at: Point(x: 1, y: 1), style: TextStyle(background: .rgb(1, 2, 255)))
    grid.cursor = Point(x: 2, y: 1)
    #expect(
      grid.svg == """
        <svg xmlns="http://www.w3.org/2000/svg" width="112" height="52" viewBox="-8 -8 112 52" \
        font-family="monospace" font-size="13.3">
        <rect x="-8" y="-8" width="100%" height="100%" rx="6" fill="#1e1e1e"/>
        <text x="0" y="14" textLength="24" xml:space="preserve" fill="#cd3131" font-weight="bold" \
        text-decoration="underline">a&lt;b</text>
        <rect x="8" y="18" width="16" height="18" fill="#0102ff"/>
        <text x="8" y="32" textLength="16" xml:space="preserve" fill="#d4d4d4">世</text>
        <rect x="24" y="18" width="8" height="18" fill="#0102ff"/>
        <text x="24" y="32" textLength="8" xml:space="preserve" fill="#d4d4d4">x</text>
        <rect x="16" y="18" width="2" height="18" fill="#d4d4d4"/>
        </svg>

        """)
  }

  @Test(arguments: [
    (Color.palette(16), "#000000"), (.palette(231), "#ffffff"), (.palette(196), "#ff0000"),
    (.palette(232), "#080808"), (.palette(255), "#eeeeee"), (.brightBlue, "#3b8eea"),
  ])
  func colours(_ color: Color, _ code: String) {
    var grid = Grid(Size(width: 1, height: 1))
    grid.put("x", at: .zero, style: TextStyle(foreground: .green, background: color))
    #expect(grid.svg.contains("height=\"18\" fill=\"\(code)\""))
    grid.put(
      "x", at: .zero, style: TextStyle(foreground: color, background: .red, effects: .reverse))
    #expect(grid.svg.contains("height=\"18\" fill=\"\(code)\""))
  }

  @Test func anEmptyGridGivesAnEmptyPicture() {
    #expect(Grid(.zero).svg.hasSuffix("fill=\"#1e1e1e\"/>\n</svg>\n"))
  }
}
