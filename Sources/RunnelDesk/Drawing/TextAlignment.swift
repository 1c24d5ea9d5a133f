/// On which side of its room text stands.
public enum TextAlignment: Hashable, Sendable {
  /// On the left.
  case leading
  /// In the middle; one cell nearer to the left where that cannot be.
  case center
  /// On the right.
  case trailing

  /// How many of the cells that are left over come before the text.
  func leading(of space: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: space / 2
    case .trailing: space
    }
  }
}
