/// Free space between views or around them: a number of cells, or a meaning that each backend measures.
///
///     let buttons = StackView(.horizontal, spacing: .related, [Button("Cancel"), Button("Save")])
///     window.content = StackView(.vertical, spacing: .section, padding: .edge, [form, buttons])
///
/// A terminal has little room, so a meaning is at most one cell there. In a window it is what the
/// desktop recommends, in pixels, and controls have the height of the desktop's theme.
public struct Spacing: Hashable, Sendable {
  package enum Meaning {
    case related, section, edge
  }

  /// The meaning; nil for a number of cells.
  package let meaning: Meaning?
  private let count: Int

  private init(_ meaning: Meaning?, count: Int = 0) {
    self.meaning = meaning
    self.count = count
  }

  /// The space between views that belong together, such as two buttons.
  public static let related = Spacing(.related)
  /// The space between parts that are separate, such as the rows of a form.
  public static let section = Spacing(.section)
  /// The space between the edge of a window and what is in it.
  public static let edge = Spacing(.edge)

  /// A number of cells.
  public static func cells(_ count: Int) -> Spacing { Spacing(nil, count: count) }

  /// Returns the number of cells between views that are arranged along an axis.
  package func cells(along axis: Axis) -> Int {
    switch meaning {
    case nil: count
    case .related: axis == .horizontal ? 1 : 0
    case .section: 1
    case .edge: 0
    }
  }
}

extension Spacing: ExpressibleByIntegerLiteral {
  /// Creates a number of cells.
  public init(integerLiteral cells: Int) {
    self.init(nil, count: cells)
  }
}
