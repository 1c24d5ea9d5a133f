import RunnelStreams

/// The means of responding to one request later, from a callback.
///
///     server.get("/weather") { request in
///       HTTPReply.later(to: request) { responder in
///         station.read { report in responder.respond(report.text) }
///       }
///     }
///
/// *Disposal*: if it is released without a response, for example by a callback that is never called,
/// the request is answered with 500.
public final class HTTPResponder {
  private let request: HTTPRequest
  private var observer: Observer<HTTPResponse, any Error>?

  fileprivate init(_ request: HTTPRequest, _ observer: Observer<HTTPResponse, any Error>) {
    self.request = request
    self.observer = observer
  }

  deinit {
    observer?.failed(HTTPError(.internalServerError))
  }

  /// False after the response, and after the client has gone away.
  public var isActive: Bool { observer?.isActive ?? false }

  /// Responds with the result of a handler. Does nothing if the request is answered or if the
  /// client has gone away.
  public func respond<Result: HTTPReplyConvertible>(_ result: Result) {
    guard let observer = observer.take(), observer.isActive else { return }
    switch result.reply(to: request).content {
    case .now(let response):
      observer.next(response)
      observer.completed()
    case .later(let stream): stream.start(observer)
    case .upgrade: observer.failed(HTTPServerError.lateUpgrade)
    }
  }

  /// Answers the request with an error, as if the handler had thrown it.
  public func fail(_ error: any Error) {
    observer.take()?.failed(error)
  }
}

extension HTTPReply {
  /// Returns a reply that a callback gives later. See ``HTTPResponder``.
  public static func later(
    to request: HTTPRequest, _ begin: @escaping (HTTPResponder) -> Void
  ) -> HTTPReply {
    HTTPReply(.later(.unguarded { begin(HTTPResponder(request, $0)) }))
  }
}
