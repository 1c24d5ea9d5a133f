/// A position on a grid of cells.
public struct Point: Hashable, Sendable {
  /// The column, from 0.
  public var x: Int
  /// The row, from 0.
  public var y: Int

  /// Creates a position from a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The upper left corner.
  public static let zero = Point(x: 0, y: 0)
}

extension Point: CustomStringConvertible {
  /// The column and row: "(3, 5)".
  public var description: String { "(\(x), \(y))" }
}
