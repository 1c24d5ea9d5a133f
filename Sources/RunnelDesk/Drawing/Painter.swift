import RunnelText

/// A drawing context on a grid, with local coordinates and a clip rectangle.
///
///     var painter = Painter(Grid(Size(width: 30, height: 5)))
///     painter.border(painter.bounds, .rounded, title: "Notes")
///     painter.within(Rect(x: 1, y: 1, width: 28, height: 3)) { inner in
///       inner.put("first line of the inside", at: .zero)
///     }
///     print(painter.grid.text)
///
/// Each view draws with a painter whose origin is the view's upper left corner and which is clipped
/// to the view's bounds. A view draws its subviews by ``within(_:_:)``.
public struct Painter {
  /// The grid that is drawn on.
  public private(set) var grid: Grid

  /// The size of the drawing area. Drawing outside it, or outside the clip of an enclosing area,
  /// has no effect.
  public private(set) var size: Size

  /// The upper left corner of the drawing area, in coordinates of the grid.
  private var origin = Point.zero
  /// The rectangle that may be drawn on, in coordinates of the grid.
  private var clip: Rect

  /// Creates a painter for a whole grid.
  public init(_ grid: Grid) {
    self.grid = grid
    size = grid.size
    clip = grid.bounds
  }

  /// The drawing area; its origin is zero.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The visible part of the drawing area. Drawing elsewhere has no effect.
  public var visibleBounds: Rect { clip.offset(byX: 0.minus(origin.x), y: 0.minus(origin.y)) }

  /// Draws in a part of the area, in coordinates relative to that part.
  public mutating func within(_ rect: Rect, _ draw: (inout Painter) -> Void) {
    let outside = (size, origin, clip)
    clip = clip.intersection(onGrid(rect))
    origin = onGrid(rect.origin)
    size = rect.size
    draw(&self)
    (size, origin, clip) = outside
  }

  // MARK: - Text

  /// Writes text into a row from a position on. Returns the column after the text; if the text does
  /// not fit, that column is outside the drawing area.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, at point: Point, style: TextStyle = .plain
  ) -> Int {
    grid.put(text, at: onGrid(point), style: style, in: clip).minus(origin.x)
  }

  /// Writes text into the first row of a rectangle. Text that does not fit is truncated with "…".
  public mutating func put(
    _ text: some StringProtocol, in rect: Rect, alignment: TextAlignment = .leading,
    style: TextStyle = .plain
  ) {
    guard !rect.isEmpty else { return }
    let shown = Self.fitted(text, into: rect.width)
    let x = alignment.leading(of: rect.width - shown.cellWidth)
    within(rect) { $0.put(shown, at: Point(x: x, y: 0), style: style) }
  }

  /// Returns the text, truncated with "…" if it does not fit.
  package static func fitted(_ text: some StringProtocol, into width: Int) -> String {
    // Only the part that fits is measured: the text may be long.
    let fitting = text.prefix(cellWidth: width)
    if fitting.endIndex == text.endIndex { return String(fitting) }
    return fitting.prefix(cellWidth: width - 1) + "…"
  }

  // MARK: - Areas

  /// Fills a rectangle with a character.
  public mutating func fill(
    _ rect: Rect, with character: Character = " ", style: TextStyle = .plain
  ) {
    grid.fill(onGrid(rect), with: character, style: style, in: clip)
  }

  /// Changes the style of the cells in a rectangle, for example for a selection or highlight.
  public mutating func restyle(_ rect: Rect, _ change: (inout TextStyle) -> Void) {
    grid.restyle(onGrid(rect), in: clip, change)
  }

  /// Makes the cells in a rectangle a link to an address, until they are drawn over.
  mutating func link(_ rect: Rect, to address: String) {
    grid.link(onGrid(rect), to: address, in: clip)
  }

  // MARK: - Lines

  /// Draws a horizontal line to the right.
  public mutating func horizontalLine(
    from point: Point, length: Int, _ lines: BorderLines = .single, style: TextStyle = .plain
  ) {
    let rect = Rect(origin: point, size: Size(width: length, height: 1))
    fill(rect, with: lines.horizontal, style: style)
  }

  /// Draws a vertical line downwards.
  public mutating func verticalLine(
    from point: Point, length: Int, _ lines: BorderLines = .single, style: TextStyle = .plain
  ) {
    let rect = Rect(origin: point, size: Size(width: 1, height: length))
    fill(rect, with: lines.vertical, style: style)
  }

  /// Draws a border inside the edges of a rectangle, with a title in the upper edge.
  public mutating func border(
    _ rect: Rect, _ lines: BorderLines = .single, title: String = "", style: TextStyle = .plain
  ) {
    guard rect.width >= 2 && rect.height >= 2 else { return }
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    for y in [rect.minY, bottom] {
      horizontalLine(from: Point(x: rect.minX, y: y), length: rect.width, lines, style: style)
    }
    for x in [rect.minX, right] {
      verticalLine(from: Point(x: x, y: rect.minY), length: rect.height, lines, style: style)
    }
    let places = [rect.minY, bottom].flatMap { y in [rect.minX, right].map { Point(x: $0, y: y) } }
    for (place, corner) in zip(places, lines.corners) {
      put(String(corner), at: place, style: style)
    }
    if title.isEmpty || rect.width < 7 { return }
    let shown = " \(Self.fitted(title, into: rect.width - 6)) "
    put(shown, at: Point(x: rect.minX + 2, y: rect.minY), style: style)
  }

  // MARK: - Cursor

  /// Shows the cursor at a position; hides it for nil, or if the position is not visible.
  public mutating func placeCursor(at point: Point?) {
    let place = point.map(onGrid)
    grid.cursor = place.flatMap { clip.contains($0) ? $0 : nil }
  }

  private func onGrid(_ point: Point) -> Point {
    Point(x: origin.x.plus(point.x), y: origin.y.plus(point.y))
  }

  private func onGrid(_ rect: Rect) -> Rect {
    Rect(origin: onGrid(rect.origin), size: rect.size)
  }
}
