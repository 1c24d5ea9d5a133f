extension Grid {
  /// What it shows, row by row, without the spaces at the ends.
  public var lines: [String] {
    (0..<size.height).map { y in
      var line = ""
      for cell in row(y) where cell.width > 0 { line.append(character(of: cell)) }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// What it shows, as one text of ``lines``.
  public var text: String { lines.joined(separator: "\n") }

  /// What it shows and how: the text; then, where there are any styles, the same with a letter for
  /// the style of each cell, and what the letters mean; then where the cursor is, if it is shown.
  ///
  /// For comparing with what was expected in a test:
  ///
  ///     var grid = Grid(Size(width: 12, height: 1))
  ///     let isDefault = TextStyle(background: .blue, effects: .bold)
  ///     grid.put("Save", at: .zero, style: isDefault)
  ///     grid.put("  Cancel", at: .init(x: 4, y: 0))
  ///     grid.cursor = .zero
  ///     #expect(grid.styledText == """
  ///       Save  Cancel
  ///       ----
  ///       aaaa
  ///       a: bold on blue
  ///       cursor: (0, 0)
  ///       """)
  public var styledText: String {
    var letters: [TextStyle: Character] = [.plain: "."]
    var legend: [String] = []
    let map = (0..<size.height).map { y in
      var line = ""
      for cell in row(y) {
        let letter = letters[cell.style] ?? Self.letter(legend.count)
        if letters.updateValue(letter, forKey: cell.style) == nil {
          legend.append("\(letter): \(cell.style)")
        }
        line.append(letter)
      }
      while line.last == "." { line.removeLast() }
      return line
    }
    var parts = lines
    if !legend.isEmpty { parts += ["----"] + map + legend }
    if let cursor { parts.append("cursor: \(cursor)") }
    return parts.joined(separator: "\n")
  }

  private func row(_ y: Int) -> ArraySlice<PackedCell> {
    cells[(y * size.width)..<((y + 1) * size.width)]
  }

  /// The letters of the alphabet, and then others, which only a picture full of colours gets to.
  private static func letter(_ number: Int) -> Character {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if number < alphabet.count { return alphabet[number] }
    return Unicode.Scalar(UInt32(0x4E00 + number % 20_000)).map(Character.init) ?? "?"
  }
}
