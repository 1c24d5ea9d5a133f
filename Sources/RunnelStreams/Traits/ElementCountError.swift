/// An error of a stream that did not send exactly one element.
public enum ElementCountError: Error, Hashable, CustomStringConvertible {
  /// The stream completed without an element.
  case none
  /// The stream sent a second element.
  case several

  /// A description of the error and its fix.
  public var description: String {
    switch self {
    case .none:
      "The stream completed without an element. Use ifEmpty(default:) to supply one."
    case .several:
      "The stream sent more than one element. Use take(1) to send only the first."
    }
  }
}
