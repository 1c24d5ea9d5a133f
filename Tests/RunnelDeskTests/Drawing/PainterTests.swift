import RunnelDesk
import Testing

@Suite struct PainterTests {
  private func painter(_ width: Int, _ height: Int) -> Painter {
    Painter(Grid(Size(width: width, height: height)))
  }

  // MARK: - Nested rectangles

  @Test func drawsInItsOwnCoordinates() {
    var painter = painter(10, 4)
    painter.within(Rect(x: 2, y: 1, width: 5, height: 2)) { outer in
      #expect(outer.bounds == Rect(x: 0, y: 0, width: 5, height: 2))
      #expect(outer.put("abcdefgh", at: .zero) >= 5)
      outer.within(Rect(x: 1, y: 1, width: 100, height: 100)) { inner in
        #expect(inner.size == Size(width: 100, height: 100))
        #expect(inner.visibleBounds == Rect(x: 0, y: 0, width: 4, height: 1))
        inner.fill(inner.bounds, with: "*")
      }
      #expect(outer.put("z", at: Point(x: 0, y: 1)) == 1)
    }
    painter.put("end", at: Point(x: 0, y: 3))
    #expect(painter.grid.lines == ["", "  abcde", "  z****", "end"])
  }

  /// The origin of a scrolled view is outside the visible rectangle.
  @Test func aNestedRectMayBeginOutside() {
    var painter = painter(4, 2)
    painter.within(Rect(x: -2, y: -3, width: 5, height: 5)) { inner in
      #expect(inner.visibleBounds == Rect(x: 2, y: 3, width: 3, height: 2))
      for y in 0..<5 { inner.put("01234\(y)", at: Point(x: 0, y: y)) }
      inner.put("x", at: Point(x: 2, y: 3))
    }
    #expect(painter.grid.lines == ["x34", "234"])
    painter.within(Rect(x: 9, y: 9, width: 5, height: 5)) { inner in
      #expect(inner.visibleBounds.isEmpty)
      inner.fill(inner.bounds, with: "*")
    }
    painter.within(Rect(x: .max, y: .min, width: .max, height: .max)) { inner in
      inner.within(inner.bounds) { $0.border($0.bounds) }
    }
    #expect(painter.grid.lines == ["x34", "234"])
  }

  // MARK: - Text

  @Test(arguments: [
    (TextAlignment.leading, "[ab     ]", "[abcdef…]"), (.center, "[  ab   ]", "[abcdef…]"),
    (.trailing, "[     ab]", "[abcdef…]"),
  ])
  func textIsAligned(_ alignment: TextAlignment, _ short: String, _ long: String) {
    for (text, expected) in [("ab", short), ("abcdefgh", long)] {
      var painter = painter(9, 1)
      painter.put("[       ]", at: .zero)
      painter.put(text, in: Rect(x: 1, y: 0, width: 7, height: 1), alignment: alignment)
      #expect(painter.grid.text == expected)
    }
  }

  @Test func aTextOfTheExactWidthIsNotTruncated() {
    var painter = painter(6, 1)
    painter.put("世界世", in: painter.bounds)
    #expect(painter.grid.text == "世界世")
    painter.put("世界世世", in: painter.bounds)
    #expect(painter.grid.text == "世界…")
    painter.put("a世界世", in: painter.bounds)
    #expect(painter.grid.text == "a世界…")
    painter.put("long", in: Rect(x: 0, y: 0, width: 1, height: 1))
    #expect(painter.grid.text == "…世界…")
    painter.put("long", in: Rect(x: 0, y: 0, width: 0, height: 1))
    #expect(painter.grid.text == "…世界…")
  }

  // MARK: - Lines

  @Test(arguments: [
    (BorderLines.single, "┌── A ──┐\n│       │\n└───────┘"),
    (.rounded, "╭── A ──╮\n│       │\n╰───────╯"),
    (.heavy, "┏━━ A ━━┓\n┃       ┃\n┗━━━━━━━┛"),
    (.double, "╔══ A ══╗\n║       ║\n╚═══════╝"),
  ])
  func drawsABorder(_ lines: BorderLines, _ expected: String) {
    var painter = painter(9, 3)
    painter.border(painter.bounds, lines)
    painter.put(" A ", in: Rect(x: 2, y: 0, width: 5, height: 1), alignment: .center)
    #expect(painter.grid.text == expected)
  }

  @Test func theTitleIsInTheTopBorder() {
    var painter = painter(12, 3)
    for (title, expected) in [
      ("Notes", "┌─ Notes ──┐"), ("A long title", "┌─ A lon… ─┐"), ("", "┌──────────┐"),
    ] {
      painter.border(painter.bounds, title: title)
      #expect(painter.grid.lines[0] == expected)
    }
    painter.border(Rect(x: 0, y: 0, width: 5, height: 2), title: "None")
    #expect(painter.grid.lines[0] == "┌───┐──────┐")
    painter.border(Rect(x: 0, y: 2, width: 9, height: 1))
    #expect(painter.grid.lines[2] == "└──────────┘")
  }

  @Test func drawsHorizontalAndVerticalLines() {
    var painter = painter(5, 3)
    painter.horizontalLine(from: Point(x: 1, y: 0), length: 3)
    painter.verticalLine(from: Point(x: 4, y: 1), length: 9, .heavy)
    #expect(painter.grid.lines == [" ───", "    ┃", "    ┃"])
  }

  // MARK: - Restyling and the cursor

  @Test func restylesWithinTheNestedRect() {
    var painter = painter(6, 1)
    painter.put("abcdef", at: .zero)
    painter.within(Rect(x: 1, y: 0, width: 3, height: 1)) { inner in
      inner.restyle(Rect(x: 1, y: 0, width: 9, height: 1)) { $0.effects = .reverse }
    }
    #expect(painter.grid.styledText == "abcdef\n----\n..aa\na: reverse")
  }

  @Test func theCursorIsHiddenOutsideTheVisibleRect() {
    var painter = painter(6, 2)
    painter.within(Rect(x: 1, y: 1, width: 3, height: 1)) { inner in
      inner.placeCursor(at: Point(x: 2, y: 0))
      #expect(inner.grid.cursor == Point(x: 3, y: 1))
      inner.placeCursor(at: Point(x: 3, y: 0))
      #expect(inner.grid.cursor == nil)
      inner.placeCursor(at: .zero)
    }
    #expect(painter.grid.cursor == Point(x: 1, y: 1))
    painter.placeCursor(at: nil)
    #expect(painter.grid.cursor == nil)
  }
}
