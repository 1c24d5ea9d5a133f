/// A reason why an ``HTTPClient`` has no response, or why a response is a failure.
public enum HTTPClientError: Error {
  /// A time limit of a client: see ``HTTPClientTimeLimits``.
  public enum TimeLimit: Hashable, Sendable {
    /// ``HTTPClientTimeLimits/head``.
    case head
    /// ``HTTPClientTimeLimits/total``.
    case total
  }

  /// The target of the request is not a URL that can be requested: see ``HTTPURL/init(_:)``.
  case invalidURL(String)
  /// The request cannot be sent, for the given reason.
  case invalidRequest(String)
  /// The connection could not be opened, or it has failed before the response.
  case connection(SocketError)
  /// The server has closed the connection before the response was complete.
  case disconnected
  /// The response violates HTTP/1.1, or its head exceeds a limit.
  case malformed(String)
  /// A time limit was reached.
  case timedOut(TimeLimit)
  /// The status of the response is not between 200 and 299.
  case status(FailedResponse)
  /// There were more redirects than ``HTTPClient/maximumRedirects``.
  case tooManyRedirects(limit: Int)
  /// The response is a redirect that is not followed, for the given reason.
  case refusedRedirect(to: String, String)
  /// The proxy has refused to open a tunnel to the server.
  case proxy(HTTPStatus)
  /// The URL has the scheme `https`, and the client has no TLS.
  case tlsMissing
  /// The stream of the request's body has failed.
  case requestBody(any Error)
  /// The body of the response could not be read.
  case responseBody(HTTPBodyError)
  /// The response to a request for events has another type, which is empty if it has none.
  case noEvents(contentType: String)
  /// An event, or a line of it, has more bytes than are allowed.
  case eventTooLong(limit: Int)

  /// A response whose status is not between 200 and 299.
  public struct FailedResponse: Sendable {
    /// The status.
    public let status: HTTPStatus
    /// The header fields.
    public let headers: HTTPHeaders
    /// The bytes of the body, or its first ones: see ``HTTPClient/failureBodyLimit``.
    public let bytes: [UInt8]
    /// False if the body has more bytes, or if the rest of it did not arrive.
    public let isComplete: Bool

    /// The bytes as text. Bytes that are not UTF-8 become replacement characters.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The status of the response, if that is the failure.
  public var status: HTTPStatus? {
    if case .status(let response) = self { response.status } else { nil }
  }
}

extension HTTPClientError: CustomStringConvertible {
  /// The event, and the remedy if there is one.
  public var description: String {
    switch self {
    case .invalidURL(let text):
      """
      "\(text)" is not a URL for a request. Use a whole one, such as "https://example.org/path", \
      with percent-encoding and without a user name.
      """
    case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
    case .connection(let error): error.description
    case .disconnected:
      "The server has closed the connection before its response. It may be restarting: try again."
    case .malformed(let reason):
      "The response violates HTTP: \(reason). Check that this is the port of an HTTP server."
    case .timedOut(.head):
      "The server did not respond in time. Raise timeLimits.head if it needs longer."
    case .timedOut(.total):
      "The response was not complete in time. Raise timeLimits.total if it needs longer."
    case .status(let response): "The server responded with \(response.status)."
    case .tooManyRedirects(let limit):
      "There were more than \(limit) redirects. Check the server for a loop, or raise maximumRedirects."
    case .refusedRedirect(let location, let reason):
      "The redirect to \"\(location)\" was not followed: \(reason)."
    case .proxy(let status):
      "The proxy has refused the connection with \(status). Check its address and password."
    case .tlsMissing:
      """
      The URL needs TLS, and this client has none. Import RunnelTLS and create the client with \
      HTTPClient(on: loop, roots: .system).
      """
    case .requestBody(let error): "The body of the request has failed: \(error)"
    case .responseBody(let error): error.description
    case .noEvents(let type):
      """
      The response has the type "\(type)", not text/event-stream. Check that the URL is one of \
      server-sent events.
      """
    case .eventTooLong(let limit): "An event has more than \(limit) bytes. Raise the limit."
    }
  }
}
