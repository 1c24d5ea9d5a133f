/// A mistake of a handler. It is answered with 500, and sent by ``HTTPServer/failures``.
public enum HTTPServerError: Error, Hashable {
  /// A reply that changes the protocol came later.
  case lateUpgrade
  /// The status of a response is below 200, so the client would wait for another response.
  case interimResponse(HTTPStatus)
}

extension HTTPServerError: CustomStringConvertible {
  /// The mistake, and what to do.
  public var description: String {
    switch self {
    case .lateUpgrade:
      "A handler changed the protocol later, such as in a Single. Return the reply at once."
    case .interimResponse(let status):
      "A handler responded with \(status). Respond with a status of at least 200."
    }
  }
}
