/// Free space between views or around them: a number of cells, or a meaning that each backend measures.
///
///     let buttons = StackView(.horizontal, spacing: .related, [Button("Cancel"), Button("Save")])
///     window.content = StackView(.vertical, spacing: .section, padding: .edge, [editor, buttons])
///
/// A terminal has little room, so a meaning is at most one cell there. In a window it is 6 or 12 pixels, as GNOME
/// recommends, and controls have the height of the desktop's theme.
public struct Spacing: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case cells(Int), related, section, edge
  }

  package let kind: Kind

  /// The space between views that belong together, such as two buttons.
  public static let related = Spacing(kind: .related)
  /// The space between parts that are separate, such as the rows of a form.
  public static let section = Spacing(kind: .section)
  /// The space between the edge of a window and what is in it.
  public static let edge = Spacing(kind: .edge)

  /// A number of cells.
  public static func cells(_ count: Int) -> Spacing { Spacing(kind: .cells(count)) }

  /// True if the space has a meaning, and is not a number of cells.
  package var isMeasured: Bool {
    if case .cells = kind { return false }
    return true
  }

  /// Returns the number of cells between views that are arranged along an axis.
  package func cells(along axis: Axis) -> Int {
    switch kind {
    case .cells(let count): count
    case .related: axis == .horizontal ? 1 : 0
    case .section: 1
    case .edge: 0
    }
  }
}

extension Spacing: ExpressibleByIntegerLiteral {
  /// Creates a number of cells.
  public init(integerLiteral cells: Int) {
    self.init(kind: .cells(cells))
  }
}
