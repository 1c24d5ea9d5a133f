/// The lines that a border is drawn with.
public enum BorderLines: Hashable, Sendable {
  /// Thin lines.
  case single
  /// Thin lines with round corners.
  case rounded
  /// Thick lines.
  case heavy
  /// Two thin lines.
  case double

  /// The line from left to right.
  public var horizontal: Character {
    switch self {
    case .single, .rounded: "─"
    case .heavy: "━"
    case .double: "═"
    }
  }

  /// The line from above to below.
  public var vertical: Character {
    switch self {
    case .single, .rounded: "│"
    case .heavy: "┃"
    case .double: "║"
    }
  }

  /// The corners, from the upper left one on as one reads.
  var corners: [Character] {
    switch self {
    case .single: ["┌", "┐", "└", "┘"]
    case .rounded: ["╭", "╮", "╰", "╯"]
    case .heavy: ["┏", "┓", "┗", "┛"]
    case .double: ["╔", "╗", "╚", "╝"]
    }
  }
}
