/// Why a stream did not have exactly one element.
public enum ElementCountError: Error, Hashable, CustomStringConvertible {
  /// It completed without an element.
  case none
  /// It sent a second element.
  case several

  /// What was wrong, and what to do about it.
  public var description: String {
    switch self {
    case .none:
      "The stream completed without an element where one was expected; ifEmpty gives it one."
    case .several:
      "The stream sent a second element where one was expected; take(1) takes the first."
    }
  }
}
