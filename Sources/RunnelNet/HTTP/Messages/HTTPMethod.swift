/// The method of a request, such as GET.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name, in capitals for all methods that are registered.
  public let rawValue: String

  /// Creates a method with any name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a method with any name.
  public init(stringLiteral name: String) {
    rawValue = name
  }

  /// GET, which returns a representation of the resource.
  public static let get: Self = "GET"
  /// HEAD, which returns the headers of a GET.
  public static let head: Self = "HEAD"
  /// POST, which processes the body.
  public static let post: Self = "POST"
  /// PUT, which replaces the resource.
  public static let put: Self = "PUT"
  /// PATCH, which changes a part of the resource.
  public static let patch: Self = "PATCH"
  /// DELETE, which removes the resource.
  public static let delete: Self = "DELETE"
  /// OPTIONS, which describes the possible requests.
  public static let options: Self = "OPTIONS"

  /// True if a request with this method may be sent again after a connection was lost.
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, "TRACE": true
    default: false
    }
  }
}

extension HTTPMethod: CustomStringConvertible {
  /// The name of the method.
  public var description: String { rawValue }
}
