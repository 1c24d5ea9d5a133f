import RunnelDesk
import Testing

@testable import RunnelTerminal

@Suite struct ColorDepthTests {
  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.full),
    (["TERM": "tmux-256color"], .palette), (["TERM": "xterm-kitty"], .full),
    (["TERM": "xterm-direct"], .full), (["TERM": "linux"], .sixteen), (["TERM": "xterm"], .sixteen),
    (["TERM": "vt100"], .none), (["TERM": "xterm-mono"], .none),
    (["TERM": "dumb", "COLORTERM": "24bit"], .none),
    ([:], .none), (["TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"], .none),
    (["TERM": "xterm", "NO_COLOR": "", "COLORTERM": "yes"], .palette),
  ])
  func environmentDeterminesColorDepth(_ environment: [String: String], _ expected: ColorDepth) {
    #expect(ColorDepth(environment: environment) == expected)
  }

  @Test func availableColorsAreUnchanged() {
    for index in UInt8.min...UInt8.max {
      let color = Color.palette(index)
      #expect(ColorDepth.full.nearest(to: color) == color)
      #expect(ColorDepth.palette.nearest(to: color) == color)
      if index < 16 { #expect(ColorDepth.sixteen.nearest(to: color) == color) }
      #expect(ColorDepth.none.nearest(to: color) == .standard)
    }
    #expect(ColorDepth.sixteen.nearest(to: Color.standard) == .standard)
    #expect(ColorDepth.full.nearest(to: Color.rgb(1, 2, 3)) == .rgb(1, 2, 3))
  }

  @Test func exactPaletteColorIsFound() {
    for index in 16..<256 {
      let color = Palette.colors[index]
      let found = ColorDepth.palette.nearest(to: Color.rgb(color.red, color.green, color.blue))
      guard case .palette(let place) = found.kind else { return #expect(Bool(false)) }
      #expect(Palette.colors[Int(place)] == color)
    }
  }

  @Test(arguments: [
    (Color.rgb(250, 5, 5), Color.brightRed), (.rgb(0, 0, 0), .black),
    (.rgb(255, 255, 255), .brightWhite), (.palette(21), .blue), (.palette(244), .brightBlack),
  ])
  func nearestOfSixteenColorsIsFound(_ color: Color, _ expected: Color) {
    #expect(ColorDepth.sixteen.nearest(to: color) == expected)
  }

  @Test func effectsRemainWithoutColors() {
    let style = TextStyle(foreground: .red, background: .rgb(1, 2, 3), effects: [.bold, .reverse])
    #expect(ColorDepth.none.nearest(to: style) == TextStyle(effects: [.bold, .reverse]))
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], false), (["TERM": "xterm-kitty"], true), (["TERM": "foot"], true),
    (["TERM": "xterm-256color", "VTE_VERSION": "7006"], true),
    (["TERM": "xterm-256color", "VTE_VERSION": "5000"], false),
    (["TERM": "xterm-256color", "VTE_VERSION": "x"], false),
    (["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"], true),
    (["TERM": "screen-256color", "VTE_VERSION": "7006"], false),
    (["TERM": "xterm-kitty", "NO_COLOR": "1"], false), ([:], false),
  ])
  func environmentDeterminesWavyLines(_ environment: [String: String], _ expected: Bool) {
    let depth = ColorDepth(environment: environment)
    #expect(depth.mayHaveWavyLines(environment: environment) == expected)
  }
}
