import RunnelDesk
import RunnelTerminal
import RunnelTesting
import TestSupport
import Testing

@Suite struct FrameWriterTests {
  private let size = Size(width: 30, height: 6)

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛")
  }

  /// Returns the bytes that change one grid to another, when the cursor of the terminal is where
  /// the first one shows it.
  private func bytes(_ old: Grid, _ new: Grid, colors: ColorDepth = .full) -> String {
    var writer = FrameWriter(colors: colors)
    _ = writer.bytes(from: nil, to: old)
    return text(writer.bytes(from: old, to: new))
  }

  private func grid(_ text: String, _ style: TextStyle = .plain, at x: Int = 0, y: Int = 0) -> Grid
  {
    var grid = Grid(size)
    grid.put(text, at: Point(x: x, y: y), style: style)
    return grid
  }

  // MARK: - Output

  /// A wavy line is red. In a terminal without it, it is a plain one.
  @Test func wavyLinesAreWrittenIfTheTerminalHasThem() {
    let (wavy, line) = (TextStyle(effects: .wavy), TextStyle(effects: .underline))
    func all(_ hasWavyLines: Bool) -> [String] {
      var writer = FrameWriter(colors: .full, hasWavyLines: hasWavyLines)
      let grids = [.plain, wavy, line, wavy.adding(.bold), .plain].map { grid("a", $0) }
      _ = writer.bytes(from: nil, to: grids[0])
      return zip(grids, grids.dropFirst()).map { old, new in
        text(writer.bytes(from: old, to: new)).replacing(/[\r\u{8}a]/, with: "")
      }
    }
    #expect(all(true) == ["␛[4:3;58:5:1m", "␛[;4m", "␛[;1;4:3;58:5:1m", "␛[m"])
    #expect(all(false) == ["␛[4m", "", "␛[1m", "␛[m"])
    var writer = FrameWriter(colors: .full, hasWavyLines: true)
    let bold = TextStyle(foreground: .rgb(200, 100, 50), effects: .bold)
    let grids = [bold.adding(.wavy), bold].map { grid("a", $0) }
    _ = writer.bytes(from: nil, to: grids[0])
    // The change is shorter than a reset. The next underline is not red.
    #expect(text(writer.bytes(from: grids[0], to: grids[1])).contains("24;59m"))
  }

  @Test func firstFrameClearsScreen() {
    var writer = FrameWriter(colors: .full)
    #expect(
      text(writer.bytes(from: nil, to: grid("Hi", at: 2, y: 1))) == "␛[m␛[H␛[2J\n␛[2CHi␛[?25l")
  }

  @Test func equalFrameWritesNothing() {
    #expect(bytes(grid("Hi"), grid("Hi")) == "")
    var writer = FrameWriter(colors: .full)
    writer.isSynchronized = true
    _ = writer.bytes(from: nil, to: grid("Hi"))
    #expect(writer.bytes(from: grid("Hi"), to: grid("Hi")) == [])
  }

  @Test func onlyDifferencesAreWritten() {
    #expect(bytes(grid("one two"), grid("one too")) == "\u{8}\u{8}o")
    #expect(bytes(grid("one two"), grid("One twO")) == "\rO␛[5CO")
    #expect(bytes(grid("abcdef"), grid("Xbcdef")) == "\rX")
    // Rewriting the cells in between is shorter than a jump.
    #expect(bytes(grid("abcdef"), grid("XbcdeX")) == "\rXbcdeX")
    #expect(bytes(grid("abcdef"), grid("XbcdefX")) == "\rX␛[5CX")
  }

  @Test func trailingBlanksAreErased() {
    #expect(bytes(grid("one two three"), grid("one")) == "␛[9D␛[K")
    #expect(bytes(grid("one two"), grid("one t")) == "\u{8}\u{8}  ")
    #expect(bytes(grid("one"), Grid(size)) == "\r   ")
    #expect(bytes(grid("four"), Grid(size)) == "\r␛[K")
    // Erasing is not used with background colours: terminals differ.
    let blue = TextStyle(background: .blue)
    #expect(bytes(grid("12345678", blue), grid("1       ", blue)) == "␛[7D       ")
    #expect(bytes(grid("12345678", blue), grid("1", blue)) == "␛[7D␛[m␛[K")
  }

  @Test func styleChangesTakeFewestBytes() {
    let red = TextStyle(foreground: .red)
    #expect(bytes(Grid(size), grid("x", red)) == "␛[31mx")
    var new = grid("a", red.adding(.bold))
    new.put("b", at: Point(x: 1, y: 0), style: red)
    new.put("c", at: Point(x: 2, y: 0), style: red.background(.brightWhite))
    new.put("d", at: Point(x: 3, y: 0), style: TextStyle(foreground: .palette(77)))
    new.put("e", at: Point(x: 4, y: 0))
    #expect(bytes(Grid(size), new) == "␛[1;31ma␛[22mb␛[107mc␛[;38;5;77md␛[me")
    let all = TextStyle(effects: [.bold, .dim, .italic, .underline, .reverse, .strike])
    #expect(bytes(Grid(size), grid("x", all)) == "␛[1;2;3;4;7;9mx")
    var less = grid("a", TextStyle(foreground: .rgb(1, 2, 3), effects: [.bold, .dim]))
    less.put("b", at: Point(x: 1, y: 0), style: TextStyle(foreground: .rgb(1, 2, 3), effects: .dim))
    #expect(bytes(Grid(size), less) == "␛[1;2;38;2;1;2;3ma␛[22;2mb")
  }

  @Test func cursorIsPlacedShownAndHidden() {
    var grid = Grid(size)
    grid.cursor = Point(x: 3, y: 2)
    #expect(bytes(Grid(size), grid) == "␛[3;4H␛[?25h")
    var other = grid
    other.cursor = Point(x: 2, y: 2)
    #expect(bytes(grid, other) == "\u{8}")
    other.cursor = nil
    #expect(bytes(grid, other) == "␛[?25l")
    other.cursor = Point(x: 30, y: 0)
    #expect(bytes(grid, other) == "␛[?25l")
  }

  @Test func cursorIsSetAfterCharacterOfUncertainWidth() {
    #expect(bytes(Grid(size), grid("e\u{301}x")) == "e\u{301}\r␛[Cx")
    #expect(bytes(Grid(size), grid("🙂x")) == "🙂\r␛[2Cx")
    #expect(bytes(Grid(size), grid("世x")) == "世x")
    // Cells that the terminal may have overwritten are written again, and possible remains are
    // cleared.
    #expect(bytes(grid("ab1234567"), grid("👨‍👩‍👧1234567")) == "\r  \r👨‍👩‍👧\r␛[2C1234")
  }

  @Test func synchronizedFrameIsMarked() {
    var writer = FrameWriter(colors: .full)
    writer.isSynchronized = true
    _ = writer.bytes(from: nil, to: Grid(size))
    #expect(text(writer.bytes(from: Grid(size), to: grid("x"))) == "␛[?2026hx␛[?2026l")
  }

  @Test func cursorIsHiddenDuringLargeUpdates() {
    var writer = FrameWriter(colors: .full)
    let size = Size(width: 100, height: 10)
    var old = Grid(size)
    old.cursor = .zero
    _ = writer.bytes(from: nil, to: old)
    var new = old
    new.fill(new.bounds, with: "x")
    let bytes = text(writer.bytes(from: old, to: new))
    #expect(bytes.hasPrefix("␛[?25lxxx"))
    #expect(bytes.hasSuffix("x␛[H␛[?25h"))
  }

  @Test(arguments: [
    (ColorDepth.full, "␛[38;2;255;130;0mx"), (.palette, "␛[38;5;208mx"), (.sixteen, "␛[33mx"),
    (.none, "x"),
  ])
  func colorsMatchColorDepth(_ depth: ColorDepth, _ expected: String) {
    let orange = TextStyle(foreground: .rgb(255, 130, 0))
    #expect(bytes(Grid(size), grid("x", orange), colors: depth) == expected)
  }

  @Test(arguments: [0, 1])
  func emptyScreenIsSupported(_ height: Int) {
    var writer = FrameWriter(colors: .full)
    let empty = Grid(Size(width: 0, height: height))
    #expect(text(writer.bytes(from: nil, to: empty)) == "␛[m␛[H␛[2J␛[?25l")
    #expect(writer.bytes(from: empty, to: empty) == [])
  }

  // MARK: - Links

  /// Links are closed at the end of each frame, and written again only when they change.
  @Test func linksAreMarked() {
    let blank = Grid(Size(width: 12, height: 1))
    var linked = grid("see here now")
    linked.link(Rect(x: 4, y: 0, width: 4, height: 1), to: "https://a")
    // The cursor skips the space behind the link.
    #expect(bytes(blank, linked).contains("see ␛]8;;https://a␛\\here␛[C␛]8;;␛\\now"))
    #expect(bytes(linked, linked) == "")
    var other = grid("see here now")
    other.link(Rect(x: 0, y: 0, width: 1, height: 1), to: "https://b")
    other.put("s", at: .zero)
    // The same address has another place in the list.
    other.link(Rect(x: 4, y: 0, width: 4, height: 1), to: "https://a")
    #expect(bytes(linked, other) == "")
    #expect(bytes(linked, grid("see here now")).contains("here"))
    other.put("h", at: Point(x: 4, y: 0))
    #expect(other.link(at: Point(x: 4, y: 0)) == nil && other.link(at: Point(x: 5, y: 0)) != nil)
    #expect(other.resized(to: Size(width: 6, height: 2)).link(at: Point(x: 5, y: 0)) == "https://a")
  }

  // MARK: - Results in a terminal

  /// A sequence of random grids, each drawn over the previous one.
  @Test(arguments: seeds(20) as Range<UInt64>)
  func screenShowsRandomGrids(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = Size(
      width: .random(in: 1...40, using: &random), height: .random(in: 1...8, using: &random))
    var writer = FrameWriter(colors: .full)
    var screen = ScreenModel(size)
    var shown: Grid?
    for step in 0..<60 {
      var grid = shown ?? RandomScreens.grid(size, using: &random)
      if step % 10 == 9 {
        grid = RandomScreens.grid(size, using: &random)
      } else {
        RandomScreens.change(&grid, using: &random)
      }
      // After other output, the next frame is complete.
      if step % 17 == 16 {
        writer.forget()
        screen.obey(Array("noise \u{1B}[1;31m".utf8))
        shown = nil
      }
      screen.obey(writer.bytes(from: shown, to: grid))
      shown = grid
      screen.expectToShow(grid, "seed \(seed), step \(step)")
    }
  }

  /// The terminal measures each scalar separately. Only characters that it measures wrongly may be
  /// wrong.
  @Test(arguments: seeds(20) as Range<UInt64>)
  func wrongWidthsDoNotSpread(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = Size(width: 30, height: 4)
    var writer = FrameWriter(colors: .full)
    var screen = ScreenModel(size, widths: .scalars)
    var shown: Grid?
    for step in 0..<60 {
      var grid = shown ?? RandomScreens.grid(size, using: &random)
      RandomScreens.change(&grid, using: &random)
      screen.obey(writer.bytes(from: shown, to: grid))
      shown = grid
      screen.expectToShow(grid, "seed \(seed), step \(step)") { point in
        // A character that it may have torn apart, and the one drawn over its end.
        let cells = [-1, 0].map { grid[Point(x: point.x + $0, y: point.y)] }
        return cells.allSatisfy { $0.width == 1 || $0.character.unicodeScalars.count == 1 }
          && grid[point].character.unicodeScalars.count == 1
      }
    }
  }

  // MARK: - Cost

  @Test func oneWordTakesFewBytes() {
    let size = Size(width: 200, height: 60)
    var old = Grid(size)
    for y in 0..<60 {
      old.put(String(repeating: "word after word ", count: 13), at: Point(x: 0, y: y))
    }
    old.cursor = Point(x: 150, y: 40)
    var new = old
    new.put(
      "something", at: Point(x: 151, y: 40),
      style: TextStyle(foreground: .rgb(255, 200, 100), effects: .bold))
    new.cursor = Point(x: 160, y: 40)
    var writer = FrameWriter(colors: .full)
    writer.isSynchronized = true
    _ = writer.bytes(from: nil, to: old)
    #expect(writer.bytes(from: old, to: new).count < 100)
  }
}
