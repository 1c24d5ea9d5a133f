import RunnelLoop
import RunnelStreams

/// A client for HTTP/1.1.
///
///     let client = HTTPClient(on: loop)
///     client.get("http://example.org/").text().observe(
///       succeeded: { show($0) }, failed: { show($0) })
///
/// A request is sent when its operation is observed, and disposing the observation cancels it.
/// Connections are kept and used again. For `https`, import `RunnelTLS` and create the client with
/// `HTTPClient(on: loop, roots: .system)`.
///
/// **Strictness**: a response that violates RFC 9112 fails, and its connection is closed.
///
/// **Second attempts**: a server may close an unused connection while the client sends a request on
/// it. A request with an idempotent method is therefore sent once more if the connection was used
/// before, and if it ends without a response or with the status 408. A body that is a stream is never
/// sent again. After a redirect there may be another second attempt.
///
/// **Redirects** are followed by the rules of the Fetch standard: see ``maximumRedirects``.
///
/// *Disposal*: an observed operation retains the client. Its release closes the connections without
/// a request.
public final class HTTPClient {
  let settings = ClientSettings()
  let pool: ConnectionPool

  /// Creates a client without TLS.
  public convenience init(on network: some Network) {
    self.init(on: network, secure: nil)
  }

  /// `secure` begins TLS.
  package init(on network: some Network, secure: SecureConnection?) {
    pool = ConnectionPool(
      ClientDialer(on: network, secure: secure, settings), settings, on: network)
  }

  // MARK: - Settings

  /// The limits of what servers may send. By default, a body has at most 1 GiB; raise the limit for
  /// larger downloads. Connections that are open keep their limits.
  public var limits: HTTPLimits {
    get { settings.limits }
    set { settings.limits = newValue }
  }

  /// The times that servers may take.
  public var timeLimits: HTTPClientTimeLimits {
    get { settings.timeLimits }
    set { settings.timeLimits = newValue }
  }

  /// The largest number of connections to one server. Further requests wait, in their order. The
  /// default is 6.
  public var maximumConnectionsPerHost: Int {
    get { settings.maximumConnectionsPerHost }
    set {
      require(newValue > 0, "A client needs at least one connection to a server.")
      settings.maximumConnectionsPerHost = newValue
    }
  }

  /// The largest number of redirects that are followed. The default is 10. With 0, a redirect is the
  /// response.
  ///
  /// A POST becomes a GET after the statuses 301 and 302, and every method but HEAD after 303. At
  /// another origin, `Authorization`, `Cookie`, `Host`, `Proxy-Authorization` and the fields of
  /// ``credentialHeaders`` are left out, also if ``headers`` has them. All other fields are sent to
  /// the other origin.
  public var maximumRedirects: Int {
    get { settings.maximumRedirects }
    set { settings.maximumRedirects = max(0, newValue) }
  }

  /// True if redirects from `https` to `http` are followed. The default is false.
  public var allowsInsecureRedirects: Bool {
    get { settings.allowsInsecureRedirects }
    set { settings.allowsInsecureRedirects = newValue }
  }

  /// The names of further header fields with secrets, which are left out when a redirect leads to
  /// another origin. `Authorization`, `Cookie`, `Host` and `Proxy-Authorization` are left out in any
  /// case.
  ///
  ///     client.credentialHeaders.append("X-Session")
  ///
  /// The default is `Api-Key`, `Private-Token`, `X-Access-Token`, `X-Api-Key`, `X-Auth-Token`,
  /// `X-Goog-Api-Key` and `X-Vault-Token`. Add the names that your servers use: a client cannot know
  /// which fields are secret. A secret in a URL or in a body is not left out; set
  /// ``maximumRedirects`` to 0 for such requests.
  public var credentialHeaders: [String] {
    get { settings.credentialHeaders }
    set { settings.credentialHeaders = newValue }
  }

  /// The largest number of bytes of a body that ``HTTPClientError/status(_:)`` carries. The default
  /// is 64 KiB.
  public var failureBodyLimit: Int {
    get { settings.failureBodyLimit }
    set { settings.failureBodyLimit = max(0, newValue) }
  }

  /// Header fields of requests that do not have them. The default is a `User-Agent`. They are added
  /// when a request begins, and are treated as those of the request.
  public var headers: HTTPHeaders {
    get { settings.headers }
    set { settings.headers = newValue }
  }

  /// The proxies. The default is those of the environment: see ``HTTPProxies/environment``.
  public var proxies: HTTPProxies {
    get { settings.proxies }
    set { settings.proxies = newValue }
  }

  /// The options of new connections, such as the limit for connecting.
  public var connectionOptions: ConnectionOptions {
    get { settings.connectionOptions }
    set { settings.connectionOptions = newValue }
  }

  /// Asks servers for a content coding, and decodes responses. A request with `Accept-Encoding` or
  /// `Range` is left alone, and so is its response.
  package func accept(coding: String, _ decode: @escaping (HTTPResponse) -> HTTPResponse) {
    settings.coding = (coding, decode)
  }

  /// Closes the connections without a request.
  public func closeIdleConnections() {
    pool.closeIdle()
  }

  // MARK: - Requests

  /// Returns an operation that sends a request whose target is a whole URL, and gives the response.
  ///
  ///     client.response(HTTPRequest(.post, "http://example.org/notes", body: "Hello"))
  ///       .observe(succeeded: { show($0.status) }, failed: { show($0) })
  ///
  /// *Events*: nothing is sent before it is observed. A status outside of 200 to 299 fails it with
  /// ``HTTPClientError/status(_:)``, which carries the body. Otherwise the response is sent when its
  /// head has arrived, and its body is read when it is observed.
  ///
  /// *Disposal*: cancels the request, and closes its connection. After the response, its body owns
  /// the connection: disposing the observation of the body closes it. If the response is released
  /// and its body was not observed, up to 64 KiB of it are dropped, so that the connection can be
  /// used again; a longer body closes the connection.
  public func response(_ request: HTTPRequest) -> Single<HTTPResponse, HTTPClientError> {
    exchange(request).flatMap { [settings] response in
      response.status.isSuccess
        ? .just(response) : Self.failure(of: response, atMost: settings.failureBodyLimit)
    }
  }

  /// Returns an operation that gets a URL. See ``response(_:)``.
  public func get(_ url: String) -> Single<HTTPResponse, HTTPClientError> {
    response(HTTPRequest(.get, url))
  }

  /// Returns an operation that posts a body to a URL. See ``response(_:)``.
  public func post(_ url: String, _ body: HTTPBody) -> Single<HTTPResponse, HTTPClientError> {
    response(HTTPRequest(.post, url, body: body))
  }

  /// Returns an operation that sends a request, and gives the response whatever its status is. All
  /// else is as for ``response(_:)``.
  public func exchange(_ request: HTTPRequest) -> Single<HTTPResponse, HTTPClientError> {
    exchange(request, within: nil)
  }

  /// The content coding that a request asks for; nil if it asks for none.
  private func coding(for request: HTTPRequest) -> ClientSettings.Coding? {
    // The program that sets the fields decodes the body. A part of an encoded body cannot be decoded.
    for name in ["Accept-Encoding", "Range"]
    where request.headers.contains(name) || headers.contains(name) { return nil }
    return settings.coding
  }

  /// Returns an operation with time limits of its own, or with the limits of the client if they are
  /// nil. The response to a request for events has no coding and no end.
  func exchange(
    _ request: HTTPRequest, within times: HTTPClientTimeLimits?, isForEvents: Bool = false
  ) -> Single<HTTPResponse, HTTPClientError> {
    let exchange = Single<HTTPResponse, HTTPClientError> { [self] finish in
      mustBeHome("sending a request")
      guard let url = HTTPURL(request.target) else {
        finish(.failure(.invalidURL(request.target)))
        return .none
      }
      var request = request
      var decode: (HTTPResponse) -> HTTPResponse = { $0 }
      if !isForEvents, let coding = coding(for: request) {
        request.headers.append("Accept-Encoding", coding.name)
        decode = coding.decode
      }
      let call = ClientCall(request, url, pool, settings, within: times) { finish($0.map(decode)) }
      call.isForEvents = isForEvents
      call.begin()
      return Disposable { [self] in
        call.tearDown()
        withExtendedLifetime(self) {}
      }
    }
    return Single(trusting: exchange.stream.asWork)
  }

  /// Returns an operation that asks for another protocol. It gives the connection after a response
  /// with the status 101. Any other response fails it.
  package func upgrade(
    _ request: HTTPRequest
  ) -> Single<(response: HTTPResponse, connection: Connection), HTTPClientError> {
    Single { [self] finish in
      mustBeHome("sending a request")
      guard let url = HTTPURL(request.target) else {
        finish(.failure(.invalidURL(request.target)))
        return .none
      }
      let observation = Disposable()
      let call = ClientCall(
        request, url, pool, settings, upgrade: { finish(.success(($0, $1))) }
      ) { [settings] result in
        switch result {
        case .failure(let error): finish(.failure(error))
        case .success(let response):
          Self.failure(of: response, atMost: settings.failureBodyLimit).stream.start(
            under: observation, next: { _ in },
            end: { if case .failed(let error) = $0 { finish(.failure(error)) } })
        }
      }
      call.begin()
      observation.add { [self] in
        call.tearDown()
        withExtendedLifetime(self) {}
      }
      return observation
    }
  }

  private func mustBeHome(_ action: @autoclosure () -> String) {
    (pool.scheduler as? EventLoop)?.mustBeCurrent(action())
  }

  /// Reads a part of a body, and fails with the response.
  static func failure(
    of response: HTTPResponse, atMost limit: Int
  ) -> Single<HTTPResponse, HTTPClientError> {
    Single { finish in
      let observation = Disposable()
      var bytes: [UInt8] = []
      func fail(isComplete: Bool) {
        finish(
          .failure(
            .status(
              HTTPClientError.FailedResponse(
                status: response.status, headers: response.headers, bytes: bytes,
                isComplete: isComplete))))
      }
      response.body.stream.start(
        in: observation,
        next: { piece in
          let room = limit - bytes.count
          bytes += piece.prefix(room)
          guard piece.count > room else { return }
          observation.dispose()
          fail(isComplete: false)
        },
        end: { termination in
          if case .completed = termination {
            fail(isComplete: true)
          } else {
            fail(isComplete: false)
          }
        })
      return observation
    }
  }
}

extension Single where Element == HTTPResponse, Failure == HTTPClientError {
  /// Returns an operation that collects the bytes of the response's body.
  ///
  /// *Events*: fails with ``HTTPClientError/responseBody(_:)`` if there are more than the limit, or
  /// if the body does not arrive completely.
  public func bytes(atMost limit: Int = .max) -> Single<[UInt8], HTTPClientError> {
    flatMap { response in
      response.body.bytes(atMost: limit).mapFailure(to: HTTPClientError.self) { .body($0) }
    }
  }

  /// Returns an operation that collects the response's body as text in UTF-8. See
  /// ``bytes(atMost:)``.
  public func text(atMost limit: Int = .max) -> Single<String, HTTPClientError> {
    flatMap { response in
      response.body.text(atMost: limit).mapFailure(to: HTTPClientError.self) { .body($0) }
    }
  }
}

extension HTTPClientError {
  /// Returns the error of a body of a response.
  static func body(_ error: any Error) -> HTTPClientError {
    .responseBody(error as? HTTPBodyError ?? .disconnected)
  }
}
