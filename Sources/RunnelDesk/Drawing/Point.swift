/// A place on a grid of cells: the columns to its left and the rows above it.
public struct Point: Hashable, Sendable {
  /// How many columns are to its left.
  public var x: Int
  /// How many rows are above it.
  public var y: Int

  /// The place at a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The upper left corner.
  public static let zero = Point(x: 0, y: 0)
}

extension Point: CustomStringConvertible {
  /// Its column and row.
  public var description: String { "(\(x), \(y))" }
}
