import RunnelStreams

extension HTTPRoutes {
  /// Adds a route for WebSockets.
  ///
  ///     server.webSocket("/live") { socket in socket.texts.bind(to: room) }
  ///
  /// A request that is not a handshake of RFC 6455 is answered with 426, 400 or 403. See
  /// ``WebSocketOptions`` for the limits and the check of the origin. When the server is closed, the
  /// sockets are closed with the code 1001.
  ///
  /// *Disposal*: the socket is closed unless the handler observes it, binds a stream to it, or keeps
  /// it.
  public func webSocket(
    _ path: String, options: WebSocketOptions = WebSocketOptions(),
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (_ socket: WebSocket) -> Void
  ) {
    webSocket(path, options: options, file: file, line: line) { _, socket in handler(socket) }
  }

  /// Adds a route for WebSockets whose handler also receives the request, for example for the
  /// parameters of the route.
  ///
  ///     server.webSocket("/rooms/:name") { request, socket in
  ///       socket.texts.bind(to: rooms.room(named: request["name"]))
  ///     }
  public func webSocket(
    _ path: String, options: WebSocketOptions = WebSocketOptions(),
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (_ request: HTTPRequest, _ socket: WebSocket) -> Void
  ) {
    get(path, file: file, line: line) { request in
      HTTPReply.webSocket(request, options: options) { handler(request, $0) }
    }
  }
}

extension HTTPReply {
  /// Returns a reply that opens a WebSocket, or refuses a request that is not a correct handshake.
  ///
  ///     server.get("/live") { request in
  ///       guard let user = users.user(of: request) else { throw HTTPError(.unauthorized) }
  ///       return HTTPReply.webSocket(request) { socket in user.join(socket) }
  ///     }
  public static func webSocket(
    _ request: HTTPRequest, options: WebSocketOptions = WebSocketOptions(),
    _ handler: @escaping (_ socket: WebSocket) -> Void
  ) -> HTTPReply {
    do throws(HTTPError) {
      let (response, agreement) = try WebSocketHandshake.accept(request, options)
      return HTTPReply(
        .upgrade(response) { connection in
          let socket = WebSocket(connection, isServer: true, agreement, options)
          let channel = socket.channel
          handler(socket)
          return { channel.close(WebSocketClosure(.goingAway)) }
        })
    } catch {
      return HTTPReply(error.response)
    }
  }
}
