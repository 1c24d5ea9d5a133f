import Foundation
import FoundationNetworking

/// Why a request of a URL session has no result.
public enum URLSessionFailure: Error {
  /// There is no answer, or not all of it: no connection, nothing in time, no such protocol.
  case transport(URLError)
  /// Something answered, and it was no HTTP server: the URL has another scheme.
  case notHTTP(URLResponse)
  /// The server did not do what was asked: its status is outside 200..<300. The body says more.
  case status(HTTPURLResponse, body: Data)
  /// The body is no text in the character set that the server names, or that is UTF-8 where it names none.
  case notText(charset: String, body: Data)
  /// The body is no JSON, or not that of the type that was asked for; the error says where.
  case undecodable(any Error, body: Data)
}

extension URLSessionFailure: CustomStringConvertible {
  /// One line for a log.
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
