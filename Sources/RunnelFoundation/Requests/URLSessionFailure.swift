import Foundation
import FoundationNetworking

/// The reason why a request of a URL session has no result.
public enum URLSessionFailure: Error {
  /// The response is missing or incomplete: no connection, a timeout, or an unsupported protocol.
  case transport(URLError)
  /// The response is not from an HTTP server, because the URL has another scheme.
  case notHTTP(URLResponse)
  /// The server rejected the request: its status is outside 200..<300. The body may contain
  /// details.
  case status(HTTPURLResponse, body: Data)
  /// The body is not valid text in the declared character set, or in UTF-8 if none is declared.
  case notText(charset: String, body: Data)
  /// The body is not valid JSON, or not of the requested type. The error contains the position.
  case undecodable(any Error, body: Data)
}

extension URLSessionFailure: CustomStringConvertible {
  /// A description in one line, for a log.
  public var description: String {
    switch self {
    case .transport(let error): "The request got no answer: \(error.localizedDescription)"
    case .notHTTP(let response): "No HTTP server answered: \(response.url?.scheme ?? "no scheme")"
    case .status(let response, let body):
      "The server answered with status \(response.statusCode) and \(body.count) bytes."
    case .notText(let charset, let body): "The \(body.count) bytes are no text in \(charset)."
    case .undecodable(let error, let body):
      "The \(body.count) bytes cannot be read as JSON: \(error)"
    }
  }
}
