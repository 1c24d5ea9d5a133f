/// The number of free cells on each side of a rectangle.
///
///     let stack = StackView(.vertical, padding: 1, [nameField, saveButton])
///     stack.padding = Insets(horizontal: 2, vertical: 1)
public struct Insets: Hashable, Sendable {
  /// The number of free rows at the top.
  public var top: Int
  /// The number of free columns on the left.
  public var left: Int
  /// The number of free rows at the bottom.
  public var bottom: Int
  /// The number of free columns on the right.
  public var right: Int

  /// Creates insets for each side.
  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Creates insets of the left and right side, and of the top and bottom.
  public init(horizontal: Int = 0, vertical: Int = 0) {
    self.init(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
  }

  /// No free cells.
  public static let zero = Insets()

  /// The number of cells that the insets take along each axis. Negative insets count as zero.
  var size: Size {
    Size(
      width: max(left, 0).plus(max(right, 0)), height: max(top, 0).plus(max(bottom, 0)))
  }
}

extension Insets: ExpressibleByIntegerLiteral {
  /// Creates insets that are equal on all sides.
  public init(integerLiteral cells: Int) {
    self.init(horizontal: cells, vertical: cells)
  }
}

extension Rect {
  /// Returns the rectangle without the insets; an empty one if they do not fit.
  func inset(by insets: Insets) -> Rect {
    let taken = insets.size
    return Rect(
      x: minX.plus(min(max(insets.left, 0), width)), y: minY.plus(min(max(insets.top, 0), height)),
      width: max(width.minus(taken.width), 0), height: max(height.minus(taken.height), 0))
  }
}

extension Size {
  /// Returns the size without the insets, at least zero.
  func inset(by insets: Insets) -> Size { Rect(origin: .zero, size: self).inset(by: insets).size }
}

extension Extent {
  func outset(by insets: Insets) -> Extent {
    Extent(
      width: width.map { max($0, 0).plus(insets.size.width) },
      height: height.map { max($0, 0).plus(insets.size.height) })
  }
}
