/// A rectangle of cells. One without a column or a row is empty.
public struct Rect: Hashable, Sendable {
  /// Its upper left corner.
  public var origin: Point
  /// How large it is.
  public var size: Size

  /// A rectangle by its corner and size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle by its corner and size, in numbers.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// No cell at all.
  public static let zero = Rect(origin: .zero, size: .zero)

  /// Its first column.
  public var minX: Int { origin.x }
  /// Its first row.
  public var minY: Int { origin.y }
  /// The column behind its last one.
  public var maxX: Int { origin.x.plus(max(size.width, 0)) }
  /// The row below its last one.
  public var maxY: Int { origin.y.plus(max(size.height, 0)) }

  /// How many columns it has.
  public var width: Int { size.width }
  /// How many rows it has.
  public var height: Int { size.height }

  /// Whether it has no cells.
  public var isEmpty: Bool { size.isEmpty }

  /// Whether a cell is in it.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// The cells that are in both; empty where there are none.
  public func intersection(_ other: Rect) -> Rect {
    let x = max(minX, other.minX)
    let y = max(minY, other.minY)
    let width = min(maxX, other.maxX).minus(x)
    let height = min(maxY, other.maxY).minus(y)
    return Rect(x: x, y: y, width: max(width, 0), height: max(height, 0))
  }

  /// The same rectangle elsewhere.
  public func offset(byX x: Int, y: Int) -> Rect {
    Rect(origin: Point(x: origin.x.plus(x), y: origin.y.plus(y)), size: size)
  }

  /// What is left when so many cells are taken off on each side.
  public func inset(byX x: Int, y: Int) -> Rect {
    Rect(
      x: origin.x.plus(x), y: origin.y.plus(y), width: max(size.width.minus(x).minus(x), 0),
      height: max(size.height.minus(y).minus(y), 0))
  }
}

extension Rect: CustomStringConvertible {
  /// Its corner and size.
  public var description: String { "\(origin) \(size)" }
}

extension Int {
  /// The sum, or the nearest number there is: a clip without limits may stand anywhere.
  func plus(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    if overflows { return other > 0 ? .max : .min }
    return sum
  }

  /// The difference, or the nearest number there is.
  func minus(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    if overflows { return other > 0 ? .min : .max }
    return difference
  }
}
