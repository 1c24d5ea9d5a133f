/// A response: of a server's handler, or to a request of an ``HTTPClient``.
public struct HTTPResponse {
  /// The status, such as 200.
  public var status: HTTPStatus
  /// The header fields. A server adds `Date`, and `Content-Length`, `Transfer-Encoding` and
  /// `Connection` as the response needs them.
  public var headers: HTTPHeaders
  /// The body.
  public var body: HTTPBody
  /// The compression of the pieces of the body; nil if they are not compressed.
  package var pieceEncoder: (any PieceEncoder)?
  /// Called by a server when the response is written, or when the connection ends before, with the
  /// number of bytes of the body that were written.
  package var delivered: ((_ count: Int, _ isComplete: Bool) -> Void)?

  /// True if a server may send comments between the pieces of the body.
  package var sendsComments = false

  /// Creates a response.
  public init(
    _ status: HTTPStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .empty
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a text.
  ///
  ///     server.get("/*path") { _ in HTTPResponse(.notFound, text: "There is no such page.") }
  public init(_ status: HTTPStatus = .ok, text: String) {
    self.init(status, headers: Self.plainText, body: HTTPBody(text))
  }

  /// Creates a response with a page.
  public init(_ status: HTTPStatus = .ok, html: String) {
    self.init(status, headers: Self.page, body: HTTPBody(html))
  }

  // Made once, because most responses have one of them.
  private static let plainText: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
  private static let page: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]

  /// Creates a response that sends the client to another URL.
  public static func redirect(
    to location: String, _ status: HTTPStatus = .seeOther
  ) -> HTTPResponse {
    HTTPResponse(status, headers: ["Location": location])
  }
}
