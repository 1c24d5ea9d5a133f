extension Grid {
  /// The screen as an SVG image, as a terminal would show it.
  public var svg: String {
    let width = size.width * Self.cell.width
    let height = size.height * Self.cell.height
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width + 16)" height="\(height + 16)" \
      viewBox="-8 -8 \(width + 16) \(height + 16)" font-family="monospace" font-size="13.3">
      <rect x="-8" y="-8" width="100%" height="100%" rx="6" fill="\(Self.paper)"/>

      """
    for y in 0..<size.height {
      for run in runs(inRow: y) { svg += picture(of: run, inRow: y) }
    }
    if let cursor, bounds.contains(cursor) {
      svg += """
        <rect x="\(cursor.x * Self.cell.width)" y="\(cursor.y * Self.cell.height)" width="2" \
        height="\(Self.cell.height)" fill="\(Self.ink)"/>

        """
    }
    return svg + "</svg>\n"
  }

  private static let cell = Size(width: 8, height: 18)
  private static let paper = "#1e1e1e"
  private static let ink = "#d4d4d4"

  /// Adjacent cells of the same style.
  private struct Run {
    var start: Int
    var length = 0
    var text = ""
    let style: TextStyle
  }

  /// Returns the visible runs of a row. A wide character is a run of its own because fonts differ
  /// in its width.
  private func runs(inRow y: Int) -> [Run] {
    var runs: [Run] = []
    for x in 0..<size.width {
      let cell = self[Point(x: x, y: y)]
      if cell.width == 0 { continue }
      let isJoined =
        cell.width == 1 && runs.last?.style == cell.style
        && runs.last.map { $0.length == $0.text.count } ?? false
      if !isJoined { runs.append(Run(start: x, style: cell.style)) }
      runs[runs.count - 1].text.append(cell.character)
      runs[runs.count - 1].length += cell.width
    }
    return runs.filter { $0.style != .plain || $0.text.contains { $0 != " " } }
  }

  private func picture(of run: Run, inRow y: Int) -> String {
    let style = run.style
    let isReversed = style.effects.contains(.reverse)
    var ink = style.foreground.code(or: Self.ink)
    var paper = style.background.code(or: Self.paper)
    if isReversed { swap(&ink, &paper) }
    let x = run.start * Self.cell.width
    let width = run.length * Self.cell.width
    var svg = ""
    if paper != Self.paper {
      svg += """
        <rect x="\(x)" y="\(y * Self.cell.height)" width="\(width)" height="\(Self.cell.height)" \
        fill="\(paper)"/>

        """
    }
    if run.text.contains(where: { $0 != " " }) {
      svg += """
        <text x="\(x)" y="\(y * Self.cell.height + 14)" textLength="\(width)" xml:space="preserve" \
        fill="\(ink)"\(style.effects.attributes)>\(run.text.escaped)</text>

        """
    }
    return svg
  }
}

extension TextStyle.Effects {
  fileprivate var attributes: String {
    var attributes = ""
    if contains(.bold) { attributes += " font-weight=\"bold\"" }
    if contains(.dim) { attributes += " opacity=\"0.6\"" }
    if contains(.italic) { attributes += " font-style=\"italic\"" }
    let lines = [
      (TextStyle.Effects.underline, "underline"), (.strike, "line-through"),
      (.wavy, "underline wavy"),
    ]
    .filter { contains($0.0) }.map(\.1)
    if !lines.isEmpty { attributes += " text-decoration=\"\(lines.joined(separator: " "))\"" }
    return attributes
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension Color {
  /// The sixteen named colours, as in many terminals.
  private static let named = [
    "#1e1e1e", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
  ]

  fileprivate func code(or standard: String) -> String {
    switch kind {
    case .standard: standard
    case .palette(let index) where index < 16: Self.named[Int(index)]
    case .palette(let index) where index >= 232: Self.code([8 + 10 * (Int(index) - 232)])
    case .palette(let index):
      Self.code([36, 6, 1].map { (Int(index) - 16) / $0 % 6 }.map { $0 == 0 ? 0 : 55 + 40 * $0 })
    case .rgb(let red, let green, let blue): Self.code([Int(red), Int(green), Int(blue)])
    }
  }

  /// Returns a hexadecimal colour of three components, or of one grey level.
  private static func code(_ parts: [Int]) -> String {
    let all = parts.count == 1 ? [parts[0], parts[0], parts[0]] : parts
    return "#" + all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
