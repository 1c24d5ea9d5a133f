import RunnelStreams

/// The answer of a handler: a response now or later, or another protocol on the connection.
public struct HTTPReply {
  package enum Content {
    case now(HTTPResponse)
    /// The first element is the response. A stream without one is answered with 500.
    case later(EventStream<HTTPResponse, any Error>)
    /// After the head of the response, the connection belongs to the closure. It returns an action
    /// for the time when the server ends.
    case upgrade(HTTPResponse, (Connection) -> () -> Void)
  }

  package let content: Content

  package init(_ content: Content) {
    self.content = content
  }

  /// Creates a reply with a response.
  public init(_ response: HTTPResponse) {
    self.init(.now(response))
  }

  /// Returns a reply that is the first element of a stream. If the client goes away before, the
  /// observation is disposed.
  public static func later<Failure: Error>(
    _ stream: EventStream<HTTPResponse, Failure>
  ) -> HTTPReply {
    HTTPReply(.later(stream.mapFailure(to: (any Error).self) { $0 }))
  }

  /// Returns a reply that changes the response, also one that comes later. Another protocol is left
  /// alone.
  public func map(_ transform: @escaping (HTTPResponse) -> HTTPResponse) -> HTTPReply {
    switch content {
    case .now(let response): HTTPReply(transform(response))
    case .later(let stream): HTTPReply(.later(stream.map { transform($0) }))
    case .upgrade: self
    }
  }
}

/// The result of a handler, which can be made a reply.
///
/// Texts, bytes, statuses and responses are results, and so are a `Single` of a result, a stream or
/// subject of pieces of a body or of events, and nil, which is answered with 404.
public protocol HTTPReplyConvertible {
  /// Returns the reply to a request.
  func reply(to request: HTTPRequest) -> HTTPReply
}

extension HTTPReply: HTTPReplyConvertible {
  /// The reply itself.
  public func reply(to request: HTTPRequest) -> HTTPReply { self }
}

extension HTTPResponse: HTTPReplyConvertible {
  /// A reply with the response.
  public func reply(to request: HTTPRequest) -> HTTPReply { HTTPReply(self) }
}

extension HTTPStatus: HTTPReplyConvertible {
  /// A reply with the status and no body.
  public func reply(to request: HTTPRequest) -> HTTPReply { HTTPReply(HTTPResponse(self)) }
}

extension HTTPError: HTTPReplyConvertible {
  /// A reply with the status and the text of the error.
  public func reply(to request: HTTPRequest) -> HTTPReply { HTTPReply(response) }
}

extension HTTPBodyError: HTTPReplyConvertible {
  /// A reply with the status of the error.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    let status: HTTPStatus =
      switch self {
      case .disconnected, .malformed, .invalidText: .badRequest
      case .tooLarge: .contentTooLarge
      case .timedOut: .requestTimeout
      case .alreadyRead: .internalServerError
      }
    return HTTPError(status, "\(self)").reply(to: request)
  }
}

extension String: HTTPReplyConvertible {
  /// A reply with the text.
  public func reply(to request: HTTPRequest) -> HTTPReply { HTTPReply(HTTPResponse(text: self)) }
}

extension Array: HTTPReplyConvertible where Element == UInt8 {
  /// A reply with the bytes.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    HTTPReply(
      HTTPResponse(headers: ["Content-Type": "application/octet-stream"], body: HTTPBody(self)))
  }
}

extension HTTPBody: HTTPReplyConvertible {
  /// A reply with the body.
  public func reply(to request: HTTPRequest) -> HTTPReply { HTTPReply(HTTPResponse(body: self)) }
}

extension Optional: HTTPReplyConvertible where Wrapped: HTTPReplyConvertible {
  /// A reply of the value, or 404.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    self?.reply(to: request) ?? HTTPError(.notFound).reply(to: request)
  }
}

extension Single: HTTPReplyConvertible where Element: HTTPReplyConvertible {
  /// A reply of the element, or of the error.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    .later(
      stream.mapFailure(to: (any Error).self) { $0 }.flatMap { element in
        switch element.reply(to: request).content {
        case .now(let response): .just(response)
        case .later(let stream): stream
        case .upgrade: .failed(HTTPServerError.lateUpgrade)
        }
      })
  }
}

extension Completable: HTTPReplyConvertible {
  /// A reply with 204 after the completion.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    .later(andThen(Single.just(HTTPResponse(.noContent))).stream)
  }
}

/// An element of a stream that is sent as the body of a response, piece by piece.
public protocol HTTPBodyElement {
  /// The header fields of the response.
  static var responseHeaders: HTTPHeaders { get }
  /// The bytes of the element.
  var bodyBytes: [UInt8] { get }
}

extension String: HTTPBodyElement {
  /// A text in UTF-8.
  public static var responseHeaders: HTTPHeaders { ["Content-Type": "text/plain; charset=utf-8"] }
  /// The text in UTF-8.
  public var bodyBytes: [UInt8] { Array(utf8) }
}

extension Array: HTTPBodyElement where Element == UInt8 {
  /// Bytes of any type.
  public static var responseHeaders: HTTPHeaders { ["Content-Type": "application/octet-stream"] }
  /// The array.
  public var bodyBytes: [UInt8] { self }
}

extension EventStream: HTTPReplyConvertible where Element: HTTPBodyElement {
  /// A reply whose body is the elements of the stream. See ``HTTPBody/init(_:count:)``.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    var response = HTTPResponse(
      headers: Element.responseHeaders, body: HTTPBody(map { $0.bodyBytes }))
    response.sendsComments = Element.self == ServerSentEvent.self
    return HTTPReply(response)
  }
}

extension Subject: HTTPReplyConvertible where Element: HTTPBodyElement {
  /// A reply whose body is the elements that the subject sends from now on.
  ///
  ///     let news = PushStream<ServerSentEvent>()
  ///     server.get("/news") { _ in news }
  public func reply(to request: HTTPRequest) -> HTTPReply { stream.reply(to: request) }
}
