/// A rectangle of cells. It is empty if its width or height is zero.
public struct Rect: Hashable, Sendable {
  /// The upper left corner.
  public var origin: Point
  /// The number of columns and rows.
  public var size: Size

  /// Creates a rectangle from its upper left corner and size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from coordinates.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The empty rectangle at the origin.
  public static let zero = Rect(origin: .zero, size: .zero)

  /// The first column.
  public var minX: Int { origin.x }
  /// The first row.
  public var minY: Int { origin.y }
  /// The column after the last one.
  public var maxX: Int { origin.x.plus(max(size.width, 0)) }
  /// The row after the last one.
  public var maxY: Int { origin.y.plus(max(size.height, 0)) }

  /// The number of columns.
  public var width: Int { size.width }
  /// The number of rows.
  public var height: Int { size.height }

  /// True if the rectangle has no cells.
  public var isEmpty: Bool { size.isEmpty }

  /// Returns true if a position is inside the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Returns the cells that are in both rectangles; an empty rectangle if there are none.
  public func intersection(_ other: Rect) -> Rect {
    let x = max(minX, other.minX)
    let y = max(minY, other.minY)
    let width = min(maxX, other.maxX).minus(x)
    let height = min(maxY, other.maxY).minus(y)
    return Rect(x: x, y: y, width: max(width, 0), height: max(height, 0))
  }

  /// Returns the rectangle, moved by an offset.
  public func offset(byX x: Int, y: Int) -> Rect {
    Rect(origin: Point(x: origin.x.plus(x), y: origin.y.plus(y)), size: size)
  }

  /// Returns the rectangle, with the given number of cells removed on each side.
  public func inset(byX x: Int, y: Int) -> Rect {
    Rect(
      x: origin.x.plus(x), y: origin.y.plus(y), width: max(size.width.minus(x).minus(x), 0),
      height: max(size.height.minus(y).minus(y), 0))
  }
}

extension Rect: CustomStringConvertible {
  /// The corner and size: "(0, 0) 80×24".
  public var description: String { "\(origin) \(size)" }
}
