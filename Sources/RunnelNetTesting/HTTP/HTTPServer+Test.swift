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
    Single(trusting: response(to: request))
  }
}
