import RunnelStreams

extension WebSocket {
  /// Returns an operation that connects to a server and opens a WebSocket.
  ///
  ///     WebSocket.connect(to: "ws://localhost:8080/live", on: loop).observe(
  ///       succeeded: { socket in _ = socket.send("hello") }, failed: { show($0) })
  ///
  /// It uses a client of its own without TLS. For `wss`, see
  /// ``HTTPClient/webSocket(_:options:headers:)``.
  public static func connect(
    to url: String, options: WebSocketOptions = WebSocketOptions(),
    headers: HTTPHeaders = HTTPHeaders(), on network: some Network
  ) -> Single<WebSocket, WebSocketError> {
    HTTPClient(on: network).webSocket(url, options: options, headers: headers)
  }
}

extension HTTPClient {
  /// Returns an operation that connects to a server and opens a WebSocket.
  ///
  ///     client.webSocket("ws://localhost:8080/live").observe(
  ///       succeeded: { socket in _ = socket.send("hello") }, failed: { show($0) })
  ///
  /// The URL begins with `ws://` or `wss://`, which needs a client with TLS. The connection does not
  /// count towards ``maximumConnectionsPerHost`` once the socket is open. The headers are added to
  /// those of the handshake.
  ///
  /// *Events*: fails if the request does, and with ``WebSocketError/refused(_:)`` if the server
  /// answers with another status than 101. *Disposal*: ends the connection.
  public func webSocket(
    _ url: String, options: WebSocketOptions = WebSocketOptions(),
    headers: HTTPHeaders = HTTPHeaders()
  ) -> Single<WebSocket, WebSocketError> {
    guard let target = Self.target(ofWebSocket: url) else {
      return .failed(.handshake("\"\(url)\" is not the URL of a WebSocket"))
    }
    return .deferred { () throws(WebSocketError) in
      let key = WebSocketHandshake.makeKey()
      let fields = WebSocketHandshake.fields(key: key, headers, options)
      return self.upgrade(HTTPRequest(.get, target, headers: fields))
        .mapFailure(to: WebSocketError.self) { WebSocketError($0) }
        .timeout(after: options.handshakeTimeout, failingWith: .timedOut, on: self.pool.scheduler)
        .map { (response, connection) throws(WebSocketError) in
          do throws(WebSocketError) {
            let agreement = try WebSocketHandshake.confirm(response.headers, key: key, options)
            return WebSocket(connection, isServer: false, agreement, options)
          } catch {
            connection.close()
            throw error
          }
        }
    }
  }

  /// Returns the URL of the request that opens a WebSocket; nil if the text is not the URL of one.
  package static func target(ofWebSocket url: String) -> String? {
    guard let colon = url.firstIndex(of: ":"), !url.contains("#") else { return nil }
    let scheme: String
    switch url[..<colon].lowercased() {
    case "ws": scheme = "http"
    case "wss": scheme = "https"
    default: return nil
    }
    let target = scheme + url[colon...]
    return HTTPURL(target) == nil ? nil : target
  }
}

extension WebSocketError {
  /// Creates the error of a request that did not open a WebSocket.
  fileprivate init(_ error: HTTPClientError) {
    switch error {
    case .connection(let error): self = .connection(error)
    case .disconnected: self = .disconnected
    case .malformed(let reason): self = .handshake(reason)
    case .timedOut: self = .timedOut
    case .status(let response): self = .refused(response.status)
    case .invalidURL, .invalidRequest, .tooManyRedirects, .refusedRedirect, .proxy, .tlsMissing,
      .requestBody, .responseBody, .noEvents, .eventTooLong:
      self = .handshake("\(error)")
    }
  }
}
