/// A rectangle of cells, and where the cursor is: what a screen shows.
///
///     var grid = Grid(Size(width: 20, height: 2))
///     grid.put("Grüße, 世界", at: .zero, style: TextStyle(effects: .bold))
///     print(grid.text)
///
/// A wide character takes two cells. Whatever is drawn over one of the halves, the other becomes
/// blank: there is no half of a character, neither within nor at an edge. Control characters never
/// get here: pictures of them are shown. What is drawn outside is not there.
public struct Grid: Sendable {
  /// How many columns and rows it has.
  public let size: Size

  /// Where the cursor is shown; nil if it is not. Outside of the grid it is not shown either.
  public var cursor: Point?

  package internal(set) var cells: [PackedCell]
  var clusters = Clusters()

  /// How many clusters it keeps, for the tests.
  package var knownClusterCount: Int { clusters.count }

  /// A grid of blanks. A negative width or height counts as none.
  public init(_ size: Size, style: TextStyle = .plain) {
    self.size = Size(width: max(size.width, 0), height: max(size.height, 0))
    cells = Array(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  /// All of it.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// What a cell shows; a blank outside of the grid.
  public subscript(point: Point) -> Cell {
    guard bounds.contains(point) else { return .blank }
    let cell = cells[index(point)]
    return Cell(character(of: cell), style: cell.style, width: Int(cell.width))
  }

  /// Blanks all of it, and hides the cursor.
  public mutating func clear(style: TextStyle = .plain) {
    clusters.removeAll()
    cursor = nil
    for index in cells.indices { cells[index] = .blank(style) }
  }

  package func character(of cell: PackedCell) -> Character {
    if cell.isCluster { return clusters[cell.glyph] }
    return Unicode.Scalar(cell.glyph).map(Character.init) ?? " "
  }

  func index(_ point: Point) -> Int { point.y * size.width + point.x }

  /// The first column from one on at which two grids of one size show something else in a row; the
  /// width where there is none. Asked for thousands of cells a frame, so it looks at all of them here.
  package func nextDifference(from other: Grid, at x: Int, inRow y: Int) -> Int {
    let row = y * size.width
    var x = x
    while x < size.width && shows(cells[row + x], as: other.cells[row + x], of: other) { x += 1 }
    return x
  }

  /// Whether cells of two grids show the same.
  private func shows(_ cell: PackedCell, as other: PackedCell, of grid: Grid) -> Bool {
    if !cell.isCluster || !other.isCluster { return cell == other }
    return cell.width == other.width && cell.style == other.style
      && Spelling(clusters[cell.glyph]) == Spelling(grid.clusters[other.glyph])
  }
}

extension Grid: Equatable {
  /// Whether they show the same.
  public static func == (left: Grid, right: Grid) -> Bool {
    guard left.size == right.size && left.cursor == right.cursor else { return false }
    return (0..<left.size.height).allSatisfy { y in
      left.nextDifference(from: right, at: 0, inRow: y) == left.size.width
    }
  }
}
