import RunnelText

/// The free space on each side of a rectangle.
///
///     let stack = StackView(.vertical, padding: 1, [nameField, saveButton])
///     stack.padding = Insets(horizontal: 2, vertical: 1)
///     stack.padding = .edge
public struct Insets: Hashable, Sendable {
  /// The free space at the top.
  public var top: Spacing
  /// The free space on the left.
  public var left: Spacing
  /// The free space at the bottom.
  public var bottom: Spacing
  /// The free space on the right.
  public var right: Spacing

  /// Creates insets for each side.
  public init(top: Spacing = 0, left: Spacing = 0, bottom: Spacing = 0, right: Spacing = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Creates insets of the left and right side, and of the top and bottom.
  public init(horizontal: Spacing = 0, vertical: Spacing = 0) {
    self.init(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
  }

  /// No free space.
  public static let zero = Insets()
  /// The space around views that belong together.
  public static let related = Insets(horizontal: .related, vertical: .related)
  /// The space around a part that is separate from others.
  public static let section = Insets(horizontal: .section, vertical: .section)
  /// The space between the edge of a window and what is in it.
  public static let edge = Insets(horizontal: .edge, vertical: .edge)

  /// True if a side has a meaning.
  package var isMeasured: Bool { [top, left, bottom, right].contains(where: \.isMeasured) }

  /// The insets as numbers, which are at least zero. `measure` returns the number of one side.
  package func measured(_ measure: (Spacing, Axis) -> Int) -> Margins {
    Margins(
      top: max(measure(top, .vertical), 0), left: max(measure(left, .horizontal), 0),
      bottom: max(measure(bottom, .vertical), 0), right: max(measure(right, .horizontal), 0))
  }

  var cells: Margins { measured { $0.cells(along: $1) } }
}

extension Insets: ExpressibleByIntegerLiteral {
  /// Creates insets that are equal on all sides.
  public init(integerLiteral cells: Int) {
    self.init(horizontal: .cells(cells), vertical: .cells(cells))
  }
}

/// Measured insets: numbers of cells or of pixels, at least zero.
package struct Margins {
  package var top = 0
  package var left = 0
  package var bottom = 0
  package var right = 0

  package init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// The length that the margins take along each axis.
  var size: Size { Size(width: left.plus(right), height: top.plus(bottom)) }
}

extension Rect {
  /// Returns the rectangle without the margins; an empty one if they do not fit.
  package func inset(by margins: Margins) -> Rect {
    let taken = margins.size
    return Rect(
      x: minX.plus(min(margins.left, width)), y: minY.plus(min(margins.top, height)),
      width: max(width.minus(taken.width), 0), height: max(height.minus(taken.height), 0))
  }
}

extension Size {
  /// Returns the size without the margins, at least zero.
  package func inset(by margins: Margins) -> Size {
    Rect(origin: .zero, size: self).inset(by: margins).size
  }
}

extension Extent {
  package func outset(by margins: Margins) -> Extent {
    Extent(
      width: width.map { max($0, 0).plus(margins.size.width) },
      height: height.map { max($0, 0).plus(margins.size.height) })
  }
}
