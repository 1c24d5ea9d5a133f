import RunnelLoop
import RunnelStreams

/// One connection of a client: parses the responses to its requests, one exchange at a time.
///
/// It is retained by its exchange while there is one, and by the pool otherwise. Its release closes
/// the connection.
///
///     idle ── request ──▶ waiting ── head ──▶ body ── released ──▶ draining
///      ▲                     │                 │                      │
///      │                     └── 101 ──▶ upgraded                     │
///      └────────────── last byte, if it can be reused ────────────────┘
///
/// Every other event that ends an exchange, such as an error or a time limit, leads to `closed`, and
/// so does the end of an unused connection.
final class ClientConnection {
  enum Phase {
    /// Unused, at most until a time. Any byte, and the end, make it unusable.
    case idle(until: Duration)
    /// A request is being sent, or waits for its response.
    case waiting(Request)
    /// The body of the response arrives.
    case body(Body)
    /// The rest of a body is dropped, so that the connection can be used again.
    case draining(Body, left: Int)
    /// Another protocol uses the connection.
    case upgraded
    case closed
  }

  struct Request {
    // Flags (3): the request fixes the first two, a method and a header field; the first bytes of the
    // response may arrive with any of their values.
    let isForHead: Bool
    /// True if it asks the server to close the connection.
    let closes: Bool
    /// The number of bytes that the connection had written before.
    let writtenBefore: UInt64
    var interimCount = 0
    /// True if bytes of a response have arrived.
    var hasReceived = false
  }

  struct Body {
    /// True if the connection can be used again afterwards.
    let keepsConnection: Bool
    /// The time for which it may be unused then.
    let idleTime: Duration
    /// The number of bytes since the last check of the rate.
    var receivedCount = 0
    /// The number of bytes by which the server is ahead of the least rate.
    var credit: Int
  }

  let connection: Connection
  let route: ClientRoute
  private weak var pool: ConnectionPool?
  private let reader = ClientReader()
  private var times: HTTPClientTimeLimits
  private var parser: ResponseParser
  private var decoder: BodyDecoder
  private let timer: RestartableTimer
  private(set) var phase = Phase.idle(until: .longest)
  /// The exchange, which retains this object.
  private weak var exchange: ClientExchange?
  private var limits = TimeLimits()
  /// True if it has served a request before the current one.
  private var isReused = false

  /// The largest number of interim responses to a request.
  private static let mostInterim = 16
  /// The most bytes that are dropped, and the time for it.
  private static let mostDropped = 1 << 16
  private static let drainingTime = Duration.seconds(5)
  /// The seconds between two checks of the rate, and those that a server may be behind.
  private static let rateInterval = 5
  private static let rateSlack = 60

  init(
    _ connection: Connection, _ route: ClientRoute, _ settings: ClientSettings,
    of pool: ConnectionPool
  ) {
    self.connection = connection
    self.route = route
    times = settings.timeLimits
    self.pool = pool
    parser = ResponseParser(settings.limits)
    decoder = .empty(settings.limits)
    timer = RestartableTimer(on: connection.core.scheduler)
    reader.owner = self
    connection.inlet.begin(reader)
  }

  deinit {
    parser.deallocate()
  }

  var queue: WriteQueue { connection.core.queue }

  /// The time until which a request can be sent; nil if none can be.
  var usableUntil: Duration? {
    if case .idle(let time) = phase, connection.isOpen { time } else { nil }
  }

  // MARK: - Exchanges

  /// Begins an exchange, before its request is written.
  func begin(
    _ exchange: ClientExchange, _ head: RequestHead, hasBody: Bool,
    within times: HTTPClientTimeLimits
  ) {
    self.exchange = exchange
    self.times = times
    phase = .waiting(
      Request(
        isForHead: head.isForHead, closes: head.closes, writtenBefore: queue.writtenCount))
    if hasBody { setLimits(TimeLimits(writing: times.body)) }
  }

  /// The request is complete, so the head of the response is expected.
  func requestIsSent() {
    guard case .waiting = phase, let limit = times.head else { return }
    timer.set(after: limit) { [weak self] in self?.fail(.timedOut(.head)) }
  }

  /// No request is sent on the connection after all.
  func returnUnused() {
    guard usableUntil != nil, let pool else { return close() }
    becomeIdle(for: times.idle)
    pool.recycle(self)
  }

  /// The response was released, and nobody reads its body. A short rest is dropped.
  func bodyIsUnwanted() {
    guard case .body(let body) = phase, decoder.missingCount ?? 0 <= Self.mostDropped,
      mayReuse(after: body), let pool
    else { return close(reset: true) }
    phase = .draining(body, left: Self.mostDropped)
    timer.set(after: Self.drainingTime) { [weak self] in self?.close(reset: true) }
    pool.keepDraining(self)
    connection.inlet.demandHasIncreased()
  }

  private func setLimits(_ limits: TimeLimits) {
    if limits == self.limits { return }
    self.limits = limits
    connection.timeLimits = limits
  }

  // MARK: - Reading

  var wantsMore: Bool {
    switch phase {
    case .idle, .waiting, .draining: true
    case .body: exchange?.wantsBytes ?? false
    case .upgraded, .closed: false
    }
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    var used = 0
    do throws(HTTPParseError) {
      while wantsMore && connection.inlet.mayDeliver {
        guard try step(bytes, &used) else { break }
      }
    } catch {
      switch phase {
      case .body: failBody(HTTPBodyError(error))
      case .waiting: fail(.malformed("\(error)"))
      case .idle, .draining, .upgraded, .closed: close(reset: true)
      }
    }
    switch phase {
    case .closed: return bytes.count
    case .body, .draining:
      setLimits(TimeLimits(reading: times.body, writing: times.body))
      return used
    case .idle, .waiting, .upgraded: return used
    }
  }

  /// Handles the next bytes. Returns false if more are needed.
  private func step(
    _ bytes: UnsafeRawBufferPointer, _ used: inout Int
  ) throws(HTTPParseError) -> Bool {
    switch phase {
    case .idle:
      // A response without a request. It must not be taken for that to the next request.
      if used < bytes.count { close(reset: true) }
      return false
    case .waiting(var request):
      if used == bytes.count { return false }
      if queue.writtenCount == request.writtenBefore {
        guard isReused else { throw .malformed("a response before the request") }
        // The server has closed the unused connection, and says so.
        fail(.disconnected, isRetriable: true)
        return false
      }
      request.hasReceived = true
      phase = .waiting(request)
      let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
      guard let head = try parser.parse(rest) else { return false }
      used += head.count
      try handle(head, of: request, rest, hasMore: used < bytes.count)
      return true
    case .body(var body):
      let piece = try decoder.next(bytes, &used)
      if let piece {
        body.receivedCount += piece.count
        phase = .body(body)
        exchange?.receive(piece)
        // The observer of the piece may have ended everything.
        guard case .body = phase else { return true }
      }
      if decoder.isComplete { bodyIsComplete(body, hasMore: used < bytes.count) }
      return piece != nil
    case .draining(let body, let left):
      let piece = try decoder.next(bytes, &used)
      let count = piece?.count ?? 0
      if count > left {
        close(reset: true)
      } else if decoder.isComplete {
        bodyIsComplete(body, hasMore: used < bytes.count)
      } else {
        phase = .draining(body, left: left - count)
      }
      return piece != nil
    case .upgraded, .closed: return false
    }
  }

  private func handle(
    _ head: ResponseParser.Head, of request: Request, _ bytes: UnsafeRawBufferPointer,
    hasMore: Bool
  ) throws(HTTPParseError) {
    guard let exchange else { return close(reset: true) }
    let headers = parser.headers(of: bytes, head)
    if head.status.code == 101 {
      guard exchange.wantsUpgrade, !head.isVersion10 else {
        throw .malformed("another protocol, without a request")
      }
      return upgrade(exchange, HTTPResponse(head.status, headers: headers))
    }
    if head.status.code < 200 {
      var request = request
      request.interimCount += 1
      phase = .waiting(request)
      if request.interimCount > Self.mostInterim { throw .malformed("too many interim responses") }
      if head.status.code == 100 { exchange.mayContinue() }
      return
    }
    if head.status == .requestTimeout && !head.framing.keepsConnection && isReused
      && request.interimCount == 0 && exchange.mayBeRepeated
    {
      // The server closed the unused connection before the request arrived.
      return fail(.disconnected, isRetriable: true)
    }
    timer.cancel()
    decoder = try parser.body(
      of: head, isForHead: request.isForHead, isEndless: exchange.hasEndlessBody)
    let keepsConnection =
      head.framing.keepsConnection && !decoder.endsWithConnection && !request.closes
    let body = Body(
      keepsConnection: keepsConnection, idleTime: idleTime(headers),
      credit: times.bodyRate.times(Self.rateSlack))
    phase = .body(body)
    if decoder.isComplete {
      bodyIsComplete(body, hasMore: hasMore)
      exchange.headHasArrived(HTTPResponse(head.status, headers: headers))
    } else {
      if times.bodyRate > 0 { setRateTimer() }
      let body = exchange.body(count: decoder.missingCount)
      exchange.headHasArrived(HTTPResponse(head.status, headers: headers, body: body))
    }
  }

  // MARK: - Rate

  private func setRateTimer() {
    timer.set(after: .seconds(Self.rateInterval)) { [weak self] in self?.checkRate() }
  }

  /// Ends a body that arrives too slowly. The time in which nobody wants bytes does not count.
  private func checkRate() {
    guard case .body(var body) = phase else { return }
    let most = times.bodyRate.times(Self.rateSlack)
    body.credit = min(body.credit.plus(body.receivedCount), most)
    body.receivedCount = 0
    if connection.inlet.waitsForBytes {
      body.credit -= times.bodyRate.times(Self.rateInterval)
      if body.credit < 0 { return failBody(.timedOut) }
    }
    phase = .body(body)
    setRateTimer()
  }

  private func idleTime(_ headers: HTTPHeaders) -> Duration {
    var time = times.idle
    for element in headers.elements(of: "Keep-Alive") {
      guard element.lowercased().hasPrefix("timeout=") else { continue }
      let digits = element.dropFirst("timeout=".count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit }) else { continue }
      // The server may close a second before its time, in which a request would be lost.
      let seconds = min(max(Int(digits) ?? .max, 1), 1 << 20) - 1
      time = min(time, .seconds(seconds))
    }
    return time
  }

  private func mayReuse(after body: Body) -> Bool {
    body.keepsConnection && connection.isOpen && connection.inlet.isOpen && queue.isOpen
      && queue.waitingCount == 0 && exchange?.isSent != false
  }

  private func becomeIdle(for time: Duration) {
    phase = .idle(until: connection.core.scheduler.now.plus(time))
  }

  private func bodyIsComplete(_ body: Body, hasMore: Bool) {
    let exchange = exchange
    let isReusable = mayReuse(after: body) && !hasMore
    timer.cancel()
    setLimits(TimeLimits())
    self.exchange = nil
    if isReusable {
      becomeIdle(for: body.idleTime)
      isReused = true
    }
    exchange?.detach()
    if isReusable, let pool { pool.recycle(self) } else { close() }
    exchange?.end(.completed)
  }

  private func upgrade(_ exchange: ClientExchange, _ response: HTTPResponse) {
    phase = .upgraded
    timer.tearDown()
    setLimits(TimeLimits())
    self.exchange = nil
    exchange.detach()
    connection.inlet.stop(reader)
    pool?.remove(self)
    exchange.upgrade(response, connection)
  }

  // MARK: - End

  func endIsNear() {
    // A connection whose end has arrived must not get a request.
    if case .idle = phase { close() }
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    switch phase {
    case .upgraded, .closed: break
    case .idle, .draining: close()
    case .waiting(let request):
      let isRetriable = rest.isEmpty && !request.hasReceived
      switch termination {
      case .completed: fail(.disconnected, isRetriable: isRetriable)
      case .failed(let error): fail(.connection(error), isRetriable: isRetriable)
      }
    case .body(let body):
      if case .completed = termination, decoder.endsWithConnection {
        return bodyIsComplete(body, hasMore: false)
      }
      var failure = HTTPBodyError.disconnected
      if case .failed(let error) = termination, case .timedOut = error.cause { failure = .timedOut }
      failBody(failure)
    }
  }

  /// Fails the exchange, or the body of its response if the head has arrived. Only a request on a
  /// connection that was used before is retriable.
  func fail(_ error: HTTPClientError, isRetriable: Bool = false) {
    guard case .waiting = phase else { return failBody(.disconnected) }
    let exchange = exchange
    close(reset: true)
    exchange?.fail(error, isRetriable: isRetriable && isReused)
  }

  func failBody(_ error: HTTPBodyError) {
    let exchange = exchange
    close(reset: true)
    exchange?.end(.failed(error))
  }

  /// Ends the connection without an event for its exchange.
  func close(reset: Bool = false) {
    switch phase {
    case .closed, .upgraded: return
    case .idle, .waiting, .body, .draining: phase = .closed
    }
    timer.tearDown()
    let exchange = exchange
    self.exchange = nil
    connection.inlet.stop(reader)
    if reset { connection.reset() } else { connection.close() }
    exchange?.detach()
    pool?.remove(self)
  }
}
