import RunnelStreams

extension WebSocket: Bindable {
  /// Sends each element of the stream as a text.
  ///
  /// *Disposal*: the binding retains the socket. It ends when the socket does.
  public func bind(from source: EventStream<String, Never>) -> Disposable {
    bound(source) { $0.send($1) }
  }

  /// Sends the elements of a stream until either ends. Ends the socket if an element is refused or
  /// the stream fails.
  fileprivate func bound<Element, Failure: Error>(
    _ source: EventStream<Element, Failure>, _ send: @escaping (WebSocket, Element) -> Bool
  ) -> Disposable {
    guard isOpen else { return .none }
    let binding = Disposable()
    channel.ending.start(under: binding, next: { _ in binding.dispose() }, end: { _ in })
    source.start(
      in: binding,
      next: { [self] element in
        if !send(self, element) && isOpen { channel.abort(.overflow(limit: limit)) }
      },
      end: { [self] in
        if case .failed = $0 { channel.close(WebSocketClosure(.internalError)) }
      })
    return binding
  }
}

extension StreamConvertible where Element == String {
  /// Sends each element to a WebSocket as a text.
  ///
  ///     server.webSocket("/clock") { socket in ticks.map { "\($0)" }.bind(to: socket) }
  ///
  /// *Events*: the completion of the stream ends the binding, not the socket. A failure closes the
  /// socket with the code 1011. If an element is refused, the connection is reset: see
  /// ``WebSocket/overflow``.
  ///
  /// *Disposal*: the binding retains the socket, and ends when the socket does.
  @discardableResult
  public func bind(to socket: WebSocket) -> Disposable {
    socket.bound(stream) { $0.send($1) }
  }
}

extension StreamConvertible where Element == [UInt8] {
  /// Sends each element to a WebSocket as a binary message. See `bind(to:)` of strings.
  @discardableResult
  public func bind(to socket: WebSocket) -> Disposable {
    socket.bound(stream) { $0.send($1) }
  }
}

extension StreamConvertible where Element == WebSocketMessage {
  /// Sends each element to a WebSocket. See `bind(to:)` of strings.
  @discardableResult
  public func bind(to socket: WebSocket) -> Disposable {
    socket.bound(stream) { $0.send($1) }
  }
}

extension StreamProtocol where Failure == WebSocketError {
  // Disfavoured, so that a stream whose failure type is inferred is one that cannot fail.

  /// Binds the messages of a WebSocket to a target, which receives each element.
  ///
  ///     server.webSocket("/live") { socket in socket.texts.bind(to: room) }
  ///
  /// *Events*: the end of the socket ends the binding, not the target. The reason is sent by
  /// ``WebSocket/closed``.
  ///
  /// *Disposal*: the target is held weakly; when it is released, the binding ends. The binding
  /// retains the socket, and need not be kept.
  @_disfavoredOverload
  @discardableResult
  public func bind<Target: Bindable>(
    to target: Target, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable where Target.Input == Element {
    ignoreFailure { _, _ in }.bind(to: target, file: file, line: line)
  }
}
