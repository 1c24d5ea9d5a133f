import RunnelLoop
import RunnelStreams

/// A server for HTTP/1.1 and HTTP/1.0.
///
///     let server = HTTPServer(on: loop)
///     server.get("/hello/:name") { request in "Hello, \(request["name"])!\n" }
///     try server.listen(.tcp("127.0.0.1", port: 8080))
///
/// A handler returns a value, such as a text, an ``HTTPResponse``, a `Single`, or a stream. It runs
/// on the loop of the server. An error that it throws is answered with its status if it is an
/// ``HTTPReplyConvertible``, such as an ``HTTPError``; any other error is answered with 500 and is
/// sent by ``failures``.
///
/// **Strictness**: a request that violates RFC 9112 is answered with 400, and its connection is
/// closed, so that two programs cannot understand it differently. All ``limits`` and ``timeLimits``
/// are on by default.
///
/// *Disposal*: when a client goes away, the observation of its handler's stream is disposed in the
/// same turn of the loop. A client that finishes its direction while a handler works counts as gone.
/// An open connection and an observed listener retain the server.
public final class HTTPServer: HTTPRoutes {
  /// The limits of what clients may send.
  public var limits = HTTPLimits() {
    didSet {
      parser.deallocate()
      parser = RequestParser(limits)
    }
  }
  /// The times that clients may take.
  public var timeLimits = HTTPTimeLimits()
  /// The time between comments in streams of ``ServerSentEvent``. The default is 15 s.
  public var heartbeat = Duration.seconds(15)
  /// The largest number of open connections. Others are answered with 503. The default is 20,000.
  public var maximumConnections = 20_000
  /// Errors of handlers that are answered with 500, and each ``SocketError`` of a listener, such as a
  /// lack of descriptors, after which it goes on.
  public var failures: EventStream<any Error, Never> { errors.failures.stream }
  /// Requests that were answered without a handler, such as malformed ones.
  public var refusals: EventStream<HTTPRefusal, Never> { refused.stream }

  /// The number of open connections.
  public var connectionCount: Int { connections.count }

  /// The routes of the server.
  public private(set) lazy var routes = HTTPGroup(of: self)
  let system: any NetworkSystem
  let router = HTTPRouter()
  let errors = ErrorReplies()
  let refused = PushStream<HTTPRefusal>()
  private var listeners: [WeakListener] = []
  let connections: OpenConnections
  /// The parser of all connections.
  var parser = RequestParser(HTTPLimits())
  /// The bytes of a response's head, or of a chunk, while they are put together.
  var scratch: [UInt8] = []
  /// The array in which bytes of bodies are passed to handlers.
  var spareCopy: [UInt8] = []
  private var dateField = DateField()
  private var handshakeLimit = LogLimit()
  var metrics: HTTPMetrics?

  /// Creates a server without routes.
  public init(on network: some Network) {
    system = network.functions.system
    connections = OpenConnections(on: system.scheduler)
  }

  deinit {
    parser.deallocate()
  }

  // MARK: - Answering

  /// Answers errors of handlers. The closure returns nil for errors that it does not know. The
  /// closure that was added last is asked first.
  ///
  ///     server.mapErrors { error, _ in error is NotFound ? HTTPStatus.notFound : nil }
  public func mapErrors<Result: HTTPReplyConvertible>(
    _ answer: @escaping (_ error: any Error, _ request: HTTPRequest) -> Result?
  ) {
    errors.add { answer($0, $1)?.reply(to: $1) }
  }

  /// Returns the path of the route that answers a request, such as `/topics/:name`, for metrics and
  /// traces. Returns nil if no route has the path and the method of the request.
  public func route(of request: HTTPRequest) -> String? { router.pattern(of: request) }

  func reply(to request: HTTPRequest) -> HTTPReply {
    router.reply(to: request)
  }

  /// Sends the response to a request, also for an error of its handler. The head of an upgrade is a
  /// response.
  package func response(to request: HTTPRequest) -> EventStream<HTTPResponse, Never> {
    .unguarded { [self] observer in
      switch reply(to: request).content {
      case .now(let response), .upgrade(let response, _):
        observer.next(response)
        observer.completed()
      case .later(let stream): errors.recovered(stream, request).start(observer)
      }
    }
  }

  // MARK: - Serving

  /// Listens at an endpoint, and serves the connections of clients.
  ///
  /// *Disposal*: the server listens until the listener is closed, or ``close(within:)``.
  @discardableResult
  public func listen(
    _ endpoint: Endpoint, options: ListenerOptions = ListenerOptions()
  ) throws(SocketError) -> Listener {
    try listen(endpoint, options) { [self] in serve($0) }
  }

  /// Listens at an endpoint, and passes on the connections of clients.
  package func listen(
    _ endpoint: Endpoint, _ options: ListenerOptions, _ accept: @escaping (Connection) -> Void
  ) throws(SocketError) -> Listener {
    let listener = try Listener(endpoint, options: options, on: system)
    listeners.removeAll { $0.listener == nil }
    listeners.append(WeakListener(listener: listener))
    listener.connections.observeNext(accept)
    listener.failures.observeNext { [errors] in errors.failures.next($0) }
    return listener
  }

  /// Serves one connection, for example one that another program has passed.
  public func serve(_ connection: Connection, isSecure: Bool = false) {
    let served = ServerConnection(connection, isSecure: isSecure, of: self)
    metrics?.connections.add(1)
    connections.add(served)
    served.begin(refused: connections.count > maximumConnections)
  }

  /// Serves a connection once it has become secure. It counts as an open one before.
  package func serve(
    _ connection: Connection, afterSecuring secured: Single<Connection, SocketError>
  ) {
    guard connections.totalCount < maximumConnections else { return connection.reset() }
    connections.beginSecuring(connection)
    secured.observe(
      succeeded: { [self] secure in
        serve(secure, isSecure: true)
        connections.endSecuring(connection)
      },
      // The session has sent the reason to the client and closed the connection.
      failed: { [self] error in
        connections.endSecuring(connection)
        if let count = handshakeLimit.count(at: system.scheduler.now) {
          Log("runnel.net").info(
            "Clients could not be secured.",
            ["count": count, "client": connection.peer, "error": error])
        }
      })
  }

  func connectionHasEnded(_ connection: ServerConnection) {
    guard connections.remove(connection) else { return }
    metrics?.connections.add(-1)
    connections.finishIfDrained()
  }

  func appendDate(to bytes: inout [UInt8]) {
    dateField.append(to: &bytes)
  }

  // MARK: - Ending

  /// Stops listening, lets running requests finish, and completes when all connections are closed.
  ///
  /// - Connections that wait to be accepted are still served.
  /// - A connection without a request is kept for about a second. A request that arrives in that
  ///   time is answered, and the answer has `Connection: close`.
  /// - Streams of ``ServerSentEvent`` complete, and WebSockets close with the code 1001.
  /// - After the deadline, the connections that are still open are reset.
  ///
  /// *Events*: begins when it is observed. *Disposal*: the server still closes.
  public func close(within deadline: Duration = .seconds(10)) -> Completable<Never> {
    Completable { [self] finish in
      if connections.beginDraining() {
        for listener in exchange(&listeners, with: []) { listener.listener?.closeAfterAccepting() }
        connections.drain(within: deadline)
      }
      connections.whenDrained { finish(.completed) }
      return .none
    }
  }
}

/// The times that a server gives to its clients.
public struct HTTPTimeLimits: Hashable, Sendable {
  /// The time from the first byte of a request, or from the beginning of a connection, to the end of
  /// the head. The default is 15 s. A later client is answered with 408.
  public var head = Duration.seconds(15)
  /// The time without a request on a connection that had one, after its response is written. The
  /// default is 75 s.
  public var idle = Duration.seconds(75)
  /// The smallest number of bytes of a body per second while the server waits for the body. The
  /// default is 240. A client that is behind for five seconds is answered with 408.
  public var bodyRate = 240
  /// The time in which a client must read some bytes of a response that waits. The default is 30 s;
  /// then the connection is reset.
  public var writing = Duration.seconds(30)

  /// Creates the default limits. A server checks them once a second.
  public init() {}
}

/// A listener that the server closes when it drains.
private struct WeakListener {
  weak var listener: Listener?
}
