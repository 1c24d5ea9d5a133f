/// A reason why a field cannot be added to ``HTTPHeaders``.
///
/// A server answers a request whose handler throws it with 400.
public enum HTTPHeaderError: Error, Hashable, CustomStringConvertible {
  /// The name is no token.
  case invalidName(String)
  /// The value has a control character, such as a line ending.
  case invalidValue(of: String)

  /// The cause of the error, and its remedy.
  public var description: String {
    switch self {
    case .invalidName(let name):
      "\(name.debugDescription) is no name of a header field. Use letters, digits and hyphens."
    case .invalidValue(let name):
      "The value of \(name) has a control character. Remove it, or encode the value."
    }
  }
}
