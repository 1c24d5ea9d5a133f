/// A style of lines for borders.
public enum BorderLines: Hashable, Sendable {
  /// Thin lines.
  case single
  /// Thin lines with round corners.
  case rounded
  /// Thick lines.
  case heavy
  /// Two thin lines.
  case double

  /// The character of a horizontal line.
  public var horizontal: Character {
    switch self {
    case .single, .rounded: "─"
    case .heavy: "━"
    case .double: "═"
    }
  }

  /// The character of a vertical line.
  public var vertical: Character {
    switch self {
    case .single, .rounded: "│"
    case .heavy: "┃"
    case .double: "║"
    }
  }

  /// The corners: upper left, upper right, lower left, lower right.
  var corners: [Character] {
    switch self {
    case .single: ["┌", "┐", "└", "┘"]
    case .rounded: ["╭", "╮", "╰", "╯"]
    case .heavy: ["┏", "┓", "┗", "┛"]
    case .double: ["╔", "╗", "╚", "╝"]
    }
  }
}
