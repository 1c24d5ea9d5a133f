import RunnelText

/// Draws on a grid in coordinates of one's own, and only where one may.
///
///     var painter = Painter(Grid(Size(width: 30, height: 5)))
///     painter.border(painter.bounds, .rounded, title: "Notes")
///     painter.within(Rect(x: 1, y: 1, width: 28, height: 3)) { inner in
///       inner.put("first line of the inside", at: .zero)
///     }
///     print(painter.grid.text)
///
/// A view is handed one that stands at its upper left corner and ends at its edges, and hands to the
/// views within it what ``within(_:_:)`` makes of that.
public struct Painter {
  /// What is drawn on.
  public private(set) var grid: Grid

  /// How much room there is. What lies outside, or has been cut off further out, cannot be drawn on.
  public private(set) var size: Size

  /// Where on the grid the upper left corner of the room is.
  private var origin = Point.zero
  /// Where one may draw, in coordinates of the grid.
  private var clip: Rect

  /// A painter for all of a grid.
  public init(_ grid: Grid) {
    self.grid = grid
    size = grid.size
    clip = grid.bounds
  }

  /// All of the room; its upper left corner is zero.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// What of the room can be seen: drawing elsewhere is wasted.
  public var visibleBounds: Rect { clip.offset(byX: 0.minus(origin.x), y: 0.minus(origin.y)) }

  /// Lets something be drawn in a part of the room, in coordinates that begin at that part.
  public mutating func within(_ rect: Rect, _ draw: (inout Painter) -> Void) {
    let outside = (size, origin, clip)
    clip = clip.intersection(onGrid(rect))
    origin = onGrid(rect.origin)
    size = rect.size
    draw(&self)
    (size, origin, clip) = outside
  }

  // MARK: - Text

  /// Draws text in a row from a place on. Returns the column behind it; where it does not fit, one
  /// that is outside.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, at point: Point, style: TextStyle = .plain
  ) -> Int {
    grid.put(text, at: onGrid(point), style: style, in: clip).minus(origin.x)
  }

  /// Draws text in the first row of a rectangle. Where it does not fit, it ends in "…".
  public mutating func put(
    _ text: some StringProtocol, in rect: Rect, alignment: TextAlignment = .leading,
    style: TextStyle = .plain
  ) {
    guard !rect.isEmpty else { return }
    let shown = Self.fitted(text, into: rect.width)
    let x = alignment.leading(of: rect.width - shown.cellWidth)
    within(rect) { $0.put(shown, at: Point(x: x, y: 0), style: style) }
  }

  /// The text, or what of it fits, and "…".
  private static func fitted(_ text: some StringProtocol, into width: Int) -> String {
    // Nobody measures all of a long text to see that it is too long.
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

  /// Changes how what a rectangle shows looks: a selection, a highlight.
  public mutating func restyle(_ rect: Rect, _ change: (inout TextStyle) -> Void) {
    grid.restyle(onGrid(rect), in: clip, change)
  }

  // MARK: - Lines

  /// Draws a line to the right.
  public mutating func horizontalLine(
    from point: Point, length: Int, _ lines: BorderLines = .single, style: TextStyle = .plain
  ) {
    let rect = Rect(origin: point, size: Size(width: length, height: 1))
    fill(rect, with: lines.horizontal, style: style)
  }

  /// Draws a line downwards.
  public mutating func verticalLine(
    from point: Point, length: Int, _ lines: BorderLines = .single, style: TextStyle = .plain
  ) {
    let rect = Rect(origin: point, size: Size(width: 1, height: length))
    fill(rect, with: lines.vertical, style: style)
  }

  /// Draws lines along the edges of a rectangle, within it, and a title in the upper one.
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

  /// Shows the cursor at a place, if that can be seen; else hides it.
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
