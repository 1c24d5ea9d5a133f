import RunnelNet
import RunnelStreams

extension HTTPServer {
  /// Returns the response of the routes to a request, without a connection.
  ///
  ///     server.test(HTTPRequest(.get, "/hello/Jim")).observe(succeeded: { show($0.status) })
  ///
  /// The body of a response that is a stream can be observed. With a server on a `TestNetwork`,
  /// handlers run in virtual time.
  public func test(_ request: HTTPRequest) -> Single<HTTPResponse, Never> {
    let responses = EventStream<HTTPResponse, Never>.unguarded { [self] observer in
      switch reply(to: request).content {
      case .now(let response), .upgrade(let response, _):
        observer.next(response)
        observer.completed()
      case .later(let stream):
        errors.recovered(stream, request).start(observer)
      }
    }
    return Single(trusting: responses)
  }
}
