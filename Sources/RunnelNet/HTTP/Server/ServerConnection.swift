import RunnelLoop
import RunnelStreams

/// One connection of a server: reads requests, calls the routes, and writes the responses in order.
///
/// One request is handled at a time. The bytes of later ones wait in the connection, which reads no
/// further than one buffer ahead.
///
///     idle ── a head ──▶ handling ── a reply ──▶ responding ──────────────▶ idle
///                           │                        └─▶ settling ────────▶ idle
///                           └──▶ upgraded            (any phase)  ────────▶ closed
final class ServerConnection: InputConsumer {
  enum Phase {
    case idle(Awaited)
    /// The handler has not replied yet.
    case handling
    /// The response is being written.
    case responding
    /// The response is complete, and only the rest of the request's body is missing.
    case settling
    /// Another protocol uses the connection. The closure ends it when the server drains.
    case upgraded(drain: (() -> Void)?)
    case closed
  }

  enum Awaited {
    case firstRequest
    case nextRequest
    /// A part of the head has arrived.
    case restOfHead
  }

  let connection: Connection
  let server: HTTPServer
  var place = 0
  let isSecure: Bool
  var search = HeadSearch()
  var phase = Phase.idle(.firstRequest)
  var body: RequestBody?
  var current = Exchange()
  /// The observation of the reply that comes later, or of the body of the response.
  var work: Disposable?
  var isConsuming = false
  /// The requests of one reading. After 64 the connection rests until the end of the turn.
  var handledCount = 0
  /// The number of sweeps in the current wait.
  var waitingTicks = 0
  var writtenBefore: UInt64 = 0
  var stalledTicks = 0
  var drainsAt: Int?

  /// A request and its response.
  struct Exchange {
    // Flags (4): a request of any method and version can ask to close the connection; its response may
    // be sent in chunks unless the version is 1.0.
    var isHead = false
    var isVersion10 = false
    var closes = false
    /// True if the response is sent in chunks.
    var isChunked = false
    /// The number of sweeps since the last piece of a stream of events; nil for other responses.
    var silentTicks: Int?
    /// The compression of the pieces of the response, if there is one.
    var encoder: (any PieceEncoder)?
    /// Reports the end of the response, if middleware asks for it.
    var delivery: ResponseDelivery?
  }

  init(_ connection: Connection, isSecure: Bool, of server: HTTPServer) {
    self.connection = connection
    self.server = server
    self.isSecure = isSecure
  }

  var queue: WriteQueue { connection.core.queue }
  var inlet: Inlet { connection.inlet }

  func begin(refused: Bool) {
    connection.staysOpenAfterEnd = true
    if refused {
      inlet.begin(self)
      return refuse(.serviceUnavailable, "The server has too many connections.")
    }
    if server.connections.isDraining { drain() }
    inlet.begin(self)
  }

  // MARK: - Reading

  var isActive: Bool {
    switch phase {
    case .idle, .handling, .responding, .settling: true
    case .upgraded, .closed: false
    }
  }

  var isIdle: Bool { if case .idle = phase { true } else { false } }
  var isHandling: Bool { if case .handling = phase { true } else { false } }
  var isResponding: Bool { if case .responding = phase { true } else { false } }

  /// True until the end of the turn, after many requests in one turn.
  private var isResting: Bool { handledCount == Self.requestsPerTurn }

  var wantsMore: Bool {
    if let body, !body.isComplete { return isActive && body.wantsBytes }
    return isIdle && !isResting
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    isConsuming = true
    defer { isConsuming = false }
    if !isResting { handledCount = 0 }
    var used = 0
    do throws(HTTPParseError) {
      while wantsMore && inlet.mayDeliver {
        if let body, !body.isComplete {
          try body.consume(bytes, &used) { [inlet] in inlet.mayDeliver }
          if body.isComplete {
            bodyIsComplete()
            continue
          }
          if body.wantsBytes { break }
          // The observer has ended, perhaps after the response. Then the rest is dropped.
          settleBody()
          if !body.wantsBytes || used == bytes.count { break }
        } else {
          if used == bytes.count { break }
          let unused = UnsafeRawBufferPointer(rebasing: bytes[used...])
          guard let head = try server.parser.parse(unused, &search) else {
            // Blank lines before a request are ignored, and begin no head.
            if case .idle(.restOfHead) = phase { break }
            let isBlank = unused.allSatisfy { $0 == 0x0A || $0 == 0x0D }
            if !isBlank { becomeIdle(awaiting: .restOfHead) }
            break
          }
          used += head.count
          try handle(head, unused)
          handledCount += 1
          if isResting { queue.inputOutput.atEndOfTurn(self) }
        }
      }
    } catch {
      refuse(error.status, "\(error)")
      return bytes.count
    }
    if case .closed = phase { return bytes.count }
    return used
  }

  /// The number of requests that are handled before other connections are served.
  static let requestsPerTurn = 64

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    close()
  }

  /// The client has finished or is gone. A handler that works for it would work for nothing.
  func endIsNear() {
    if !connection.isOpen { return close() }
    if let body, !body.isComplete, body.wantsBytes { return }
    switch phase {
    case .handling, .settling: close()
    // A response without a length must not look complete. A file is still sent.
    case .responding: if work != nil { reset() }
    case .idle, .upgraded, .closed: break
    }
  }

  // MARK: - Requests

  func handle(
    _ head: RequestParser.Head, _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) {
    let framing = head.framing
    current = Exchange(
      isHead: bytes[head.method].elementsEqual("HEAD".utf8), isVersion10: head.isVersion10,
      closes: !framing.keepsConnection || server.connections.isDraining)
    phase = .handling
    waitingTicks = 0
    if framing.expectation == .unknown {
      return refuse(.expectationFailed, "The expectation is not known.")
    }
    var reception = Reception()
    reception.peer = connection.peer
    reception.isSecure = isSecure
    reception.isVersion10 = head.isVersion10
    var content = HTTPBody.empty
    if framing.body != .unspecified && framing.body != .length(0) {
      let decoder = try BodyDecoder(framing, server.limits)
      let body = RequestBody(
        decoder, awaitsContinue: framing.expectation == .continue && !head.isVersion10, of: self)
      self.body = body
      content = body.body
      reception.trailers = { [weak body] in body?.trailers ?? HTTPHeaders() }
    }
    var target = String(decoding: bytes[head.target], as: UTF8.self)
    var headers = server.parser.headers(of: bytes, head)
    if head.isAbsolute {
      (reception.authority, target) = Self.parts(ofURL: target)
      headers["Host"] = reception.authority
    }
    let request = HTTPRequest(
      HTTPMethod(rawValue: String(decoding: bytes[head.method], as: UTF8.self)), target, headers,
      content, reception)
    take(server.reply(to: request), of: request)
  }

  /// Splits a URL that the parser has accepted into its authority and the rest.
  static func parts(ofURL url: String) -> (String, String) {
    // Bytes, because a combining mark in the query forms one character with a delimiter before it.
    let rest = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let path = rest[(end ?? rest.endIndex)...]
    let target = String(Substring(path))
    return (
      String(Substring(rest[..<path.startIndex])),
      path.first == UInt8(ascii: "/") ? target : "/" + target
    )
  }

  func take(_ reply: HTTPReply, of request: HTTPRequest) {
    switch reply.content {
    case .now(let response): respond(response)
    case .later(let stream): wait(for: stream, of: request)
    case .upgrade(let response, let use): upgrade(response, use)
    }
  }

  func wait(for stream: EventStream<HTTPResponse, any Error>, of request: HTTPRequest) {
    // The handler may have closed the connection.
    guard isHandling else { return }
    let work = Disposable()
    self.work = work
    server.errors.recovered(stream, request).start(
      in: work,
      next: { [self] response in
        // The response comes once, and no longer belongs to the observation.
        if self.work === work { self.work = nil }
        respond(response)
      },
      end: { _ in })
  }

  func upgrade(_ response: HTTPResponse, _ use: (Connection) -> () -> Void) {
    write {
      ResponseHead.begin(response.status, into: &$0)
      response.headers.write(into: &$0)
      $0 += "\r\n".utf8
    }
    guard isHandling else { return }
    phase = .upgraded(drain: nil)
    inlet.stop(self)
    exchange(&body, with: nil)?.detach(.disconnected)
    connection.staysOpenAfterEnd = false
    let ended = Disposable()
    connection.core.closed.start(
      under: ended, next: { _ in },
      end: { [self] _ in
        phase = .closed
        server.connectionHasEnded(self)
      })
    let drain = use(connection)
    guard case .upgraded = phase else { return }
    phase = .upgraded(drain: drain)
    if server.connections.isDraining { drain() }
  }

  // MARK: - Request body

  /// The handler has begun to observe the body.
  func bodyIsWanted(sendsContinue: Bool) {
    if sendsContinue && isHandling { _ = writeText("HTTP/1.1 100 Continue\r\n\r\n") }
    inlet.demandHasIncreased()
  }

  func bodyObserverHasEnded() {
    if !isConsuming { settleBody() }
  }

  /// Drops the rest of the body if the response is complete and nobody reads the body.
  func settleBody() {
    guard case .settling = phase, let body, !body.isComplete, !body.wantsBytes else { return }
    if body.drop() { inlet.demandHasIncreased() } else { close() }
  }

  func bodyIsComplete() {
    // The response may have ended while the rest of the body was dropped.
    if case .settling = phase { becomeIdle() }
  }
}

extension ServerConnection: EndOfTurnTask {
  func runAtEndOfTurn() {
    handledCount = 0
    if isActive { inlet.demandHasIncreased() }
  }
}
