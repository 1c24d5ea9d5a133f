/// How many columns and rows something takes.
public struct Size: Hashable, Sendable {
  /// The columns.
  public var width: Int
  /// The rows.
  public var height: Int

  /// So many columns and rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Nothing.
  public static let zero = Size(width: 0, height: 0)

  /// Whether it has no cells.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension Size: CustomStringConvertible {
  /// Its columns and rows.
  public var description: String { "\(width)×\(height)" }
}

extension Size {
  /// The nearest size that a screen can have. Terminals tell of more at times, and a picture of that would
  /// take all memory that there is.
  package var ofScreen: Size {
    Size(width: min(max(width, 0), 2_000), height: min(max(height, 0), 1_000))
  }
}
