/// A rectangle of cells and a cursor position: the contents of a screen.
///
///     var grid = Grid(Size(width: 20, height: 2))
///     grid.put("Grüße, 世界", at: .zero, style: TextStyle(effects: .bold))
///     print(grid.text)
///
/// A wide character occupies two cells. Drawing over one half blanks the other, so a grid never
/// contains half a character, neither inside nor at an edge. Control characters are replaced by
/// visible symbols. Drawing outside the grid has no effect.
public struct Grid: Sendable {
  /// The number of columns and rows.
  public let size: Size

  /// The position of the cursor; nil, or a position outside the grid, if it is hidden.
  public var cursor: Point?

  package internal(set) var cells: [PackedCell]
  var clusters = Clusters()
  /// The addresses of links.
  var links: [String] = []

  /// Creates a grid of blanks. A negative width or height counts as zero.
  public init(_ size: Size, style: TextStyle = .plain) {
    self.size = Size(width: max(size.width, 0), height: max(size.height, 0))
    cells = Array(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  /// The rectangle of all cells.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The cell at a position; a blank outside the grid.
  public subscript(point: Point) -> Cell {
    guard bounds.contains(point) else { return .blank }
    let cell = cells[index(point)]
    return Cell(character(of: cell), style: cell.style, width: Int(cell.width))
  }

  /// Blanks all cells and hides the cursor.
  public mutating func clear(style: TextStyle = .plain) {
    clusters.removeAll()
    links.removeAll()
    cursor = nil
    for index in cells.indices { cells[index] = .blank(style) }
  }

  package func character(of cell: PackedCell) -> Character {
    if cell.isCluster { return clusters[cell.glyph] }
    return Unicode.Scalar(cell.glyph).map(Character.init) ?? " "
  }

  func index(_ point: Point) -> Int { point.y * size.width + point.x }

  /// Returns the first column from `x` on at which two grids of the same size differ in a row, or
  /// the width if there is none. The loop is here because the function is called for thousands of
  /// cells per frame.
  package func nextDifference(from other: Grid, at x: Int, inRow y: Int) -> Int {
    let row = y * size.width
    var x = x
    while x < size.width && shows(cells[row + x], as: other.cells[row + x], of: other) { x += 1 }
    return x
  }

  /// Returns true if cells of two grids show the same character in the same style and link.
  private func shows(_ cell: PackedCell, as other: PackedCell, of grid: Grid) -> Bool {
    if cell.link != 0 || other.link != 0 {
      guard link(of: cell) == grid.link(of: other) else { return false }
      var (cell, other) = (cell, other)
      (cell.link, other.link) = (0, 0)
      return shows(cell, as: other, of: grid)
    }
    if !cell.isCluster || !other.isCluster { return cell == other }
    return cell.width == other.width && cell.style == other.style
      && Spelling(clusters[cell.glyph]) == Spelling(grid.clusters[other.glyph])
  }
}

extension Grid: Equatable {
  /// Returns true if two grids show the same cells and cursor.
  public static func == (left: Grid, right: Grid) -> Bool {
    guard left.size == right.size && left.cursor == right.cursor else { return false }
    return (0..<left.size.height).allSatisfy { y in
      left.nextDifference(from: right, at: 0, inRow: y) == left.size.width
    }
  }
}
