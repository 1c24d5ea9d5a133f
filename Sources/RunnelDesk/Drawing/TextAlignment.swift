/// The horizontal alignment of text.
public enum TextAlignment: Hashable, Sendable {
  /// Aligned to the left.
  case leading
  /// Centred; if the space is odd, one cell further left.
  case center
  /// Aligned to the right.
  case trailing

  /// Returns the number of free cells that precede the text.
  func leading(of space: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: space / 2
    case .trailing: space
    }
  }
}
