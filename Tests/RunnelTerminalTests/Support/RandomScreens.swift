import RunnelDesk
import RunnelTesting

/// Random grids and random changes to them.
enum RandomScreens {
  static let plainCharacters: [Character] = ["a", "b", "z", " ", " ", "ä", "世", "界", "─"]
  static let allCharacters: [Character] =
    plainCharacters + ["👍🏽", "🇨🇭", "e\u{301}", "❤\u{FE0F}", "👨‍👩‍👧‍👦", "🙂", "한", "का", "1\u{FE0F}\u{20E3}"]
    // Longer than the limit at which a grid cuts off a character.
    + [Character(String(repeating: "👩\u{200D}", count: 20) + "👧")]
    + [Character("a" + String(repeating: "\u{301}", count: 99))]

  static let styles: [TextStyle] = [
    .plain, .plain, .plain, TextStyle(foreground: .red), TextStyle(background: .brightBlue),
    TextStyle(foreground: .palette(200), effects: .bold),
    TextStyle(foreground: .rgb(1, 2, 3), background: .rgb(250, 0, 9), effects: [.bold, .dim]),
    TextStyle(effects: [.underline, .reverse, .italic]), TextStyle(effects: .strike),
    TextStyle(foreground: .red, effects: [.dim, .underline]),
  ]

  static func grid(
    _ size: Size, _ characters: [Character] = allCharacters, using random: inout SeededGenerator
  ) -> Grid {
    var grid = Grid(size)
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      change(&grid, characters, using: &random)
    }
    return grid
  }

  static func change(
    _ grid: inout Grid, _ characters: [Character] = allCharacters,
    using random: inout SeededGenerator
  ) {
    let style = styles.randomElement(using: &random) ?? .plain
    let x = Int.random(in: -3...max(grid.size.width, 1), using: &random)
    let y = Int.random(in: 0...max(grid.size.height - 1, 0), using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 6:
      let address = ["https://a", "https://b"].randomElement(using: &random) ?? ""
      grid.link(Rect(x: x, y: y, width: 6, height: 1), to: address)
    case 0:
      let rect = Rect(
        x: x, y: y, width: .random(in: 0...grid.size.width, using: &random),
        height: .random(in: 0...3, using: &random))
      grid.fill(rect, with: characters.randomElement(using: &random) ?? "x", style: style)
    case 1: grid.fill(Rect(x: x, y: y, width: grid.size.width, height: 1))
    case 2: grid.restyle(Rect(x: x, y: y, width: 5, height: 2)) { $0 = style }
    default:
      let text = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        characters.randomElement(using: &random) ?? "x"
      }
      grid.put(String(text), at: Point(x: x, y: y), style: style)
    }
    grid.cursor = Bool.random(using: &random) ? Point(x: x, y: y) : nil
  }
}
