extension Grid {
  /// The text of each row, without trailing spaces.
  public var lines: [String] {
    (0..<size.height).map { y in
      var line = ""
      for cell in row(y) where cell.width > 0 { line.append(character(of: cell)) }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The text of all rows: ``lines`` joined by line breaks.
  public var text: String { lines.joined(separator: "\n") }

  /// The text and styles as a string, for comparisons in tests.
  ///
  /// It consists of the text; then, if there are styles, a map with one letter per cell and a
  /// legend of the letters; then the position of the cursor, if it is visible:
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

  /// Returns the letter for a style: a–z and A–Z, then ideographs for pictures with more styles.
  private static func letter(_ number: Int) -> Character {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if number < alphabet.count { return alphabet[number] }
    return Unicode.Scalar(UInt32(0x4E00 + number % 20_000)).map(Character.init) ?? "?"
  }
}
