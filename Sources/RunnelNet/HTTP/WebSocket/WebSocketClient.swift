import Glibc
import RunnelLoop
import RunnelStreams

extension WebSocket {
  /// Returns an operation that connects to a server and opens a WebSocket.
  ///
  ///     WebSocket.connect(to: "ws://localhost:8080/live", on: loop).observe(
  ///       succeeded: { socket in socket.send("hello") }, failed: { show($0) })
  ///
  /// The URL begins with `ws://`. For an encrypted connection, see ``open(_:over:options:headers:)``.
  /// The headers are added to those of the handshake.
  ///
  /// *Events*: fails if the connection does, and with ``WebSocketError/refused(_:)`` if the server
  /// answers with another status than 101. *Disposal*: ends the connection.
  public static func connect(
    to url: String, options: WebSocketOptions = WebSocketOptions(),
    headers: HTTPHeaders = HTTPHeaders(), on network: some Network
  ) -> Single<WebSocket, WebSocketError> {
    guard let parts = WebSocketURL(url), !parts.isSecure else {
      return .failed(.handshake("\"\(url)\" is not a URL that begins with ws://"))
    }
    return Single(
      trusting: Connection.connect(to: .tcp(parts.host, port: parts.port), on: network).stream
        .mapFailure(to: WebSocketError.self) { .connection($0) }
        .flatMap { open(url, over: $0, options: options, headers: headers).stream })
  }

  /// Returns an operation that opens a WebSocket over a connection, for example over one that
  /// `Connection.tls(_:host:)` of `RunnelTLS` has encrypted. The URL begins with `ws://` or `wss://`,
  /// and its host is only sent to the server.
  ///
  /// *Events*: as for ``connect(to:options:headers:on:)``. *Disposal*: ends the connection.
  public static func open(
    _ url: String, over connection: Connection, options: WebSocketOptions = WebSocketOptions(),
    headers: HTTPHeaders = HTTPHeaders()
  ) -> Single<WebSocket, WebSocketError> {
    guard let parts = WebSocketURL(url) else {
      return .failed(.handshake("\"\(url)\" is not the URL of a WebSocket"))
    }
    return Single { finish in
      connection.mustBeHome("opening a WebSocket")
      let opening = WebSocketOpening(connection, options, finish)
      opening.begin(parts, headers)
      let work = Disposable()
      work.add(opening)
      return work
    }
  }
}

/// The handshake of a client on a connection.
private final class WebSocketOpening: InputConsumer, Teardown {
  /// The connection, until the handshake ends.
  private var connection: Connection?
  private let options: WebSocketOptions
  private let key = WebSocketHandshake.makeKey()
  private let timer: RestartableTimer
  private let finish: (Result<WebSocket, WebSocketError>) -> Void
  private let limits = HTTPLimits()

  init(
    _ connection: Connection, _ options: WebSocketOptions,
    _ finish: @escaping (Result<WebSocket, WebSocketError>) -> Void
  ) {
    self.connection = connection
    self.options = options
    self.finish = finish
    timer = RestartableTimer(on: connection.core.scheduler)
  }

  func begin(_ url: WebSocketURL, _ headers: HTTPHeaders) {
    guard let connection else { return }
    var request: [UInt8] = []
    WebSocketHandshake.writeRequest(url, key: key, headers, options, into: &request)
    _ = connection.core.queue.write(request, isForced: true)
    timer.set(after: options.handshakeTimeout) { [weak self] in self?.fail(.timedOut) }
    connection.inlet.begin(self)
  }

  var isActive: Bool { connection != nil }
  var wantsMore: Bool { connection != nil }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard connection != nil else { return bytes.count }
    do throws(WebSocketError) {
      guard let (headers, count) = try parse(bytes) else { return 0 }
      let agreement = try WebSocketHandshake.confirm(headers, key: key, options)
      guard let connection = release() else { return bytes.count }
      connection.inlet.stop(self)
      finish(.success(WebSocket(connection, isServer: false, agreement, options)))
      return count
    } catch {
      fail(error)
      return bytes.count
    }
  }

  /// Parses the head of the response; nil if it is not complete.
  private func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws(WebSocketError) -> (HTTPHeaders, count: Int)? {
    if let status = try status(of: bytes), status != 101 {
      throw .refused(HTTPStatus(integerLiteral: status))
    }
    guard let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      if bytes.count > limits.startLine { throw .handshake("the first line is too long") }
      return nil
    }
    let line = bytes[..<lineEnd]
    guard line.count >= 13, line.last == UInt8(ascii: "\r"),
      line.dropLast().allSatisfy({ $0.isFieldCharacter })
    else { throw .handshake("an invalid status line") }
    var parser = FieldParser(capacity: limits.headerCount)
    defer { parser.deallocate() }
    do throws(HTTPParseError) {
      guard let end = try parser.parse(bytes, from: lineEnd + 1) else {
        if bytes.count > limits.headers { throw .headersTooLarge }
        return nil
      }
      return (HTTPHeaders(text: Array(bytes[..<end]), fields: Array(parser.fields)), end)
    } catch {
      throw .handshake("\(error)")
    }
  }

  /// The status of the first line; nil if it is not complete.
  private func status(of bytes: UnsafeRawBufferPointer) throws(WebSocketError) -> Int? {
    let start: StaticString = "HTTP/1.1 "
    let count = min(bytes.count, start.utf8CodeUnitCount)
    for index in 0..<count where bytes[index] != start.utf8Start[index] {
      throw .handshake("the server does not speak HTTP/1.1")
    }
    guard bytes.count >= 13 else { return nil }
    let digits = bytes[9..<12]
    guard digits.allSatisfy({ $0.isDigit }), digits.first != UInt8(ascii: "0"),
      bytes[12] == UInt8(ascii: " ")
    else {
      throw .handshake("an invalid status line")
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    if case .failed(let error) = termination { return fail(.connection(error)) }
    fail(.disconnected)
  }

  private func fail(_ error: WebSocketError) {
    guard let connection = release() else { return }
    connection.close()
    finish(.failure(error))
  }

  private func release() -> Connection? {
    timer.tearDown()
    return connection.take()
  }

  func tearDown() {
    release()?.reset()
  }
}
