import RunnelStreams

/// A request: to a server's handler, or for an ``HTTPClient`` to send.
///
///     server.get("/hello/:name") { request in "Hello, \(request["name"])" }
///     client.response(HTTPRequest(.get, "http://example.org/")).observe(
///       succeeded: { show($0.status) }, failed: { show($0) })
public struct HTTPRequest {
  /// The method, such as GET.
  public var method: HTTPMethod
  /// The target: a path and a query, such as `/search?text=a`. A request for an ``HTTPClient`` has a
  /// whole URL here.
  public var target: String
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: HTTPBody
  /// The circumstances of a request that a server has received.
  package var reception: Reception

  /// Creates a request.
  public init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = HTTPHeaders(),
    body: HTTPBody = .empty
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    reception = Reception()
  }

  package init(
    _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: HTTPBody,
    _ reception: Reception
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.reception = reception
  }

  // MARK: - Target

  /// The path of the target, percent-encoded as it was sent.
  public var path: Substring { target[..<(questionMark ?? target.endIndex)] }

  /// The names and values after the question mark of the target. Browsers send some characters as
  /// they are, such as `%` and `\`: see ``HTTPQuery/init(_:)``.
  public var query: HTTPQuery {
    guard let mark = questionMark else { return HTTPQuery() }
    return HTTPQuery(target[target.utf8.index(after: mark)...])
  }

  /// The place of the question mark. A combining mark behind it forms one character with it.
  private var questionMark: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }

  /// The host, and the port if it is not the usual one, that the client asked for. Empty if it named
  /// none.
  public var host: String { reception.authority ?? headers["Host"] ?? "" }

  // MARK: - Reception

  /// The value of a parameter of the route. Traps if the path of the route has no such parameter.
  ///
  ///     server.get("/topics/:name") { request in board.events(request["name"]) }
  public subscript(name: String) -> String {
    guard let value = reception.parameters.first(where: { $0.name == name })?.value else {
      fatalError(
        "The route has no parameter \"\(name)\". Add it to the path of the route, as in \"/:\(name)\"."
      )
    }
    return value
  }

  /// The value of a parameter of the route in a type, such as a number.
  ///
  ///     server.get("/notes/:id") { request in
  ///       try notes.note(request.parameter("id", as: Int.self))
  ///     }
  ///
  /// Throws an error with a status, 404 by default, if the text cannot be converted to the type. Traps
  /// if the path of the route has no such parameter.
  public func parameter<Value: LosslessStringConvertible>(
    _ name: String, as type: Value.Type, otherwise status: HTTPStatus = .notFound
  ) throws(HTTPError) -> Value {
    guard let value = Value(self[name]) else { throw HTTPError(status) }
    return value
  }

  /// The address of the client; nil in a request that was not received.
  public var peer: SocketAddress? { reception.peer }

  /// True if the request was received on an encrypted connection.
  public var isSecure: Bool { reception.isSecure }

  /// The value of `Last-Event-ID`, with which a client resumes a stream of ``ServerSentEvent``.
  public var lastEventID: String? { headers["Last-Event-ID"] }

  /// The trailer fields. They are known after the end of the body.
  public var trailers: HTTPHeaders { reception.trailers?() ?? HTTPHeaders() }

  /// Values that middleware has stored for handlers, by their type.
  public subscript<Value>(type: Value.Type) -> Value? {
    get { reception.values[ObjectIdentifier(type)] as? Value }
    set { reception.values[ObjectIdentifier(type)] = newValue }
  }
}

/// The circumstances of a request that a server has received.
package struct Reception {
  package var parameters: [(name: String, value: String)] = []
  package var peer: SocketAddress?
  package var isSecure = false
  /// The authority of a target that is a whole URL.
  package var authority: String?
  package var isVersion10 = false
  package var trailers: (() -> HTTPHeaders)?
  package var values: [ObjectIdentifier: Any] = [:]

  package init() {}
}
