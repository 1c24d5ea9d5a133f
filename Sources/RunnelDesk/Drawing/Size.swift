/// A number of columns and rows.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size without columns and rows.
  public static let zero = Size(width: 0, height: 0)

  /// True if the width or the height is not positive.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension Size: CustomStringConvertible {
  /// The columns and rows: "80×24".
  public var description: String { "\(width)×\(height)" }
}

extension Size {
  /// The size, clamped to 2,000 × 1,000 cells. Some terminals report absurd sizes, and a grid of
  /// such a size would exhaust memory.
  package var ofScreen: Size {
    Size(width: min(max(width, 0), 2_000), height: min(max(height, 0), 1_000))
  }
}
